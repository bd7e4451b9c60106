"""Translate a Simulink model into a Diagram, system by system, or list everything that stands in the way."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ...base.errors import BlockdynError
from ...base.words import inflect
from ...blocks.contract.block import Block
from ...blocks.contract.errors import BlockError, ParameterError
from ...blocks.logic.compare import Compare
from ...blocks.mathematics.expression import Expression
from ...blocks.routing.inport import Inport
from ...blocks.routing.outport import Outport
from ...blocks.routing.reshape import Reshape
from ...blocks.sources.constant import Constant
from ...blocks.switching.enable import Enable
from ...blocks.switching.if_else import If
from ...blocks.switching.switch_case import SwitchCase
from ...blocks.switching.trigger import Trigger
from ...diagrams.model.diagram import Diagram
from ...diagrams.model.subsystem import Subsystem
from .dynamics import DYNAMICS
from .mathematics import MATHEMATICS
from .matlab import UnreadableText, evaluate
from .model import Model, SimulinkBlock, System, Tracer, Wire
from .sizes import Sizes, elements, takes_bus
from .sources import SOURCES
from .toolbox import TOOLBOX
from .use import CONSTANT, CONTINUOUS, Ends, Maker, Rate, Untranslated, Use

MAKERS: Mapping[str, Maker] = {**SOURCES, **MATHEMATICS, **DYNAMICS, **TOOLBOX}
STRUCTURE = (
    "SubSystem", "From", "Goto", "EnablePort", "TriggerPort", "ActionPort", "If", "SwitchCase",
    "InportShadow",
    "MATLAB Function",
)  # fmt: skip
"""Blocks that the translation of systems handles itself."""
METHODS = {
    "ode45": "dopri5", "ode23": "bs32", "ode15s": "auto", "ode23s": "rodas5p", "ode23t": "auto",
    "ode23tb": "auto", "ode113": "auto", "VariableStepAuto": "auto", "VariableStepDiscrete": "auto",
    "ode1": "euler", "ode2": "heun", "ode4": "rk4",
}  # fmt: skip
DEFAULT_TOLERANCE = 1e-3  # of Simulink: results here keep blockdyn's tighter one
FOREIGN = {
    "S-Function": "an S-function: its program is not part of the file",
    "M-S-Function": "an S-function: its program is not part of the file",
    "DataStoreMemory": "a data store", "DataStoreRead": "a data store", "DataStoreWrite": "a data store",
    "ForIterator": "a for-iterator", "WhileIterator": "a while-iterator", "ForEach": "a for-each subsystem",
    "ModelReference": "a model that does not lie next to the file", "Assignment": "an assignment to elements",
    "ComplexToRealImag": "complex signals", "ComplexToMagnitudeAngle": "complex signals",
    "RealImagToComplex": "complex signals", "MagnitudeAngleToComplex": "complex signals",
}  # fmt: skip


@dataclass(frozen=True)
class Obstacle:
    """A block that is not translated: its path in the model, the reason, and a remedy if there is one."""

    path: str
    reason: str
    remedy: str = ""

    def __str__(self) -> str:
        return f"{self.path}: {self.reason}" + (f"; {self.remedy}" if self.remedy else "")


class UntranslatedModel(BlockdynError):
    """A model with blocks that have no counterpart: `obstacles` of `blocks`."""

    def __init__(self, path: str, obstacles: list[Obstacle], blocks: int) -> None:
        self.path, self.obstacles, self.blocks = path, tuple(obstacles), blocks
        bad = len({obstacle.path for obstacle in obstacles})
        lines = [f"{path}: {max(blocks - bad, 0)} of {inflect(blocks, 'block')} translate; in the way:"]
        lines += [f"  {obstacle}" for obstacle in obstacles[:200]]
        if len(obstacles) > 200:
            lines.append(f"  and {len(obstacles) - 200} more")
        super().__init__("\n".join(lines))


@dataclass
class Translation:
    """The diagram of a model, the differences that remain, and the number of its blocks."""

    diagram: Diagram
    differences: tuple[str, ...]
    blocks: int


@dataclass
class Translator:
    """Translates one model; `replacements` are blocks here by the path of the block that they stand for."""

    model: Model
    replacements: Mapping[str, Block] = field(default_factory=dict)
    differences: list[str] = field(default_factory=list)
    obstacles: list[Obstacle] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.tracer = Tracer(self.model.root)
        self._records: set[str] = set()
        self._rates: dict[SimulinkBlock, Rate] = {}
        self._ends: dict[SimulinkBlock, Ends] = {}
        self._diagrams: dict[System, Diagram] = {}
        self._names: dict[System, str] = {}  # of subsystems in their diagrams
        self._passed: dict[tuple[System, SimulinkBlock], str] = {}
        self.sizes = Sizes(self)
        self.starts: list[tuple[Use, int]] = []  # rate limiters that begin at an input which only a run gives

    # facts about the model, for makers

    @property
    def stop(self) -> float:
        """End of the run, s."""
        return self.setting("StopTime", math.inf)

    @property
    def fixed_step(self) -> float:
        """Step of a fixed-step solver, s; 0 for solvers with variable steps."""
        solver = self.model.document.solver
        name = solver.get("Solver") or solver.get("SolverName") or ""
        if not (name.startswith("FixedStep") or re.fullmatch(r"ode(1|2|3|4|5|8|14x|1be)", name)):
            return 0.0
        return self.setting("FixedStep", 0.0)

    def setting(self, name: str, default: float) -> float:
        """A setting of the solver; the default for `auto`."""
        text = self.model.document.solver.get(name, "auto")
        if text == "auto":
            return default
        try:
            return float(np.asarray(evaluate(text, self.model.root.scope), float).reshape(-1)[0])
        except (UnreadableText, KeyError, ValueError, TypeError, IndexError):
            self.differences.append(f"{name} = {text} is not read")
            return default

    def evaluate(self, use: Use, text: str) -> list[float]:
        """Numbers of a text in the scope of a block."""
        return [float(v) for v in np.asarray(evaluate(text, use.block.system.scope), float).ravel(order="F")]

    def records(self, name: str) -> set[str]:
        """Names of recorded signals so far, to which this one is added."""
        before = set(self._records)
        self._records.add(name)
        return before

    def identifier(self, name: str) -> str:
        """A name of a bus field here."""
        bare = re.sub(r"\W", "_", name.strip().strip("<>")) or "signal"
        return bare if bare.isidentifier() else f"f_{bare}"

    def field_names(self, block: SimulinkBlock) -> list[str]:
        """Names of the fields of a Bus Creator: those of its inputs' signals, or signal1, signal2, ..."""
        names: list[str] = []
        for k in range(block.inputs):
            wire = block.system.sources.get((block, k + 1))
            name = (self.signal_name(wire) if wire else "") or f"signal{k + 1}"
            bare = self.identifier(name)
            while bare in names:
                bare += "_"
            names.append(bare)
        return names

    def signal_name(self, wire: Wire, guard: int = 0) -> str:
        """The name of a signal, also of one that passes through ports and tags."""
        if wire.name or guard > 50:
            return wire.name
        block = wire.block
        if block.inner is not None and isinstance(wire.port, int):
            inner = block.inner.port("Outport", wire.port)
            source = inner.system.sources.get((inner, 1)) if inner else None
        elif block.kind == "Inport" and block.system.owner is not None:
            owner = block.system.owner
            source = owner.system.sources.get((owner, int(block.fields.get("Port") or "1")))
        elif block.kind == "From":
            goto = self.tracer.goto(block)
            source = goto.system.sources.get((goto, 1)) if goto else None
        elif block.kind == "BusSelector" and isinstance(wire.port, int):
            fields = [f.strip() for f in block.fields.get("OutputSignals", "").split(",")]
            return fields[wire.port - 1].rpartition(".")[2] if wire.port <= len(fields) else ""
        else:
            return ""
        return self.signal_name(source, guard + 1) if source else ""

    def constant_of(self, block: SimulinkBlock, port: int) -> Any:
        """The value of the Constant that drives an input, through gains of one; None for other signals."""
        wire = self.tracer.driver(block, port)
        if wire is None or wire.block.kind != "Constant":
            return None
        return self.use(wire.block, Diagram()).plain("Value", "1")

    def start_of(self, block: SimulinkBlock, port: int) -> Any:
        """The value of an input at the start of the run, where its source alone determines it."""
        wire = self.tracer.driver(block, port)
        if wire is None:
            return 0.0
        use = self.use(wire.block, Diagram())
        kind = wire.block.kind
        if kind == "Constant":
            return use.plain("Value", "1")
        if kind == "Step":
            return use.plain("Before" if use.number("Time", "1") > 0 else "After", "0")
        if kind in ("Clock", "Ground"):
            return 0.0
        if kind == "Integrator" and use.text("InitialConditionSource", "internal") == "internal":
            return use.plain("InitialCondition", "0")
        if kind == "Sin" and use.text("SineType", "Time based").startswith("Time"):
            value = np.asarray(use.plain("Amplitude", "1")) * np.sin(use.plain("Phase", "0")) + use.plain(
                "Bias", "0"
            )
            return value.tolist()
        if kind == "Gain" and use.text("Multiplication", "Element").startswith("Element"):
            start = self.start_of(wire.block, 1)
            return None if start is None else (np.asarray(start) * use.plain("Gain", "1")).tolist()
        if kind == "Ramp":
            return (
                use.plain("X0" if "X0" in wire.block.fields else "InitialOutput", "0")
                if use.number("start", "0") >= 0
                else None
            )
        return None

    # sample times

    def rate(self, block: SimulinkBlock) -> Rate:
        """Sample time of a block: its own, or inherited from its inputs; triggered inside of triggers."""
        if block in self._rates:
            return self._rates[block]
        self._rates[block] = CONTINUOUS  # of a loop that has no other clock
        self._rates[block] = result = self._find_rate(block)
        return result

    def _find_rate(self, block: SimulinkBlock) -> Rate:
        system: System | None = block.system
        while system is not None and system.owner is not None:
            if system.of_kind("TriggerPort"):
                return Rate(triggered=True)
            system = system.parent
        explicit = self.own_rate(block)
        if explicit is not None:
            return explicit
        if block.kind in (
            "Integrator",
            "TransferFcn",
            "StateSpace",
            "ZeroPole",
            "TransportDelay",
            "Derivative",
        ):
            return CONTINUOUS
        rates = [r for r in self.rates_of_inputs(block) if r != CONSTANT]
        if not rates:
            if block.kind in ("Constant", "Ground"):
                return CONSTANT
            return Rate(self.fixed_step) if self.fixed_step and self._is_discrete() else CONTINUOUS
        if CONTINUOUS in rates:
            return CONTINUOUS
        return min(rates, key=lambda r: (r.period, r.offset))

    def _is_discrete(self) -> bool:
        solver = self.model.document.solver
        return "Discrete" in (solver.get("Solver") or solver.get("SolverName") or "")

    def own_rate(self, block: SimulinkBlock) -> Rate | None:
        """The sample time that a block itself gives; None if it inherits it."""
        name = next((n for n in ("SampleTime", "tsamp", "Ts", "samptime") if n in block.fields), "")
        text = block.fields.get(name, "").strip()
        if not text or text in ("-1", "[-1]", "auto"):
            return None
        values = [float(v) for v in self.use(block, Diagram()).vector(name)]
        if values[0] == -1:
            return None
        if values[0] == 0:
            return CONTINUOUS if len(values) < 2 or values[1] == 0 else None
        return Rate(values[0], values[1] if len(values) > 1 else 0.0)

    def rates_of_inputs(self, block: SimulinkBlock) -> list[Rate]:
        """Sample times of the signals that a block reads."""
        result = []
        for k in range(block.inputs):
            wire = self.tracer.driver(block, k + 1)
            result.append(CONSTANT if wire is None else self.rate(wire.block))
        return result or [CONSTANT][: block.inputs]

    def rate_of_reader(self, block: SimulinkBlock) -> Rate:
        """Sample time of the first block that reads a block and has one of its own."""
        explicit = self.own_rate(block)
        if explicit is not None:
            return explicit
        for system_block in self.model.root.walk():
            for k in range(system_block.inputs):
                wire = self.tracer.driver(system_block, k + 1)
                if wire is not None and wire.block is block:
                    rate = self.own_rate(system_block)
                    if rate is not None:
                        return rate
        return CONTINUOUS

    # building

    def use(self, block: SimulinkBlock, diagram: Diagram) -> Use:
        """A block for its maker."""
        return Use(block, [], CONTINUOUS, diagram, self)

    def unused(self, name: str, diagram: Diagram) -> str:
        """A name that paths can hold and no block of the diagram has."""
        bare = re.sub(r"\W+", "_", name).strip("_") or "block"
        bare = bare if bare.isidentifier() else f"b_{bare}"
        free, number = bare, 1
        while free in diagram:
            number += 1
            free = f"{bare}_{number}"
        return free

    def translate(self) -> Translation:
        """The diagram of the model. Raises UntranslatedModel with everything that has no counterpart."""
        blocks = [b for b in self.model.root.walk() if not _is_inside_function(b)]
        self.sizes.find()
        stem = re.sub(r"\W", "_", self.model.document.path.rpartition("/")[2].rpartition(".")[0]) or "model"
        diagram = self.build(self.model.root, stem if stem.isidentifier() else f"m_{stem}")
        if self.obstacles:
            raise UntranslatedModel(self.model.document.path, _unique(self.obstacles), len(blocks))
        for system in list(self._diagrams):
            for (block, port), wire in system.sources.items():
                self._connect(system, block, port, wire)
            self._connect_unwired(system, self._diagrams[system])
        self._set_simulation(diagram)
        diagram.doc = " ".join(self.model.root.notes)[:2000]
        return Translation(diagram, tuple(dict.fromkeys(self.differences)), len(blocks))

    def _set_simulation(self, diagram: Diagram) -> None:
        """End of the run, method and tolerances."""
        solver = self.model.document.solver
        name = solver.get("Solver") or solver.get("SolverName") or "VariableStepAuto"
        arguments: dict[str, Any] = {}
        if math.isfinite(self.stop):
            arguments["stop"] = self.stop
        else:
            self.differences.append("the model has no end: give --stop")
        if self.model.document.solver.get("AlgebraicLoopMsg", "warning") != "error":
            arguments["loops"] = "solve"
        start = self.setting("StartTime", 0.0)
        if start:
            arguments["start"] = start
        step = self.fixed_step
        if name in ("ode1", "ode2", "ode4") and step:
            arguments |= {"method": METHODS[name], "step": step}
        elif self.fixed_step == 0.0:
            arguments["method"] = METHODS.get(name, "auto")
            rtol = self.setting("RelTol", DEFAULT_TOLERANCE)
            if rtol < 1e-6:
                arguments["rtol"] = rtol
            longest = self.setting("MaxStep", math.inf)
            if 0 < longest < math.inf:
                arguments["max_step"] = longest
        elif name not in ("FixedStepDiscrete", "FixedStepAuto"):
            self.differences.append(f"{name} with fixed steps has no counterpart: the run has variable steps")
        diagram.settings(**arguments)
        if solver.get("ZeroCrossControl") == "DisableAll":
            self.differences.append("zero crossings are off in the model: here all of them are located")

    def build(self, system: System, name: str) -> Diagram:
        """The diagram of a system."""
        diagram = Diagram(name)
        self._diagrams[system] = diagram
        for block in system.blocks:
            try:
                ends = self._make(block, diagram)
            except Untranslated as error:
                if error.sized and block in self.sizes.doubtful and self._blocked(block):
                    continue
                self.obstacles.append(Obstacle(block.path, error.reason, error.remedy))
                ends = None
            except (ParameterError, BlockError) as error:
                reason = str(error).splitlines()
                self.obstacles.append(Obstacle(block.path, "; ".join(reason)[:300]))
                ends = None
            if ends is not None:
                self._ends[block] = ends
        return diagram

    def _blocked(self, block: SimulinkBlock) -> bool:
        """True if a block in front of this one is an obstacle, or is hidden by one."""
        seen, waiting = {block}, [block]
        while waiting:
            reader = waiting.pop()
            for k in range(reader.inputs):
                wire = self.tracer.driver(reader, k + 1)
                if wire is not None and wire.block in self.sizes.doubtful and wire.block not in seen:
                    seen.add(wire.block)
                    waiting.append(wire.block)
        return len(seen) > 1

    def _make(self, block: SimulinkBlock, diagram: Diagram) -> Ends | None:
        """The counterpart of a block."""
        use = Use(block, self.sizes.inputs(block), CONTINUOUS, diagram, self)
        if block.path in self.replacements:
            return use.single(self.replacements[block.path])
        if block in block.system.physical:
            raise Untranslated("physical connections (Simscape)")
        if block.fields.get("Commented", "off") == "on":
            return None
        kind = kind_of(block)
        if kind == "MATLAB Function":
            from .toolbox import matlab_function

            return matlab_function(use)
        if block.inner is not None:
            return self._subsystem(use)
        if kind in ("From", "Goto", "InportShadow"):
            if kind == "From" and self.tracer.goto(block) is None:
                raise Untranslated(f"no Goto has the tag {block.fields.get('GotoTag', 'A')}")
            return None
        if kind in ("EnablePort", "TriggerPort", "ActionPort"):
            return self._control(use)
        if kind == "If":
            return self._if(use)
        if kind == "SwitchCase":
            return self._switch_case(use)
        if kind == "Inport" and block.system.owner is not None:
            name = use.add(Inport(number=int(block.fields.get("Port") or "1") - 1))
            return Ends({}, [f"{name}.y"])
        maker = MAKERS.get(kind)
        if maker is None:
            raise Untranslated(FOREIGN.get(kind, f"no counterpart of {_shown_kind(block)}"), _remedy(block))
        _refuse_types(block)
        use.rate = self.rate(block)
        return maker(use)

    def _subsystem(self, use: Use) -> Ends:
        """A subsystem with its ports."""
        block = use.block
        assert block.inner is not None
        for kind in ("ForIterator", "WhileIterator", "ForEach", "ResetPort"):
            if block.inner.of_kind(kind):
                raise Untranslated(FOREIGN.get(kind, "a resettable subsystem"))
        diagram = self.build(block.inner, self.unused(block.name, Diagram()))
        if not diagram.blocks:
            return Ends()
        name = self._names[block.inner] = use.add(Subsystem(diagram))
        ends = Ends()
        for inner in block.inner.blocks:
            part = self._ends.get(inner)
            if part is None:
                continue
            number = int(inner.fields.get("Port") or "1") if inner.kind in ("Inport", "Outport") else 0
            if inner.kind == "Inport":
                ends.inputs[number] = [f"{name}.{part.outputs[0].partition('.')[0]}"]
            elif inner.kind == "Outport":
                end = next(iter(part.inputs.values()))[0].partition(".")[0]
                ends.outputs += [""] * (number - len(ends.outputs))
                ends.outputs[number - 1] = f"{name}.{end}"
            elif inner.kind in ("EnablePort", "TriggerPort", "ActionPort"):
                control = {"EnablePort": "enable", "TriggerPort": "trigger", "ActionPort": "ifaction"}[
                    inner.kind
                ]
                ends.inputs[control] = [f"{name}.{part.controls['block']}"]
        return ends

    def _control(self, use: Use) -> Ends:
        """The Enable or Trigger of a subsystem."""
        block = use.block
        if block.system.owner is None:
            raise Untranslated("a control port of the truncated model")
        if use.flag("ShowOutputPort") and any(wire.block is block for wire in block.system.sources.values()):
            raise Untranslated("the output of a control port")
        if block.kind == "TriggerPort":
            edge: Any = use.text("TriggerType", "rising")
            name = use.add(Trigger("call" if edge == "function-call" else edge))
        else:
            held = use.text("StatesWhenEnabling", use.text("InitializeStates", "held"))
            outputs = [b.fields.get("OutputWhenDisabled", "held") for b in block.system.of_kind("Outport")]
            if len(set(outputs)) > 1:
                raise Untranslated("outputs of which some are held and others reset", "split the subsystem")
            name = use.add(Enable(reset_states=held == "reset", reset_outputs="reset" in outputs))
        return Ends(controls={"block": name})

    def _if(self, use: Use) -> Ends:
        """Conditions of an If block, whose outputs enable subsystems."""
        from .matlab import formula

        block = use.block
        texts = [use.text("IfExpression", "u1 > 0")]
        more = use.text("ElseIfExpressions", "")
        texts += [t for t in more.split(",") if t.strip()]
        conditions: dict[str, str] = {}
        names: dict[str, int] = {}
        for k, text in enumerate(texts):
            bare = re.sub(r"\bu(\d+)\b(?!\s*\()", lambda m: f"u({m[1]})", text)
            try:
                result = formula(bare, {"u": max(block.inputs, 1)}, block.system.scope)
            except UnreadableText as error:
                raise Untranslated(f"the condition {text}: {error.problem}") from None
            condition = result.texts[0]
            for name, value in result.coefficients.items():
                condition = re.sub(rf"\b{name}\b", repr(float(value)), condition)
            conditions[f"case_{k}"] = (
                f"({condition}) != 0" if not re.search(r"[<>=]|and|or|not", condition) else condition
            )
            names |= result.inputs
        name = use.add(If(conditions))
        ends = Ends({k + 1: [] for k in range(block.inputs)})
        for port, element in names.items():
            ends.inputs[element].append(f"{name}.{port}")
        ends.outputs = [f"{name}.case_{k}" for k in range(len(texts))]
        if use.flag("ShowElse", "on"):
            ends.outputs.append(f"{name}.otherwise")
        return ends

    def _switch_case(self, use: Use) -> Ends:
        """Cases by number; the input is truncated there."""
        listed = evaluate(use.text("CaseConditions", "{1}"), use.block.system.scope)
        items = listed if isinstance(listed, list) else [listed]
        cases = {f"case_{k}": [int(v) for v in np.asarray(item).ravel()] for k, item in enumerate(items)}
        name = use.add(SwitchCase(cases))
        truncated = use.add(Expression("floor(u) if u >= 0 else ceil(u)"), "number")
        use.wire(f"{truncated}.y", f"{name}.u")
        outputs = [f"{name}.{case}" for case in cases]
        if use.flag("ShowDefaultCase", "on"):
            outputs.append(f"{name}.otherwise")
        return Ends({1: [f"{truncated}.u"]}, outputs)

    # wires

    def _connect(self, system: System, block: SimulinkBlock, port: int | str, wire: Wire) -> None:
        """Wire one input."""
        ends = self._ends.get(block)
        if block.kind == "Goto" or ends is None:
            return
        if port == "enable" and "enable" not in ends.inputs and "ifaction" in ends.inputs:
            port = "ifaction"
        readers = ends.inputs.get(port, [])
        if not readers:
            return
        signal = self._signal(system, wire)
        if signal is None:
            return
        diagram = self._diagrams[system]
        signal = self._flat(system, block, port, signal)
        if port in ("enable", "trigger") and not _logical(wire.block):
            signal = self._positive(diagram, block, signal, str(port))
        for reader in readers:
            diagram.connect(signal, reader)

    def _flat(self, system: System, block: SimulinkBlock, port: int | str, signal: str) -> str:
        """A bus as a vector, for blocks that read one."""
        driver = self.tracer.driver(block, port)
        if driver is None or takes_bus(block) or not isinstance(driver.port, int):
            return signal
        sizes = self.sizes.known.get(driver.block, [])
        size = sizes[driver.port - 1] if driver.port <= len(sizes) else None
        if not isinstance(size, dict):
            return signal
        diagram = self._diagrams[system]
        name = self.unused(f"{block.name}_vector", diagram)
        diagram.add(name, Reshape(list(elements(size))))
        diagram.connect(signal, f"{name}.u")
        return f"{name}.y"

    def _positive(self, diagram: Diagram, block: SimulinkBlock, signal: str, port: str) -> str:
        """A control signal, which is true above 0 there and above 0.5 here."""
        inner = block.inner
        if (
            inner
            and port == "trigger"
            and inner.of_kind("TriggerPort")[0].fields.get("TriggerType") == "function-call"
        ):
            return signal
        name = self.unused(f"{block.name}_{port}", diagram)
        diagram.add(name, Compare(">", value=0.0))
        diagram.connect(signal, f"{name}.u")
        return f"{name}.y"

    def _signal(self, system: System, wire: Wire, guard: int = 0) -> str | None:
        """The signal of a wire in a diagram, through tags, which pass the borders of subsystems."""
        block = wire.block
        if block.kind == "From" and guard < 100:
            goto = self.tracer.goto(block)
            source = goto.system.sources.get((goto, 1)) if goto else None
            if goto is None or source is None:
                return None
            if goto.system is system:
                return self._signal(system, source, guard + 1)
            return self._pass(goto, source, system)
        if block.kind == "InportShadow":
            twin = system.port("Inport", int(block.fields.get("Port") or "1"))
            return self._ends[twin].outputs[0] if twin in self._ends else None
        ends = self._ends.get(block)
        if ends is None or not isinstance(wire.port, int) or wire.port > len(ends.outputs):
            return None
        return ends.outputs[wire.port - 1] or None

    def _pass(self, goto: SimulinkBlock, source: Wire, system: System) -> str | None:
        """A signal of another system: ports are added to the subsystems between them."""
        if (system, goto) in self._passed:
            return self._passed[system, goto]
        tag = goto.fields.get("GotoTag", "A")
        around = _around(system)
        signal, origin = self._signal(goto.system, source), goto.system
        while signal is not None and origin not in around and origin.parent is not None:
            signal = self._lead_out(origin, signal, tag)
            origin = origin.parent
        for inner in reversed(around[: around.index(origin)]):
            if signal is None:
                return None
            if (inner, goto) not in self._passed:
                self._passed[inner, goto] = self._lead_in(inner, signal, tag)
            signal = self._passed[inner, goto]
        return signal

    def _lead_out(self, system: System, signal: str, tag: str) -> str:
        """The signal as an output of its subsystem."""
        diagram = self._diagrams[system]
        name = self.unused(tag, diagram)
        diagram.add(name, Outport())
        diagram.connect(signal, f"{name}.u")
        return f"{self._names[system]}.{name}"

    def _lead_in(self, system: System, signal: str, tag: str) -> str:
        """The signal as an input of a subsystem."""
        diagram = self._diagrams[system]
        name = self.unused(tag, diagram)
        diagram.add(name, Inport())
        assert system.parent is not None
        self._diagrams[system.parent].connect(signal, f"{self._names[system]}.{name}")
        return f"{name}.y"

    def _connect_unwired(self, system: System, diagram: Diagram) -> None:
        """Inputs without a line are 0 there."""
        for block in system.blocks:
            ends = self._ends.get(block)
            if ends is None or block.kind in ("EnablePort", "TriggerPort", "ActionPort"):
                continue
            for port, readers in ends.inputs.items():
                open_ports = [r for r in readers if (block, port) not in system.sources]
                if not open_ports:
                    continue
                name = self.unused(f"{block.name}_ground", diagram)
                diagram.add(name, Constant(0.0))
                for reader in open_ports:
                    diagram.connect(f"{name}.y", reader)


