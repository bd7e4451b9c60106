"""bdsim's functions, connections, sources and blocks with states are mapped to blocks of blockdyn."""

from __future__ import annotations

from collections.abc import Sequence
from math import pi, prod
from typing import Any

import numpy as np

from ...blocks.continuous.state_space import StateSpace
from ...blocks.contract.parameter import Array
from ...blocks.discontinuous.saturation import Saturation
from ...blocks.lookup.lookup_1d import Lookup1D
from ...blocks.mathematics.expression import Expression
from ...blocks.mathematics.gain import Gain
from ...blocks.mathematics.matrix_gain import MatrixGain
from ...blocks.mathematics.power import Power
from ...blocks.mathematics.product import Product
from ...blocks.mathematics.sum import Sum
from ...blocks.matrices.determinant import Determinant
from ...blocks.matrices.matrix_inverse import MatrixInverse
from ...blocks.matrices.matrix_product import MatrixProduct
from ...blocks.matrices.norm import Norm
from ...blocks.matrices.pseudo_inverse import PseudoInverse
from ...blocks.matrices.transpose import Transpose
from ...blocks.routing.concatenate import Concatenate
from ...blocks.routing.mux import Mux
from ...blocks.routing.reshape import Reshape
from ...blocks.routing.selector import Selector
from ...blocks.sources.clock import Clock
from ...blocks.sources.constant import Constant
from ...blocks.sources.piecewise_constant import PiecewiseConstant
from ...blocks.sources.piecewise_linear import PiecewiseLinear
from ...blocks.sources.ramp import Ramp
from ...blocks.sources.repeating_sequence import RepeatingSequence
from ...blocks.sources.sine import Sine
from ...blocks.sources.square import Square
from ...blocks.sources.step import Step
from .registers import Linear, Register, RegisterDerivative, RegisterIntegrator, RegisterStateSpace
from .values import Maker, Place, form_of

WRAPS = {"c": "(u + pi) % (2 * pi) - pi", "C": "u % (2 * pi)", "r": "u"}


def numeric(make: Maker) -> bool:
    """True if all inputs are numbers and arrays."""
    return all(form is None or form.numeric for form in make.forms)


def sum_of(make: Maker) -> Place | None:
    b = make.block
    modes = b.mode or ""
    if not numeric(make) or set(modes) - set(WRAPS):
        return None
    if not modes.strip("r"):
        return make.alone(Sum(b.signs))
    shape = np.broadcast_shapes(*(make.form(k).shape for k in range(b.nin)))
    if len(shape) > 2 or (shape not in ((), (1,)) and (shape[:1] != (len(modes),) or len(modes) < 2)):
        return None  # bdsim refuses it at the first call
    name = make.add(Sum(b.signs), "sum")
    inputs = [[f"{name}.u{k}"] for k in range(b.nin)]
    if shape == (1,):  # bdsim makes a number of it
        one = make.add(Selector(indices=0), "one")
        make.wire(f"{name}.y", f"{one}.u")
        return Place(inputs, [_wrap_angle(make, f"{one}.y", modes[0])])
    if not shape:
        return Place(inputs, [_wrap_angle(make, f"{name}.y", modes[0])])
    rows = len(shape) == 2  # of a matrix, each with its mode
    out = make.add(Concatenate(count=shape[0]) if rows else Mux(shape[0]))
    for k, mode in enumerate(modes):
        one = make.add(Selector(rows=[k]) if rows else Selector(indices=k), f"e{k}")
        wrapped = make.add(Expression(WRAPS[mode]), f"w{k}")
        make.wire(f"{name}.y", f"{one}.u")
        make.wire(f"{one}.y", f"{wrapped}.u")
        make.wire(f"{wrapped}.y", f"{out}.u{k}")
    return Place(inputs, [f"{out}.y"])


def _wrap_angle(make: Maker, signal: str, mode: str) -> str:
    name = make.add(Expression(WRAPS[mode]))
    make.wire(signal, f"{name}.u")
    return f"{name}.y"


