"""Find sample times of the blocks of a Simulink model, which inherit them, and the settings of its run."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Any

from ...diagrams.model.diagram import Diagram
from .model import SimulinkBlock, System, Wire, kind_of, port_number
from .use import CONSTANT, CONTINUOUS, Rate, Untranslated

if TYPE_CHECKING:
    from .translate import Translator


class Rates:
    """Sample times of blocks: their own, or inherited from the signals that they read."""

    def __init__(self, translator: Translator) -> None:
        self.translator = translator
        self._rates: dict[SimulinkBlock, Rate] = {}
        self._drivers: dict[SimulinkBlock, list[SimulinkBlock]] = {}
        self._unread: dict[SimulinkBlock, Untranslated] = {}

    def of(self, block: SimulinkBlock) -> Rate:
        """Sample time of a block: its own, or inherited from its inputs; triggered inside of triggers."""
        if not self._rates:
            self._find()
        if block in self._unread:
            raise self._unread[block]
        return self._rates.get(block, CONTINUOUS)

    def _find(self) -> None:
        """Go through all blocks until nothing changes; a loop without a clock gets one that has no source."""
        blocks = list(self.translator.model.root.walk())
        for block in blocks:
            self._drivers[block] = [wire.block for wire in self._wires(block) if wire is not None]
        waiting = blocks
        while waiting:
            changed = True
            while changed:
                changed = False
                for block in waiting:
                    rate = self._find_rate(block)
                    if rate is not None and rate != self._rates.get(block):
                        self._rates[block], changed = rate, True
            waiting = [block for block in blocks if block not in self._rates]
            if waiting:
                self._rates[waiting[0]] = self._without_source(waiting[0])
                waiting = waiting[1:]

    def _wires(self, block: SimulinkBlock) -> list[Wire | None]:
        """The sources of a block, or of a port of a for-each subsystem outside it."""
        driver, owner = self.translator.tracer.driver, block.system.owner
        if block.kind == "Inport" and owner is not None and block.system.repeated:
            return [driver(owner, port_number(block))]
        if block.is_subsystem and block.inner is not None and block.inner.repeated:
            return [driver(port, 1) for port in block.inner.of_kind("Outport")]
        return [driver(block, k + 1) for k in range(block.inputs)]

    def _find_rate(self, block: SimulinkBlock) -> Rate | None:
        """The sample time of a block, from the sample times of its inputs found so far."""
        system: System | None = block.system
        while system is not None and system.owner is not None:
            if system.of_kind("TriggerPort"):
                return Rate(triggered=True)
            system = system.parent
        try:
            explicit = self.explicit(block)
        except Untranslated as error:
            self._unread[block] = error
            return CONTINUOUS
        if explicit is not None:
            return explicit
        if kind_of(block) in UNCLOCKED and block.fields.get("TimeDomain") != "Discrete-time":
            return CONTINUOUS
        if block.kind == "Memory" and block.fields.get("InheritSampleTime", "off") != "on":
            return CONTINUOUS
        drivers = self._drivers[block]
        rates = [self._rates[d] for d in drivers if self._rates.get(d, CONSTANT) != CONSTANT]
        if not rates:
            if any(d not in self._rates for d in drivers):
                return None
            return CONSTANT if block.kind in ("Constant", "Ground") else self._without_source(block)
        if block.kind == "RateTransition" and CONTINUOUS not in rates:
            return self.of_reader(block) or rates[0]
        return CONTINUOUS if CONTINUOUS in rates else min(rates, key=lambda r: (r.period, r.offset))

    def _without_source(self, block: SimulinkBlock) -> Rate:
        """Sample time of a block that inherits it from nothing: the step of a discrete solver."""
        solver = self.translator.model.document.solver
        discrete = "Discrete" in (solver.get("Solver") or solver.get("SolverName") or "")
        step = self.translator.fixed_step
        return Rate(step) if step and discrete else CONTINUOUS

    def explicit(self, block: SimulinkBlock) -> Rate | None:
        """The sample time that a block, or an atomic subsystem around it, gives; None if it inherits it."""
        rate, system = self.dialog_rate(block), block.system
        while rate is None and system.owner is not None and system.parent is not None:
            if system.owner.fields.get("TreatAsAtomicUnit") == "on":
                rate = self.dialog_rate(system.owner)
            system = system.parent
        return rate

    def dialog_rate(self, block: SimulinkBlock) -> Rate | None:
        """The sample time in the dialog of a block; None if it inherits it."""
        names = ("SystemSampleTime",) if block.is_subsystem else OF_DIALOG
        name = next((n for n in names if n in block.fields), "")
        text = block.fields.get(name, "").strip()
        if block.kind == "DiscretePulseGenerator" and block.fields.get("PulseType", "Time") == "Time based":
            return None
        if not text or text in ("-1", "[-1]", "auto"):
            return None
        values = [float(v) for v in self.translator.use(block, Diagram()).vector(name)]
        if not values or values[0] == -1:
            return None
        if values[0] == 0:
            return CONTINUOUS if len(values) < 2 or values[1] == 0 else None
        return Rate(values[0], values[1] if len(values) > 1 else 0.0)

    def of_inputs(self, block: SimulinkBlock) -> list[Rate]:
        """Sample times of the signals that a block reads."""
        wires = [self.translator.tracer.driver(block, k + 1) for k in range(block.inputs)]
        return [CONSTANT if wire is None else self.of(wire.block) for wire in wires]

    def of_reader(self, block: SimulinkBlock) -> Rate | None:
        """Sample time of the first reader of a block, through blocks that inherit it; None for sinks."""
        seen, waiting = {block}, [block]
        while waiting:
            source = waiting.pop()
            explicit = self.explicit(source)
            if explicit is not None:
                return explicit
            if source is not block and kind_of(source) in UNCLOCKED:
                return CONTINUOUS
            readers = [b for b, drivers in self._drivers.items() if source in drivers and b not in seen]
            seen.update(readers)
            waiting += reversed(readers)
        return None


OF_DIALOG: tuple[str, ...] = ("SampleTime", "tsamp", "Ts", "samptime", "OutPortSampleTime")
"""Names of the parameter of different blocks."""
UNCLOCKED = (
    "Integrator", "SecondOrderIntegrator", "TransferFcn", "StateSpace", "ZeroPole", "TransportDelay",
    "VariableTransportDelay", "Derivative", "PID Controller", "PID 1dof",
)  # fmt: skip
"""Blocks that work in continuous time, whatever they read."""

METHODS = {"ode1": "euler", "ode2": "heun", "ode4": "rk4"}
"""Methods with fixed steps; with variable steps `auto` is as accurate as any, and fast for stiff models."""
FIXED = re.compile(r"FixedStep|ode(1|2|3|4|5|8|14x|1be)$")
"""Names of solvers with fixed steps."""
LOCATED = ("Relay", "Switch", "Signum", "Backlash", "Quantizer", "HitCross", "MinMax", "Stop", "TriggerPort")
"""Blocks whose switching a fixed step does not locate in Simulink."""
DEFAULT_TOLERANCE = 1e-3  # of Simulink: results here keep blockdyn's tighter one


def set_simulation(translator: Translator, diagram: Diagram) -> None:
    """End of the run, method and tolerances."""
    solver, arguments = translator.model.document.solver, dict[str, Any]()
    name = solver.get("Solver") or solver.get("SolverName") or "VariableStepAuto"
    if math.isfinite(translator.stop):
        arguments["stop"] = translator.stop
    else:
        translator.differences.append("the model has no end: give --stop")
    arguments |= {"loops": "solve"} if solver.get("AlgebraicLoopMsg") != "error" else {}
    start, step = translator.setting("StartTime", 0.0), translator.fixed_step
    arguments |= {"start": start} if start else {}
    if name in METHODS and not (
        step or any(translator.rates.of(b).sampled for b in translator.model.root.walk())
    ):
        step = (translator.stop - start) / 50 if math.isfinite(translator.stop) else 0.0  # the rule of `auto`
    if name in METHODS and step:
        arguments |= {"method": METHODS[name], "step": step}
        located = [b.path for b in translator.model.root.walk() if b.kind in LOCATED]
        if located:
            translator.differences.append(
                f"events are located, not seen at the next step: {', '.join(located[:9])}"
            )
    elif FIXED.match(name) and name != "FixedStepDiscrete":
        translator.differences.append(f"{name} without a step or a counterpart: the run has variable steps")
    else:
        arguments |= tolerances(translator)
    diagram.settings(**arguments)
    data = translator.model.document.data
    if data.get("LoadExternalInput") == "on" and translator.model.root.of_kind("Inport"):
        translator.differences.append(f"inputs are 0: {data.get('ExternalInput')} is not read")
    if data.get("LoadInitialState") == "on":
        translator.differences.append(f"initial states: {data.get('InitialState')} is not read")
    if solver.get("ZeroCrossControl") == "DisableAll":
        translator.differences.append("zero crossings are off in the model: here all of them are located")


def tolerances(translator: Translator) -> dict[str, float]:
    """Tolerance and longest step if they are tighter than blockdyn's defaults."""
    rtol, longest = translator.setting("RelTol", DEFAULT_TOLERANCE), translator.setting("MaxStep", math.inf)
    tight = {"rtol": rtol} if rtol < 1e-6 else {}
    return tight | ({"max_step": longest} if 0 < longest < math.inf else {})
