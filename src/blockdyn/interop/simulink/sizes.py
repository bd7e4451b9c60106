"""Find sizes of the signals of a Simulink model, which blocks inherit from one another."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ...base.errors import BlockdynError
from ...diagrams.model.diagram import Diagram
from .mathematics import function_text, matlab_results, signs_of
from .matlab import formula
from .model import SimulinkBlock, Wire, kind_of, port_number
from .routing import demux_counts
from .subsystems import ForEachPorts
from .use import CONTINUOUS, MISTAKES, Shape, Untranslated, Use, as_matrix, broadcast, local_shape, shape_of

if TYPE_CHECKING:
    from .translate import Translator

Fields = dict[str, Any]
"""Sizes of the fields of a bus."""
Rule = Callable[[Use], "list[Any]"]


class Sizes:
    """Sizes of outputs, by block; a size that is not determined yet is None."""

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
            size = self.of(wire)
            result.append(elements(size) if isinstance(size, dict) and not takes_bus(block) else size)
        return result

    def of(self, wire: Wire) -> Any:
        """Size of the signal of a wire; None if it is open."""
        sizes = self.outputs.get(wire.block, [])
        return sizes[wire.port - 1] if isinstance(wire.port, int) and wire.port <= len(sizes) else None

    def find(self) -> None:
        """Go through all blocks until nothing changes; undetermined sizes become scalars, states first."""
        walk = self.translator.model.root.walk()
        blocks = [b for b in walk if not b.is_subsystem or (b.inner is not None and b.inner.repeated)]
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
            if block.is_subsystem:
                rule = _repeated
            elif rule is None:
                from .toolbox import SHAPES

                rule = SHAPES.get(kind)
            if rule is not None:
                result = rule(use)
            elif any(isinstance(size, dict) for size in inputs):
                result = [next(size for size in inputs if isinstance(size, dict))]
            else:
                sizes = [*inputs]
                for name in PARAMETERS.get(kind, ()):
                    if name in block.fields:
                        sizes.append(shape_of(use.array(name)))
                result = [broadcast(sizes)]
        except (Untranslated, BlockdynError, *MISTAKES):
            self.doubtful.add(block)
            result = [()] * count
        return (result + [result[-1] if result else ()] * count)[:count]


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
    "SignalSpecification", "RateTransition", "ManualSwitch",
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
    "DeadZone": ("LowerValue",), "RateLimiter": ("RisingSlewLimit",),
    "SignalGenerator": ("Amplitude",), "Ramp": ("slope",), "Compare To Constant": ("const",),
    "Band-Limited White Noise": ("Cov",), "Quantizer": ("QuantizationInterval",),
    "PID Controller": ("P", "I", "D"), "Discrete PID Controller": ("P", "I", "D"),
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
    shapes = [as_matrix(size) for size in use.shapes]
    if int(use.number("ConcatenateDimension", "1")) == 1:
        return [(sum(s[0] for s in shapes), shapes[0][1])]
    return [(shapes[0][0], sum(s[1] for s in shapes))]


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
    if block.kind() == "Mux":  # copies of a number
        return [(len(block.input_ports()),)]
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


def _permuted(use: Use) -> list[Any]:
    return use.shapes[:1] if use.vector("Order", "[2,1]")[:2] == [1.0, 2.0] else _transpose(use)


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
    """The size from the dimensions of the block, or else from its formula."""
    listed = use.text("OutputDimensions", "-1")
    if listed not in ("-1", "[-1]", ""):
        sizes: Shape = tuple(int(v) for v in use.vector("OutputDimensions"))
        return [() if math.prod(sizes) == 1 else sizes]
    u = use.shapes[0]
    if u is None:
        return [None]
    text = function_text(use)
    if text in ("inv", "pinv", "inv(u)", "pinv(u)"):
        return [u if len(u) < 2 else (u[1], u[0])]
    if text in ("norm", "det", "norm(u)", "det(u)"):
        return [()]
    width: Any = u if len(u) == 2 else math.prod(u)
    name = f"{text}(u)" if text.isidentifier() and text != "u" else text
    result = formula(name, {"u": width}, use.scope)
    return [_vector(result.shape) if len(result.shape) == 2 else result.shape]


def _function_sizes(use: Use) -> list[Any]:
    if None in use.shapes:
        return [None] * use.block.outputs
    return [_vector(r.shape) if len(r.shape) == 2 else r.shape for r in matlab_results(use)]


def _workspace(use: Use) -> list[Any]:
    value = use.value("VariableName", "simin")
    if isinstance(value, dict):
        values = np.asarray(value["signals"]["values"], float)
        return [_vector((1, values.shape[1] if values.ndim > 1 else 1))]
    return [_vector((1, value.shape[1] - 1))]


def _repeated(use: Use) -> list[Any]:
    """Outputs of a for-each subsystem: those of all copies one after another."""
    each = ForEachPorts(use)
    sizes = use.translator.sizes
    inner = [
        port for k in range(use.block.outputs) if (port := each.inner.port("Outport", k + 1)) is not None
    ]
    found = [sizes.inputs(port)[0] for port in inner]
    return [None if each.count is None or s is None else each.joined(k, s) for k, s in enumerate(found)]


def _inport(use: Use) -> list[Any]:
    """The size from the dimensions of a model input; in a for-each subsystem, of the part of one copy."""
    owner = use.block.system.owner
    if owner is not None and use.block.system.repeated:
        outer = use.translator.use(owner, None)  # type: ignore[arg-type]
        outer.shapes = use.translator.sizes.inputs(owner)
        number = port_number(use.block) - 1
        shape = outer.shapes[number]
        return [None if shape is None else ForEachPorts(outer).part(number, shape)]
    size = tuple(int(v) for v in use.vector("PortDimensions", "-1"))
    return [() if size == (-1,) or math.prod(size) == 1 else size]


def _pseudo_inverse(use: Use) -> list[Any]:
    u = use.shapes[0]
    return [None if u is None else (u[1], u[0]) if len(u) == 2 else u]


def _diagonal(use: Use) -> list[Any]:
    u = use.shapes[0]
    if u is None:
        return [None]
    n = math.prod(u) if "Create" in use.block.kind else min(u, default=1)
    return [() if n == 1 else (n, n) if "Create" in use.block.kind else (n,)]


def _taps(use: Use) -> list[Any]:
    count = int(use.number("NumDelays", "4")) + use.flag("includeCurrent")
    return [() if count == 1 else (count,)]


def _second_order(use: Use) -> list[Any]:
    return [broadcast([*use.shapes[:1], shape_of(use.array("ICX", "0"))])] * use.block.outputs


RULES: dict[str, Rule] = {
    "Constant": _constant, "Gain": _gain, "Product": _product, "Sum": _total, "Mux": _stack,
    "Concatenate": _concatenate, "Demux": _demux, "Selector": _selector, "Reshape": _reshape,
    "PermuteDimensions": _permuted, "Math": _math, "MinMax": _min_max, "Logic": _logic, "Switch": _switch,
    "MultiPortSwitch": _multiport, "TransferFcn": _transfer, "StateSpace": _state_space,
    "DiscreteStateSpace": _state_space, "BusCreator": _bus, "BusSelector": _bus_selector,
    "MATLABFcn": _matlab_expression, "MATLAB Function": _function_sizes, "FromWorkspace": _workspace,
    "SecondOrderIntegrator": _second_order, "Inport": _inport, "Pseudoinverse": _pseudo_inverse,
    "Create Diagonal Matrix": _diagonal, "Extract Diagonal": _diagonal, "Tapped Delay": _taps,
    **dict.fromkeys((
        "DotProduct", "Fcn", "Clock", "DigitalClock", "Ground", "ZeroPole", "If",
        "SwitchCase", "Lookup2D", "Width", "Repeating Sequence", "Repeating Sequence Stair", "Chirp Signal",
        "EnablePort", "TriggerPort", "ActionPort", "DiscreteZeroPole", "Determinant of 3x3 Matrix", "From",
    ), _scalar),
}  # fmt: skip