def product_of(make: Maker) -> Place | None:
    """Products of numbers, or of a number and arrays; two arrays multiply as matrices, in order."""
    b, shapes = make.block, [make.form(k).shape for k in range(make.block.nin)]
    if not numeric(make):
        return None
    if not any(shapes[1:]) and not (shapes[0] and b.ops[0] == "/"):
        return make.alone(Product(b.ops))
    matrices = len(shapes) == 2 and b.ops == "**"
    if matrices and len(shapes[0]) == 2:
        return make.alone(MatrixProduct())
    if matrices and len(shapes[0]) == len(shapes[1]) == 1:
        row, name = make.add(Reshape((1, *shapes[0])), "row"), make.add(MatrixProduct(), "dot")
        number = make.add(Selector(indices=0))
        make.wire(f"{row}.y", f"{name}.A")
        make.wire(f"{name}.y", f"{number}.u")
        return Place([[f"{row}.u"], [f"{name}.u"]], [f"{number}.y"])
    return None


def gain(make: Maker) -> Place | None:
    """A number, or an array that multiplies from the left or, bdsim's default, from the right."""
    b = make.block
    if not numeric(make):
        return None
    shape, K = make.form(0).shape, b.K
    if not isinstance(K, np.ndarray) or not shape:
        return make.alone(Gain(np.asarray(K, float)))
    if len(shape) == 1:
        matrix = K if b.premul else K.T
        return _matrix_gain(make, matrix, shape)
    return None


def _matrix_gain(make: Maker, matrix: Array, shape: tuple[int, ...]) -> Place | None:
    return make.alone(MatrixGain(matrix)) if matrix.shape[-1] == shape[0] else None


def power(make: Maker) -> Place | None:
    return None if make.block.matrix or not numeric(make) else make.alone(Power(make.block.p))


def clip(make: Maker) -> Place | None:
    b = make.block
    low, high = np.asarray(b.min, float), np.asarray(b.max, float)
    if not numeric(make) or not np.all(low < high):
        return None
    return make.alone(Saturation(lower=low, upper=high))


def mux(make: Maker) -> Place | None:
    if not all(form is None or (form.numeric and len(form.shape) < 2) for form in make.forms):
        return None
    return make.alone(Mux(make.block.nin))


def demux(make: Maker) -> Place | None:
    if not _sequence(make):
        return None
    return _picks(make, [Selector(indices=k) for k in range(make.block.nout)])


def _picks(make: Maker, selectors: Sequence[Selector]) -> Place:
    names = [make.add(one, f"y{k}" if len(selectors) > 1 else "") for k, one in enumerate(selectors)]
    return Place([[f"{name}.u" for name in names]], [f"{name}.y" for name in names])


def _sequence(make: Maker) -> bool:
    form = make.forms[0]
    return form is None or (form.kind in ("array", "list") and len(form.shape) == 1)


def index(make: Maker) -> Place | None:
    b = make.block
    if not _sequence(make):
        return None
    if isinstance(b.index, slice):
        return None  # bdsim's own fails: len() of a slice
    chosen = [int(k) for k in b.index]
    return _picks(make, [Selector(indices=chosen[0] if len(chosen) == 1 else chosen)])


def item(make: Maker) -> Place | None:
    """A value of a mapping: some of the numbers on the wire."""
    form = make.forms[0]
    if form is None or form.kind != "mapping":
        return None
    start = 0
    for key, part in form.parts:
        count = prod(part.shape)
        if key == make.block.item and part.kind in ("number", "array", "list"):
            places = list(range(start, start + count))
            name = make.add(Selector(indices=places if part.shape else start))
            if len(part.shape) < 2:
                return Place([[f"{name}.u"]], [f"{name}.y"])
            shaped = make.add(Reshape(part.shape), "matrix")
            make.wire(f"{name}.y", f"{shaped}.u")
            return Place([[f"{name}.u"]], [f"{shaped}.y"])
        start += count
    return None


