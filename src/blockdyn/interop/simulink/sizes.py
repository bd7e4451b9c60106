"""Find sizes and sample times of the signals of a Simulink model, which blocks inherit from one another."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ...diagrams.model.diagram import Diagram
from .mathematics import signs_of
from .matlab import UnreadableText, formula
from .model import SimulinkBlock, System, kind_of
from .routing import demux_counts
from .use import CONSTANT, CONTINUOUS, Rate, Shape, Untranslated, Use, broadcast, local_shape, shape_of

if TYPE_CHECKING:
    from .translate import Translator

Fields = dict[str, Any]
"""Sizes of the fields of a bus."""
Rule = Callable[[Use], "list[Any]"]


class Sizes:
    """Sizes of outputs, by block; a size that is not known yet is None."""

    def __init__(self, translator: Translator) -> None:
        self.translator = translator
        self.outputs: dict[SimulinkBlock, list[Any]] = {}
        self.doubtful: set[SimulinkBlock] = set()  # blocks whose sizes an obstacle hides

    def inputs(self, block: SimulinkBlock) -> list[Any]:
        """Sizes of the inputs of a block."""
        result: list[Any] = []
        for k in range(block.inputs):
            wire = self.translator.tracer.driver(block, k + 1)
            if wire is None:
                result.append(() if block.system.sources.get((block, k + 1)) is None else None)
                continue
            sizes = self.outputs.get(wire.block, [])
            size = sizes[wire.port - 1] if isinstance(wire.port, int) and wire.port <= len(sizes) else None
            result.append(elements(size) if isinstance(size, dict) and not takes_bus(block) else size)
        return result

    def find(self) -> None:
        """Go through all blocks until nothing changes; what loops leave open is a scalar, states first."""
        blocks = [b for b in self.translator.model.root.walk() if not b.is_subsystem]
        settled = False
        while not settled:
            settled = True
            for _ in range(len(blocks) + 1):
                if not self._pass(blocks):
                    break
            for kinds in (STATEFUL, None):
                open_block = next(
                    (
                        b
                        for b in blocks
                        if (kinds is None or b.kind in kinds) and None in self.outputs.get(b, [None])
                    ),
                    None,
                )
                if open_block is not None:
                    self._guess(open_block)
                    settled = False
                    break

    def _pass(self, blocks: list[SimulinkBlock]) -> bool:
        changed = False
        for block in blocks:
            before = self.outputs.get(block)
            if before is not None and None not in before:
                continue
            after = self._outputs(block, self.inputs(block))
            if after != before:
                self.outputs[block], changed = after, True
        return changed

    def _guess(self, block: SimulinkBlock) -> None:
        inputs = [() if size is None else size for size in self.inputs(block)]
        after = self._outputs(block, inputs)
        self.outputs[block] = [() if size is None else size for size in after] or []

    def _outputs(self, block: SimulinkBlock, inputs: list[Any]) -> list[Any]:
        tracer = self.translator.tracer
        drivers = (tracer.driver(block, k + 1) for k in range(block.inputs))
        if any(wire is not None and wire.block in self.doubtful for wire in drivers):
            self.doubtful.add(block)
        use = Use(block, inputs, CONTINUOUS, None, self.translator)  # type: ignore[arg-type]
        count = max(block.outputs, 0)
        kind = kind_of(block)
        try:
            rule = RULES.get(kind)
            if kind.startswith("roblocks/"):
                from .toolbox import SHAPES

                rule = SHAPES.get(kind, rule)
            if rule is not None:
                result = rule(use)
            elif any(isinstance(size, dict) for size in inputs):
                result = [next(size for size in inputs if isinstance(size, dict))]
            else:
                sizes = [*inputs]
                for name in PARAMETERS.get(block.kind, ()):
                    if name in block.fields:
                        sizes.append(shape_of(use.array(name)))
                result = [broadcast(sizes)]
        except (Untranslated, UnreadableText, KeyError, ValueError, IndexError, TypeError):
            self.doubtful.add(block)
            result = [()] * count
        return (result + [result[-1] if result else ()] * count)[:count]


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
            wires = (self.translator.tracer.driver(block, k + 1) for k in range(block.inputs))
            self._drivers[block] = [wire.block for wire in wires if wire is not None]
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

    def _find_rate(self, block: SimulinkBlock) -> Rate | None:
        """Sample time of a block as far as those of its inputs are found."""
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
        """The sample time that a block itself gives; None if it inherits it."""
        names = ("SampleTime", "tsamp", "Ts", "samptime", "OutPortSampleTime")
        name = next((n for n in names if n in block.fields), "")
        text = block.fields.get(name, "").strip()
        if block.kind == "DiscretePulseGenerator" and block.fields.get("PulseType", "Time") == "Time based":
            return None
        if not text or text in ("-1", "[-1]", "auto"):
            return None
        values = [float(v) for v in self.translator.use(block, Diagram()).vector(name)]
        if values[0] == -1:
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


UNCLOCKED = (
    "Integrator", "SecondOrderIntegrator", "TransferFcn", "StateSpace", "ZeroPole", "TransportDelay",
    "VariableTransportDelay", "Derivative", "PID Controller", "PID 1dof",
)  # fmt: skip
"""Blocks that work in continuous time, whatever they read."""


def takes_bus(block: SimulinkBlock) -> bool:
    """True for blocks that pass buses on; others read a bus as a vector."""
    return block.kind in BUSES or block.is_subsystem


def elements(fields: Fields) -> Shape:
    """Size of a bus as a vector."""
    count = _elements(fields)
    return () if count == 1 else (count,)


BUSES = (
    "BusCreator", "BusSelector", "Switch", "MultiPortSwitch", "Merge", "UnitDelay", "ZeroOrderHold", "Memory",
    "Delay", "Outport", "Goto", "From", "Inport", "Terminator", "Scope", "ToWorkspace", "SignalConversion",
    "SignalSpecification", "RateTransition",
)  # fmt: skip


STATEFUL = (
    "Integrator", "UnitDelay", "Delay", "DiscreteIntegrator", "TransportDelay", "Memory", "RateLimiter",
    "ZeroOrderHold", "SecondOrderIntegrator", "DiscreteFilter",
)  # fmt: skip
PARAMETERS = {
    "Integrator": ("InitialCondition",), "UnitDelay": ("InitialCondition", "X0"), "Memory": ("X0",
    "InitialCondition"),
    "DiscreteIntegrator": ("InitialCondition",), "Constant": ("Value",), "Step": ("Time", "Before", "After"),
    "Sin": ("Amplitude", "Bias", "Frequency", "Phase"), "Saturate": ("UpperLimit", "LowerLimit"),
    "Bias": ("Bias",), "DiscretePulseGenerator": ("Amplitude",), "Relay": ("OnSwitchValue", "OnOutputValue"),
    "RandomNumber": ("Mean", "Variance"), "UniformRandomNumber": ("Minimum", "Maximum"),
    "DeadZone": ("LowerValue",),
    "TransportDelay": ("InitialOutput",), "Backlash": ("BacklashWidth",), "SecondOrderIntegrator": ("ICX",),
}  # fmt: skip
"""Parameters whose size a block's output has, if it is not a number."""