def kind_of(block: SimulinkBlock) -> str:
    """Type of a block: for blocks of libraries their name there."""
    if block.fields.get("SFBlockType") == "MATLAB Function":
        return "MATLAB Function"
    if block.inner is not None:
        if any(
            b.kind == "S-Function" and b.fields.get("FunctionName", "").startswith("sf_sfun")
            for b in block.inner.blocks
        ):
            return "MATLAB Function"
        return "SubSystem"
    if "/" not in block.kind:
        return block.kind
    if block.kind.startswith("simulink_need_slupdate/"):
        return block.kind
    if block.kind.startswith("roblocks/"):
        return "roblocks/" + block.kind.rpartition("/")[2].strip()
    return block.kind.rpartition("/")[2].strip()


def _shown_kind(block: SimulinkBlock) -> str:
    return f"the block {block.kind}" if block.kind else "this block"


def _is_inside_function(block: SimulinkBlock) -> bool:
    return any(s.owner is not None and kind_of(s.owner) == "MATLAB Function" for s in _around(block.system))


def _around(system: System | None) -> list[System]:
    result = []
    while system is not None:
        result.append(system)
        system = system.parent
    return result


def _remedy(block: SimulinkBlock) -> str:
    if block.inputs and block.outputs:
        return f'give a function: --replace "{block.path}=FILE.py:FUNCTION"'
    return ""


def _refuse_types(block: SimulinkBlock) -> None:
    """Refuse integer, fixed-point and single arithmetic. Raises Untranslated."""
    if block.kind == "DataTypeConversion":
        return
    for name in ("OutDataTypeStr", "OutputDataTypeStr", "DataType"):
        text = block.fields.get(name, "")
        if re.match(r"u?int\d+|fixdt|single|half|sfix|ufix", text):
            raise Untranslated(f"the data type {text}: every signal here is a double")


def _logical(block: SimulinkBlock) -> bool:
    return kind_of(block) in (
        "Logic", "RelationalOperator", "Compare To Constant", "Compare To Zero", "If", "SwitchCase",
        "Interval Test",
    )  # fmt: skip


def _unique(obstacles: list[Obstacle]) -> list[Obstacle]:
    return list(dict.fromkeys(obstacles))