def inverse(make: Maker) -> Place | None:
    """The second output is the condition number."""
    shape = make.form(0).shape
    if not numeric(make) or len(shape) != 2:
        return None
    square = shape[0] == shape[1] and not make.block.pinv
    name = make.add(MatrixInverse(shape[0]) if square else PseudoInverse(*shape))
    condition = _condition(make, "condition")
    return Place([[f"{name}.u", *condition.inputs[0]]], [f"{name}.y", *condition.outputs])


def condition_number(make: Maker) -> Place | None:
    return _condition(make) if numeric(make) and len(make.form(0).shape) == 2 else None


def _condition(make: Maker, part: str = "") -> Place:
    """The largest singular value over the smallest one."""
    name = make.add(PseudoInverse(*make.form(0).shape), "singular_values")
    ends = [make.add(Selector(indices=k), end) for k, end in ((0, "largest"), (-1, "smallest"))]
    ratio = make.add(Product("*/"), part)
    for k, end in enumerate(ends):
        make.wire(f"{name}.singular_values", f"{end}.u")
        make.wire(f"{end}.y", f"{ratio}.u{k}")
    return Place([[f"{name}.u"]], [f"{ratio}.y"])


def determinant(make: Maker) -> Place | None:
    shape = make.form(0).shape
    square = len(shape) == 2 and shape[0] == shape[1]
    return make.alone(Determinant(shape[0])) if square and numeric(make) else None


def transpose(make: Maker) -> Place | None:
    shape = make.form(0).shape
    if not numeric(make) or not shape:
        return None
    return make.alone(Transpose() if len(shape) == 2 else Reshape((shape[0], 1)))


def norm(make: Maker) -> Place | None:
    plain = make.block.args == {"ord": None, "axis": None}
    return make.alone(Norm()) if plain and numeric(make) and len(make.form(0).shape) == 1 else None


def flatten(make: Maker) -> Place | None:
    form = make.form(0)
    if not numeric(make) or not form.shape or make.block.order != "C":
        return None
    return make.alone(Reshape((prod(form.shape),)))


def slice1(make: Maker) -> Place | None:
    form = make.form(0)
    if not numeric(make) or len(form.shape) != 1:
        return None
    return make.alone(Selector(indices=np.arange(form.shape[0])[make.block.index].tolist()))


def slice2(make: Maker) -> Place | None:
    form, b = make.form(0), make.block
    if not numeric(make) or len(form.shape) != 2 or (isinstance(b.rows, list) and isinstance(b.cols, list)):
        return None
    rows, columns = np.arange(form.shape[0])[b.rows], np.arange(form.shape[1])[b.cols]
    return make.alone(Selector(rows=rows.tolist(), columns=columns.tolist()))


FUNCTIONS = {
    "bdsim.Sum": sum_of, "bdsim.Prod": product_of, "bdsim.Gain": gain, "bdsim.Pow": power, "bdsim.Clip": clip,
    "bdsim.Mux": mux, "bdsim.DeMux": demux, "bdsim.Index": index, "bdsim.Item": item,
    "bdsim.Inverse": inverse, "bdsim.Cond": condition_number,
    "bdsim.Transpose": transpose, "bdsim.Norm": norm, "bdsim.Flatten": flatten,
    "bdsim.Slice1": slice1, "bdsim.Det": determinant, "bdsim.Slice2": slice2,
}  # fmt: skip


def constant(make: Maker) -> Place | None:
    form = form_of(make.block.value)
    return None if form.kind == "object" else make.alone(Constant(form.written(make.block.value)))


def time(make: Maker) -> Place:
    return make.alone(Clock())


def waveform(make: Maker) -> Place:
    """A square or triangle wave is delayed by `phase` of its period, and extends to earlier times."""
    b: Any = make.block
    period = 1.0 / b.freq
    if b.wave == "sine":
        turn = 2 * pi * b.phase
        return make.alone(Sine(b.amplitude, frequency=2 * pi * b.freq, phase=-turn, bias=b.offset))
    late = (b.phase - 1.0) * period if b.phase else 0.0
    if b.wave == "square":
        return make.alone(Square(b.amplitude, period=period, duty=b.duty, offset=late, bias=b.offset))
    corners = np.array([0.0, 0.25, 0.75, 1.0]) * period
    heights = b.offset + b.amplitude * np.array([0.0, 1.0, -1.0, 0.0])
    return make.alone(RepeatingSequence(times=corners, values=heights, offset=late))