def _constant(use: Use) -> list[Any]:
    return [shape_of(use.array("Value", "1"), flat=use.flag("VectorParams1D", "on"))]


def _gain(use: Use) -> list[Any]:
    k, u = use.array("Gain", "1"), use.shapes[0]
    if use.text("Multiplication", "Element").startswith("Element") or k.size == 1:
        return [broadcast([u, shape_of(k)])]
    if u is None:
        return [None]
    if use.text("Multiplication").startswith("Matrix(u*K)"):
        rows = u[0] if len(u) == 2 else 1
        return [_vector((rows, k.shape[1]))]
    if not u:
        return [shape_of(k)]
    return [_vector((k.shape[0], u[1] if len(u) == 2 else 1))]


def _vector(shape: Shape) -> Shape:
    return () if math.prod(shape) == 1 else (math.prod(shape),) if 1 in shape else shape


def _product(use: Use) -> list[Any]:
    signs = signs_of(use.text("Inputs", "2"), "*", "/")
    if not use.text("Multiplication", "Element").startswith("Matrix"):
        return [broadcast(use.shapes)] if len(signs) > 1 else [()]
    size: Any = use.shapes[0]
    for other in use.shapes[1:]:
        if size is None or other is None:
            return [None]
        if math.prod(size) == 1 or math.prod(other) == 1:
            size = other if math.prod(size) == 1 else size
            continue
        b = other if len(other) == 2 else (other[0], 1)
        a = size if len(size) == 2 else ((size[0], 1) if b[0] == 1 else (1, size[0]))
        size = (a[0],) if len(other) == 1 and a[0] > 1 else (a[0], b[1])
        size = () if math.prod(size) == 1 else size
    return [size]


