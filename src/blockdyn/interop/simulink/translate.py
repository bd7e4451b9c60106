"""Translate a Simulink model into a Diagram, system by system, or list all obstacles."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ...base.errors import BlockdynError
from ...blocks.contract.block import Block
from ...blocks.contract.errors import BlockError, ParameterError
from ...blocks.logic.compare import Compare
from ...blocks.mathematics.sum_of_elements import SumOfElements
from ...blocks.routing.inport import Inport
from ...blocks.routing.outport import Outport
from ...blocks.routing.reshape import Reshape
from ...blocks.sources.constant import Constant
from ...diagrams.model.diagram import Diagram
from ...diagrams.model.subsystem import Subsystem
from .discrete import DISCRETE
from .dynamics import DYNAMICS
from .mathematics import MATHEMATICS, matlab_function
from .matlab import UnreadableText, evaluate
from .model import Model, SimulinkBlock, System, Tracer, Wire, around, kind_of, port_number
from .rates import FIXED, Rates, set_simulation
from .refusals import make_counterpart, ports_without_counterpart, refuse_parameters, remedy_for
from .routing import ROUTING
from .sizes import Sizes, elements, takes_bus
from .sources import SOURCES
from .subsystems import SUBSYSTEMS, ForEachPorts, check_controls
from .toolbox import TOOLBOX
from .use import (
    CONTINUOUS,
    FOREIGN,
    Ends,
    Maker,
    Obstacle,
    Untranslated,
    UntranslatedModel,
    Use,
    ends_at_zero,
    local_shape,
)

STATELESS = {
    *MATHEMATICS, *ROUTING, *SUBSYSTEMS, "Lookup", "Lookup2D", "Lookup_n-D", "Saturate",
    "Saturation Dynamic", "DeadZone", "Dead Zone Dynamic", "Relay", "Backlash", "Quantizer",
    "Coulomb & Viscous Friction", "Wrap To Zero",
}  # fmt: skip
"""Blocks here without a clock: those with a sample time in the file read held inputs."""
MAKERS: Mapping[str, Maker] = {
    **SOURCES,
    **MATHEMATICS,
    **ROUTING,
    **SUBSYSTEMS,
    **DISCRETE,
    **DYNAMICS,
    **TOOLBOX,
}


@dataclass
class Translation:
    """The diagram of a model, the differences that remain, and the number of its blocks."""

    diagram: Diagram
    differences: tuple[str, ...]
    blocks: int


@dataclass
class Translator:
    """Translates one model; `replacements` are blocks by the path of the Simulink block that they replace."""

    model: Model
    replacements: Mapping[str, Block] = field(default_factory=dict)
    differences: list[str] = field(default_factory=list)
    obstacles: list[Obstacle] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.tracer = Tracer(self.model.root)
        self._records: set[str] = set()
        self._ends: dict[SimulinkBlock, Ends] = {}
        self._diagrams: dict[System, Diagram] = {}
        self._names: dict[System, str] = {}  # of subsystems in their diagrams
        self._passed: dict[tuple[System, SimulinkBlock], str] = {}
        self.sizes, self.rates = Sizes(self), Rates(self)
        self.starts: list[tuple[Diagram, str, str, Callable[[Any], Block]]] = []  # see `begin_at`

    # facts about the model, for makers

    @property
    def stop(self) -> float:
        """End of the run, s."""
        return self.setting("StopTime", 10.0)  # the default there

    @property
    def fixed_step(self) -> float:
        """Step of a fixed-step solver, s; 0 for solvers with variable steps."""
        solver = self.model.document.solver
        name = solver.get("Solver") or solver.get("SolverName") or ""
        if not FIXED.match(name):
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

    @property
    def systems(self) -> list[System]:
        """Systems whose diagrams are built."""
        return list(self._diagrams)

    def ends_of(self, block: SimulinkBlock) -> Ends | None:
        """Ports of the counterpart of a block; None without one."""
        return self._ends.get(block)

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
        """Names of the fields of a Bus Creator: as listed, of its inputs, or signal1, signal2, ..."""
        names: list[str] = []
        listed = re.findall(r"'([^']*)'", block.fields.get("Inputs", ""))
        for k in range(block.inputs):
            wire = block.system.sources.get((block, k + 1))
            name = listed[k] if k < len(listed) else self.signal_name(wire) if wire else ""
            bare = self.identifier(name or f"signal{k + 1}")
            while bare in names:
                bare += "_"
            names.append(bare)
        return names

    def signal_name(self, wire: Wire, guard: int = 0) -> str:
        """The name of a signal, found through ports and tags."""
        if wire.name or guard > 50:
            return wire.name
        block = wire.block
        if block.inner is not None and block.is_subsystem and isinstance(wire.port, int):
            inner = block.inner.port("Outport", wire.port)
            source = inner.system.sources.get((inner, 1)) if inner else None
        elif block.kind == "Inport" and block.system.owner is not None:
            owner = block.system.owner
            source = owner.system.sources.get((owner, port_number(block)))
        elif block.kind == "From":
            goto = self.tracer.goto(block)
            source = goto.system.sources.get((goto, 1)) if goto else None
        elif block.kind == "BusSelector" and isinstance(wire.port, int):
            fields = [f.strip() for f in block.fields.get("OutputSignals", "").split(",")]
            return fields[wire.port - 1].rpartition(".")[2] if wire.port <= len(fields) else ""
        else:
            return ""
        return self.signal_name(source, guard + 1) if source else ""

    # building

    def use(self, block: SimulinkBlock, diagram: Diagram) -> Use:
        """A block for its maker."""
        return Use(block, [], CONTINUOUS, diagram, self)

    def unused(self, name: str, diagram: Diagram) -> str:
        """A name that is valid in paths and not used in the diagram."""
        bare = re.sub(r"\W+", "_", name).strip("_") or "block"
        bare = bare if bare.isidentifier() else f"b_{bare}"
        free, number = bare, 1
        while free in diagram:
            number += 1
            free = f"{bare}_{number}"
        return free

    def translate(self) -> Translation:
        """The diagram of the model. Raises UntranslatedModel with everything that has no counterpart."""
        blocks = list(self.model.root.walk())
        self.sizes.find()
        stem = re.sub(r"\W", "_", self.model.document.path.rpartition("/")[2].rpartition(".")[0]) or "model"
        diagram = self.build(self.model.root, stem if stem.isidentifier() else f"m_{stem}")
        self.obstacles += ports_without_counterpart(self)
        self.obstacles += [
            Obstacle(path, reason, "give the variables with --value NAME=... or --values FILE.m")
            for path, reason in self.model.workspace.contradictions
        ]
        if self.obstacles:
            raise UntranslatedModel(self.model.document.path, [*dict.fromkeys(self.obstacles)], len(blocks))
        for system in self.systems:
            for (block, port), wire in system.sources.items():
                self._connect(system, block, port, wire)
            self._connect_unwired(system, self._diagrams[system])
        set_simulation(self, diagram)
        self._set_starts(diagram)
        diagram.doc = " ".join(self.model.root.notes)[:2000]
        return Translation(diagram, tuple(dict.fromkeys(self.differences)), len(blocks))

    def _set_starts(self, diagram: Diagram) -> None:
        """Set the initial values of blocks to the values of their inputs at the start of the run."""
        if not self.starts:
            return
        prefixes = {id(inner): self._prefix(system) for system, inner in self._diagrams.items()}
        signals = []
        for inner, _, reader, _ in self.starts:
            ends = {f"{w.destination.block}.{w.destination.port}": w.source for w in inner.wires}
            end = ends.get(reader)
            signals.append(f"{prefixes[id(inner)]}{end.block}.{end.port}" if end else "")
        begin = float(diagram.simulation.get("start", 0.0))
        several = len({name for _, name, _, _ in self.starts}) > 1
        before: list[Any] = []
        for _ in range(5 if several else 1):  # a block's value may depend on other blocks'
            try:
                run = diagram.simulate(start=begin, stop=begin + 1e-9, log=[s for s in signals if s])
            except BlockdynError as error:
                places = ", ".join(name for _, name, _, _ in self.starts)
                reason = str(error).splitlines()[0]
                self.differences.append(f"{places} do not begin at their inputs: {reason}")
                return
            values = [np.asarray(run[signal].values[0]).tolist() if signal else None for signal in signals]
            for (inner, name, _, make), value in zip(self.starts, values, strict=True):
                if value is not None:
                    inner._blocks[name] = make(value)
            if values == before:
                return
            before = values

    def _prefix(self, system: System) -> str:
        """Path of a subsystem, with its slash."""
        names = [self._names[inner] for inner in reversed(around(system)) if inner.parent is not None]
        return "".join(f"{name}/" for name in names)

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
        """True if an upstream block is an obstacle, or is hidden by one."""
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
        if block.fields.get("Commented", "off") == "on":
            return None
        if block in block.system.physical:
            raise Untranslated("physical connections (Simscape)")
        refuse_parameters(use)
        kind = kind_of(block)
        if kind == "MATLAB Function":
            return make_counterpart(matlab_function, use)
        if block.is_subsystem:
            return self._subsystem(use)
        if kind in ("From", "Goto", "InportShadow", "FunctionCallSplit"):
            if kind == "From" and self.tracer.goto(block) is None:
                raise Untranslated(f"no Goto has the tag {block.fields.get('GotoTag', 'A')}")
            return None
        if kind == "Inport" and block.system.owner is not None:
            name = use.add(Inport(number=port_number(block) - 1))
            return Ends({}, [f"{name}.y"])
        maker = MAKERS.get(kind)
        if maker is None:
            reason = FOREIGN.get(kind, f"no counterpart of the block {block.kind}")
            raise Untranslated(reason, remedy_for(block))
        use.rate = self.rates.of(block)
        ends = make_counterpart(maker, use)
        return use.sample(ends) if kind in STATELESS else ends

    def _subsystem(self, use: Use) -> Ends:
        """A subsystem with its ports."""
        block = use.block
        assert block.inner is not None
        for kind in ("ForIterator", "WhileIterator", "ResetPort"):
            if block.inner.of_kind(kind):
                raise Untranslated(FOREIGN.get(kind, "a resettable subsystem"))
        check_controls(use)
        each = ForEachPorts(use) if block.inner.repeated else None
        diagram = self.build(block.inner, self.unused(block.name, Diagram()))
        if not diagram.blocks:
            return Ends()
        name = self._names[block.inner] = use.add(Subsystem(diagram))
        ends = Ends()
        for inner in block.inner.blocks:
            part = self._ends.get(inner)
            if part is None:
                continue
            number = port_number(inner) if inner.kind in ("Inport", "Outport") else 0
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
        return ends if each is None else each.ends(ends, diagram)

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
        diagram = self._diagrams[system]
        if signal is None:
            if isinstance(port, int):
                self._ground(block, readers, diagram)
            return
        signal = self._flat(system, block, port, signal)
        driver = self.tracer.origin(wire)
        size = self.sizes.of(driver) if driver is not None and port == "enable" else ()
        vector = isinstance(size, tuple) and bool(local_shape(size))
        if port in ("enable", "trigger") and (vector or not _logical(wire.block)):
            signal = self._positive(diagram, block, signal, str(port), wire)
        if port == "enable" and vector:  # any of its elements
            signal = self._any(diagram, block, signal)
        for reader in readers:
            diagram.connect(signal, reader)

    def _flat(self, system: System, block: SimulinkBlock, port: int | str, signal: str) -> str:
        """A bus as a vector, for blocks that read one."""
        driver = self.tracer.driver(block, port)
        if driver is None or takes_bus(block) or not isinstance(driver.port, int):
            return signal
        sizes = self.sizes.outputs.get(driver.block, [])
        size = sizes[driver.port - 1] if driver.port <= len(sizes) else None
        if not isinstance(size, dict):
            return signal
        diagram = self._diagrams[system]
        name = self.unused(f"{block.name}_vector", diagram)
        diagram.add(name, Reshape(list(elements(size))))
        diagram.connect(signal, f"{name}.u")
        return f"{name}.y"

    def _positive(self, diagram: Diagram, block: SimulinkBlock, signal: str, port: str, wire: Wire) -> str:
        """A control signal, true above 0 in Simulink and above 0.5 here; a rise to 0 is an edge too."""
        inner = block.inner
        if (
            inner
            and port == "trigger"
            and inner.of_kind("TriggerPort")[0].fields.get("TriggerType") == "function-call"
        ):
            return signal
        name = self.unused(f"{block.name}_{port}", diagram)
        source = self.tracer.origin(wire)
        below = port == "trigger" and source is not None and ends_at_zero(self.use(source.block, diagram))
        diagram.add(name, Compare(">=" if below else ">", value=0.0))
        diagram.connect(signal, f"{name}.u")
        return f"{name}.y"

    def _any(self, diagram: Diagram, block: SimulinkBlock, signal: str) -> str:
        """True if an element of a vector of logical values is true."""
        for part in (SumOfElements(), Compare(">", value=0.5)):
            name = self.unused(f"{block.name}_any", diagram)
            diagram.add(name, part)
            diagram.connect(signal, f"{name}.{part.input_ports()[0].name}")
            signal = f"{name}.{part.output_ports()[0].name}"
        return signal

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
        if block.kind == "FunctionCallSplit":
            source = block.system.sources.get((block, 1))
            return self._signal(system, source, guard + 1) if source is not None and guard < 100 else None
        if block.kind == "InportShadow":
            twin = system.port("Inport", port_number(block))
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
        chain = around(system)
        signal, origin = self._signal(goto.system, source), goto.system
        while signal is not None and origin not in chain and origin.parent is not None:
            signal = self._lead_out(origin, signal, tag)
            origin = origin.parent
        for inner in reversed(chain[: chain.index(origin)]):
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
        """Connect inputs without a line to 0, as in Simulink."""
        for block in system.blocks:
            ends = self._ends.get(block)
            if ends is None or block.kind in ("EnablePort", "TriggerPort", "ActionPort"):
                continue
            for port, readers in ends.inputs.items():
                if readers and (block, port) not in system.sources:
                    self._ground(block, readers, diagram)

    def _ground(self, block: SimulinkBlock, readers: list[str], diagram: Diagram) -> None:
        """Let inputs be 0."""
        name = self.unused(f"{block.name}_ground", diagram)
        diagram.add(name, Constant(0.0))
        for reader in readers:
            diagram.connect(f"{name}.y", reader)


def _logical(block: SimulinkBlock) -> bool:
    return kind_of(block) in (
        "Logic", "RelationalOperator", "Compare To Constant", "Compare To Zero", "If", "SwitchCase",
        "Interval Test",
    )  # fmt: skip