def piecewise(make: Maker) -> Place:
    """Before the first time, bdsim returns the last value, `y[-1]`."""
    times, values = np.asarray(make.block.t, float), np.asarray(make.block.y, float)
    last = {float(t): k for k, t in enumerate(times)}  # the last of equal times counts
    chosen = [last[t] for t in sorted(last)]
    return make.alone(PiecewiseConstant(times=times[chosen], values=values[chosen], initial=values[-1]))


def step(make: Maker) -> Place:
    b = make.block
    return make.alone(Step(time=b.T, initial=b.off, final=b.on))


def ramp(make: Maker) -> Place:
    b = make.block
    return make.alone(Ramp(slope=b.slope, start=b.T, initial=b.off))


def interpolate(make: Maker) -> Place | None:
    """Lines between points; an infinite last time is the end of the run, as in bdsim."""
    b = make.block
    x, y = np.array(b.f.x, float), np.array(b.f.y, float)
    scalar = not b.time and y.ndim == 1 and (make.forms[0] is None or not make.form(0).shape)
    if scalar and getattr(b.f, "_kind", "") == "linear":
        return make.alone(Lookup1D(breakpoints=x, table=y, outside="error", events=True))
    if not b.time or getattr(b.f, "_kind", "") != "linear" or y.ndim > 2:
        return None
    x[-1] = max(make.stop, np.nextafter(x[-2], np.inf)) if np.isinf(x[-1]) else x[-1]
    return make.alone(PiecewiseLinear(times=x, values=y))


SOURCES = {
    "bdsim.Constant": constant, "bdsim.Time": time, "bdsim.WaveForm": waveform, "bdsim.Piecewise": piecewise,
    "bdsim.Step": step, "bdsim.Ramp": ramp, "bdsim.Interpolate": interpolate,
}  # fmt: skip


def initial_of(make: Maker) -> Any:
    """The state at the start: a number where bdsim shows a state of one element as a number."""
    x = np.asarray(make.block.getstate0(), float).ravel()
    return float(x[0]) if x.size == 1 else x


def integrator(make: Maker) -> Place | None:
    """The limits of bdsim's integrator apply to x, and its gain to u."""
    b, form = make.block, make.form(0)
    if not form.numeric:
        return None
    x = initial_of(make)
    limits = {"lower": _limit(b.min, -np.inf, x), "upper": _limit(b.max, np.inf, x)}
    return _insert_gain(make, make.integral(np.clip(x, limits["lower"], limits["upper"]), **limits), b.gain)


def _limit(value: Any, default: float, x: Any) -> Any:
    if value is None:
        return default
    limit = np.asarray(value, float).ravel()
    return float(limit[0]) if np.ndim(x) == 0 else limit


def _insert_gain(make: Maker, place: Place, gain: float = 1.0) -> Place:
    """A gain before the input, if there is one; a vector of one element in bdsim is a number in its state."""
    if make.form(0).shape == (1,) and place.scalar:
        number = make.add(Selector(indices=0), "one")
        make.wire(f"{number}.y", place.inputs[0][0])
        place.inputs = [[f"{number}.u"]]
    if gain != 1.0:
        before = make.add(Gain(float(gain)), "gain")
        make.wire(f"{before}.y", place.inputs[0][0])
        place.inputs = [[f"{before}.u"]]
    return place


def matrices(make: Maker) -> tuple[Any, Any, Any, Any, Any]:
    b = make.block
    D = np.zeros((b.C.shape[0], b.B.shape[1])) if b.D is None else b.D
    return b.A, b.B, b.C, D, np.asarray(b.getstate0(), float).ravel()