def _total(use: Use) -> list[Any]:
    signs = signs_of(use.text("Inputs", "++"), "+", "-")
    return [()] if len(signs) == 1 else [broadcast(use.shapes)]


def _stack(use: Use) -> list[Any]:
    if None in use.shapes:
        return [None]
    if any(isinstance(size, dict) for size in use.shapes):
        return [(sum(_elements(size) for size in use.shapes),)]
    return [_vector((sum(math.prod(s) for s in use.shapes if s is not None), 1))]


def _elements(size: Any) -> int:
    return sum(_elements(s) for s in size.values()) if isinstance(size, dict) else math.prod(size)


def _concatenate(use: Use) -> list[Any]:
    if use.text("Mode", "Vector") == "Vector" or None in use.shapes:
        return _stack(use)
    shapes = [s if s is not None and len(s) == 2 else (1, math.prod(s or ())) for s in use.shapes]
    along = int(use.number("ConcatenateDimension", "1"))
    if along == 1:
        return [(sum(s[0] for s in shapes), shapes[0][1])]
    columns = [s if s is not None and len(s) == 2 else (math.prod(s or ()), 1) for s in use.shapes]
    return [(columns[0][0], sum(s[1] for s in columns))]


def _demux(use: Use) -> list[Any]:
    if use.shapes[0] is None:
        return [None] * use.block.outputs
    return [() if n == 1 else (n,) for n in demux_counts(use)]


def _selector(use: Use) -> list[Any]:
    from .routing import selector

    if use.shapes[0] is None:
        return [None]
    trial = Use(use.block, use.shapes, CONTINUOUS, Diagram(), use.translator)
    name = selector(trial).outputs[0].partition(".")[0]
    block: Any = trial.diagram.blocks[name]
    if block.kind() != "Selector":
        return [use.shapes[0]]
    if block.indices is not None:
        return [shape_of(np.zeros(np.size(block.indices)))]
    shape = local_shape(use.shapes[0])
    rows = shape[0] if block.rows is None else np.size(block.rows)
    columns = shape[-1] if block.columns is None else np.size(block.columns)
    return [_vector((rows, columns))]


def _reshape(use: Use) -> list[Any]:
    if use.text("OutputDimensionality", "1-D array").startswith("Custom"):
        dimensions = tuple(int(v) for v in use.vector("OutputDimensions", "[1,1]"))
        return [dimensions if math.prod(dimensions) > 1 else ()]
    u = use.shapes[0]
    if u is None:
        return [None]
    n = math.prod(u)
    kind = use.text("OutputDimensionality", "1-D array")
    return [() if n == 1 else (n, 1) if "olumn" in kind else (1, n) if "ow" in kind else (n,)]


def _transpose(use: Use) -> list[Any]:
    u = use.shapes[0]
    return [None if u is None else (u[1], u[0]) if len(u) == 2 else (1, u[0]) if len(u) == 1 else ()]


def _math(use: Use) -> list[Any]:
    if use.text("Operator", "exp") in ("transpose", "hermitian"):
        return _transpose(use)
    return [broadcast(use.shapes)]


def _scalar(use: Use) -> list[Any]:
    return [()] * max(use.block.outputs, 1)


def _min_max(use: Use) -> list[Any]:
    return [broadcast(use.shapes)] if len(use.shapes) > 1 else [()]


def _logic(use: Use) -> list[Any]:
    several = len(use.shapes) > 1 or use.text("Operator", "AND") == "NOT"
    return [broadcast(use.shapes)] if several else [()]


def _switch(use: Use) -> list[Any]:
    bus = next((s for s in use.shapes if isinstance(s, dict)), None)
    return [bus if bus is not None else broadcast(use.shapes)]


def _multiport(use: Use) -> list[Any]:
    return [broadcast(use.shapes[1:])]