def linear(make: Maker) -> Place:
    """bdsim joins the inputs of a linear system. With several outputs, bdsim returns one vector and fails."""
    A, B, C, D, x = matrices(make)
    mux = make.add(Mux(make.block.nin), "u")
    if make.eventful:
        place = _settable_linear(make, mux)
    else:
        name = make.add(StateSpace(A=A, B=B, C=C, D=D, initial=x))
        make.wire(f"{mux}.y" if B.shape[1] > 1 else make.apart(f"{mux}.y", 1, "in")[0], f"{name}.u")
        place = Place([], [f"{name}.y"], [f"{name}.x"])
    if make.block.nout > 1:
        place.outputs = make.apart(place.outputs[0], make.block.nout)
    place.inputs = [[f"{mux}.u{k}"] for k in range(make.block.nin)]
    return place


def _settable_linear(make: Maker, mux: str) -> Place:
    """A linear system whose state is computed by a separate integrator."""
    A, B, C, D, x = matrices(make)
    place = make.integral(x, "x")
    slope, shown = make.add(Linear(A, B), "slope"), make.add(Linear(C, D, direct=bool(np.any(D))))
    for name in (slope, shown):
        make.wire(place.outputs[0], f"{name}.x")
    for name in (slope, shown) if np.any(D) else (slope,):
        make.wire(f"{mux}.y", f"{name}.u")
    make.wire(f"{slope}.y", place.inputs[0][0])
    place.outputs = make.apart(f"{shown}.y", 1) if len(C) == 1 else [f"{shown}.y"]
    return place


def clock(make: Maker) -> dict[str, float]:
    """The ticks of a sampled block."""
    return {"sample_time": make.block._clock.T, "offset": make.block._clock.offset}


def hold(make: Maker) -> Place | None:
    form, x = make.form(0), initial_of(make)
    if make.eventful or not form.numeric or len(form.shape) > 1:
        return None
    if form.shape and np.ndim(x) == 0:
        x = np.full(form.shape, x)
    return _set_state(make.alone(Register(initial=x, **clock(make))), "y")


def _set_state(place: Place, output: str) -> Place:
    """A sampled block whose state is one of its outputs."""
    place.state = [f"{place.outputs[0].partition('.')[0]}.{output}"]
    return place


def sampled_integrator(make: Maker) -> Place | None:
    b, x = make.block, initial_of(make)
    if make.eventful or b.enable is not None or not make.form(0).numeric:
        return None
    low, high = _limit(b.min, -np.inf, x), _limit(b.max, np.inf, x)
    return _set_state(
        make.alone(RegisterIntegrator(initial=x, gain=b.gain, lower=low, upper=high, **clock(make))), "y"
    )


def sampled_derivative(make: Maker) -> Place | None:
    b, x = make.block, initial_of(make)
    if make.eventful or np.ndim(x) or not make.form(0).numeric:
        return None
    return _set_state(
        make.alone(RegisterDerivative(initial=x, gain=b.gain, **clock(make)), outputs=("y",)), "u_last"
    )


def sampled_linear(make: Maker) -> Place | None:
    if make.eventful:
        return None
    A, B, C, D, x = matrices(make)
    name = make.add(RegisterStateSpace(A=A, B=B, C=C, D=D, initial=x, **clock(make)))
    mux = make.add(Mux(make.block.nin), "u")
    make.wire(f"{mux}.y", f"{name}.u")
    outputs = (
        make.apart(f"{name}.y", make.block.nout) if make.block.nout > 1 or len(C) == 1 else [f"{name}.y"]
    )
    inputs = [[f"{mux}.u{k}"] for k in range(make.block.nin)]
    return Place(inputs, outputs, state=[f"{name}.x_now"])


DYNAMICS = {
    "bdsim.Integrator": integrator, "bdsim.LTI_SS": linear, "bdsim.LTI_SISO": linear, "bdsim.Deriv2": linear,
    "bdsim.ZOH": hold, "bdsim.Integrator_S": sampled_integrator, "bdsim.DIntegrator": sampled_integrator,
    "bdsim.Deriv_S": sampled_derivative, "bdsim.LTI_SS_S": sampled_linear, "bdsim.LTI_SISO_S": sampled_linear,
}  # fmt: skip