def _transfer(use: Use) -> list[Any]:
    num, den = use.array("Numerator", "[1]"), use.vector("Denominator", "[1 1]")
    return [(num.shape[0],)] if num.ndim == 2 and num.shape[0] > 1 and num.shape[1] > 1 and den else [()]


def _state_space(use: Use) -> list[Any]:
    return [_vector((np.atleast_2d(use.array("C", "1")).shape[0], 1))]


def _bus(use: Use) -> list[Any]:
    if None in use.shapes:
        return [None]
    return [dict(zip(use.translator.field_names(use.block), use.shapes, strict=False))]


def _bus_selector(use: Use) -> list[Any]:
    bus = use.shapes[0]
    if bus is None:
        return [None] * use.block.outputs
    names = [f.strip() for f in use.text("OutputSignals", "").split(",") if f.strip()]
    result = []
    for name in names:
        size: Any = bus
        for part in name.split("."):
            size = size[use.translator.identifier(part)] if isinstance(size, dict) else ()
        result.append(size)
    if (use.flag("OutputAsBus") or use.flag("MuxedOutput")) and len(result) > 1:
        return [
            {use.translator.identifier(n.rpartition(".")[2]): s for n, s in zip(names, result, strict=True)}
        ]
    return result


def _matlab_expression(use: Use) -> list[Any]:
    """By its dimensions if they are given, else of the formula."""
    listed = use.text("OutputDimensions", "-1")
    if listed not in ("-1", "[-1]", ""):
        sizes: Shape = tuple(int(v) for v in use.vector("OutputDimensions"))
        return [() if math.prod(sizes) == 1 else sizes]
    u = use.shapes[0]
    if u is None:
        return [None]
    text = use.text("MATLABFcn", "sin").rstrip(";").strip()
    if text in ("inv", "pinv", "inv(u)", "pinv(u)"):
        return [u if len(u) < 2 else (u[1], u[0])]
    if text in ("norm", "det", "norm(u)", "det(u)"):
        return [()]
    width: Any = u if len(u) == 2 else math.prod(u)
    name = f"{text}(u)" if text.isidentifier() and text != "u" else text
    result = formula(name, {"u": width}, use.block.system.scope)
    return [_vector(result.shape) if len(result.shape) == 2 else result.shape]


def _function_sizes(use: Use) -> list[Any]:
    from .toolbox import matlab_results

    if None in use.shapes:
        return [None] * use.block.outputs
    return [_vector(r.shape) if len(r.shape) == 2 else r.shape for r in matlab_results(use)]


def _workspace(use: Use) -> list[Any]:
    value = use.value("VariableName", "simin")
    if isinstance(value, dict):
        values = np.asarray(value["signals"]["values"], float)
        return [_vector((1, values.shape[1] if values.ndim > 1 else 1))]
    return [_vector((1, value.shape[1] - 1))]


def _second_order(use: Use) -> list[Any]:
    return [broadcast([*use.shapes[:1], shape_of(use.array("ICX", "0"))])] * use.block.outputs


RULES: dict[str, Rule] = {
    "Constant": _constant, "Gain": _gain, "Product": _product, "Sum": _total, "Mux": _stack,
    "Concatenate": _concatenate, "Demux": _demux, "Selector": _selector, "Reshape": _reshape,
    "PermuteDimensions": _transpose, "Math": _math, "MinMax": _min_max, "Logic": _logic, "Switch": _switch,
    "MultiPortSwitch": _multiport, "TransferFcn": _transfer, "StateSpace": _state_space,
    "DiscreteStateSpace": _state_space, "BusCreator": _bus, "BusSelector": _bus_selector,
    "MATLABFcn": _matlab_expression, "MATLAB Function": _function_sizes, "FromWorkspace": _workspace,
    "SecondOrderIntegrator": _second_order,
    **dict.fromkeys((
        "DotProduct", "Fcn", "Clock", "DigitalClock", "Ground", "Ramp", "SignalGenerator", "ZeroPole", "If",
        "SwitchCase", "Lookup2D", "Width", "Repeating Sequence", "Repeating Sequence Stair", "Chirp Signal",
        "EnablePort", "TriggerPort", "ActionPort", "DiscreteZeroPole", "Determinant of 3x3 Matrix", "From",
    ), _scalar),
}  # fmt: skip
