"""Jacobians: exact for blocks of the library, through loops, kinks and Python, with names."""

from __future__ import annotations

import ctypes
import ctypes.util
import math
import threading
from itertools import product
from typing import Any

import numpy as np
import pytest
from scipy import special

import blockdyn as bd
from blockdyn.analysis.models.linear_model import LinearModel
from blockdyn.analysis.point import point_of
from blockdyn.blocks.contract.registry import library
from blockdyn.cli.specimen import specimen
from blockdyn.diagrams.compiler.program import Program
from blockdyn.diagrams.model.errors import DiagramError
from blockdyn.diagrams.runs.evaluation import evaluation_of
from blockdyn.diagrams.yaml.finding import gallery_files
from blockdyn.solvers.addressed import bare

from .test_every_block import ELSEWHERE, SHAPES, TURN

AT_KINK = {"Statistics"}  # as a run begins, the largest value is the one that comes in
WITHIN = {"MotorMixer": ([1e-4, -2e-4, 1e-5], 0.3)}  # where it does not limit
# Where tyres slip: at no slip the second derivative of Fiala's force jumps, where differences are not exact.
AWAY = {"DynamicBicycle": [0.0, 0.0, 0.0, 20.0, 0.7, 0.1]}
WIRING = {
    "BusCreator", "Concatenate", "Demux", "Mux", "Repeat", "Reshape", "Selector", "SignalSpecification",
    "Slice", "Transpose",
}  # fmt: skip
"""Blocks that compute nothing."""
FLOWING = sorted(
    kind
    for kind, block in library().items()
    if not block.sampled and kind not in ELSEWHERE | AT_KINK | WIRING
)
"""Blocks whose equations `test_fifty_digits` has; what the others put out is held, or only wired."""
VALUES = [0.37, -0.52, 0.83, -0.29, 0.64, 0.45, -0.71, 0.58]


def value(kind: str, shape: tuple[int, ...], port: int) -> Any:
    """What an input is differentiated at: each port at another place; a pose, a regular matrix."""
    if kind in WITHIN:
        return WITHIN[kind][port]
    if shape == (4, 4):
        return TURN
    if len(shape) == 2:
        return (np.eye(*shape) + 0.1 * np.random.default_rng(port).standard_normal(shape)).tolist()
    values = [v + 0.013 * port for v in VALUES]
    return values[: shape[0]] if shape else values[port % 8]


def opened(block: bd.Block) -> bd.Diagram:
    """The block between inputs and outputs of a diagram, its open sizes filled as it takes them."""
    choices = [[port.fixed().shape] if port.fixed() else SHAPES for port in block.input_ports()]
    for shapes in sorted(product(*choices), key=lambda shapes: len(set(shapes))):
        d = bd.Diagram(block.kind())
        d.add("block", block)
        for i, shape in enumerate(shapes):
            d.connect(d.add(f"u{i}", bd.Inport(default=value(block.kind(), shape, i))), f"block[{i}]")
        for port in block.output_ports():
            d.connect(f"block.{port.name}", d.add(f"y_{port.name}", bd.Outport()))
        try:
            d.compile()
        except DiagramError:
            continue
        return d
    raise AssertionError(f"{block.kind()} takes none of the shapes tried")


def states_of(kind: str, program: Program, random: bool) -> Any:
    """As a run begins, where most are 0; or beside that, so that a wrong sine or cosine shows."""
    states = np.array(AWAY.get(kind, program.memory().x))
    return states + 0.3 * np.random.default_rng(7).standard_normal(states.size) if random else states


def closest_differences(program: Program, t: float, exact: Any, x: Any = None, held: Any = None) -> Any:
    """How far the Jacobian at (t, x, u) is from differences of order 6, with the step that fits best.

    Modes and held states are those of the point, as they are between events.
    """
    evaluation = evaluation_of(program)
    arrays = evaluation.at(t, x, None, held)
    m, n, places = arrays.memory, program.plan.states, evaluation.inputs
    outputs = np.concatenate([np.arange(s.start, s.stop) for _, s, _ in evaluation.output_places] or [[]])
    signals, slopes = m.w.copy(), np.zeros(n)
    evaluate = bare(program.addresses)[1]

    def at(point: Any) -> Any:
        x = point[:n].copy()
        m.p[places], m.w[:] = point[n:-1], signals
        assert evaluate(float(point[-1]), x.ctypes.data, slopes.ctypes.data, m.address) >= 0
        return np.concatenate([slopes, m.w[outputs.astype(int)]])

    point = np.concatenate([m.x, m.p[places], [t]])
    best = np.full(exact.shape, np.inf)
    for h in (2e-3, 2e-4, 2e-5):
        for column, e in enumerate(np.eye(point.size)):
            first, second, third = (
                (at(point + g * e) - at(point - g * e)) / (2 * g) for g in (h, h / 2, h / 4)
            )
            slope = (16 * (4 * third - second) - (4 * second - first)) / 45
            best[:, column] = np.minimum(best[:, column], np.abs(slope - exact[:, column]))
        if np.all(best < 1e-9 * max(1.0, np.abs(exact).max(initial=0.0))):
            break
    return best


def whole(j: LinearModel) -> Any:
    """The Jacobian by states, inputs and time as one matrix."""
    return np.block([[j.A, j.B, j.f_t[:, None]], [j.C, j.D, j.g_t[:, None]]])


@pytest.mark.parametrize("kind", sorted(set(library()) - ELSEWHERE - AT_KINK - set(FLOWING)))
def test_of_every_block(kind: str) -> None:
    """Differences agree, by states, inputs and time, to what they can; nothing falls back to them."""
    program = opened(specimen(library()[kind])).compile()
    for random in (False, True):
        x = states_of(kind, program, random)
        jacobian = program.jacobian(0.37, x)
        exact = whole(jacobian)
        assert np.all(np.isfinite(exact))
        assert jacobian.differences == ()
        error = closest_differences(program, 0.37, exact, x)
        assert error.max(initial=0.0) <= 2e-8 * max(1.0, np.abs(exact).max(initial=0.0))


FUNCTIONS: dict[str, tuple[Any, Any, float]] = {
    "sin": (math.sin, np.sin, 0.7), "cos": (math.cos, np.cos, 0.7), "tan": (math.tan, np.tan, 0.7),
    "asin": (math.asin, np.arcsin, 0.6), "acos": (math.acos, np.arccos, 0.6),
    "atan": (math.atan, np.arctan, 3.0), "sinh": (math.sinh, np.sinh, 1.7),
    "cosh": (math.cosh, np.cosh, -1.7), "tanh": (math.tanh, np.tanh, 0.4),
    "asinh": (math.asinh, np.arcsinh, 2.0), "acosh": (math.acosh, np.arccosh, 2.0),
    "atanh": (math.atanh, np.arctanh, 0.3), "exp": (math.exp, np.exp, 1.3),
    "expm1": (math.expm1, np.expm1, 1e-3), "log": (math.log, np.log, 0.3),
    "log2": (math.log2, np.log2, 0.3), "log10": (math.log10, np.log10, 0.3),
    "log1p": (math.log1p, np.log1p, 1e-3), "sqrt": (math.sqrt, np.sqrt, 5.0),
    "erf": (math.erf, special.erf, 0.4), "erfc": (math.erfc, special.erfc, 0.4),
}  # fmt: skip


def of_one_number(function: Any) -> bd.Diagram:
    d = bd.Diagram()
    d.connect(d.add("u", bd.Inport(default=0.5)), d.add("f", bd.Function(function)), d.add("y", bd.Outport()))
    return d


@pytest.mark.parametrize("name", FUNCTIONS)
def test_mathematical_functions_by_complex_step(name: str) -> None:
    """f'(u) = Im f(u + i h) / h, exact to rounding for h = 1e-200."""
    real, complex_, u = FUNCTIONS[name]
    d = of_one_number(lambda u: real(u))
    exact = complex_(u + 1e-200j).imag / 1e-200
    j = d.compile().jacobian(0.0, None, [u])
    assert j.differences == ()
    assert j.D[0, 0] == pytest.approx(exact, rel=4e-15)


def several(a, b):
    return math.atan2(a, b) * math.hypot(a, b) + a**b + b % a - math.copysign(a, b) + max(a, b) * min(a, b)


def test_functions_of_two_numbers() -> None:
    d = bd.Diagram()
    f = d.add("f", bd.Function(several))
    d.connect(d.add("a", bd.Inport(default=0.6)), f[0])
    d.connect(d.add("b", bd.Inport(default=1.9)), f[1])
    d.connect(f, d.add("y", bd.Outport()))
    a, b = 0.6, 1.9
    r, angle = np.hypot(a, b), np.arctan2(a, b)
    expected = [
        b / r + angle * a / r + b * a ** (b - 1) - 3.0 - 1.0 + b,
        -a / r + angle * b / r + a**b * np.log(a) + 1.0 + a,
    ]
    j = d.compile().jacobian(0.0)
    assert j.differences == ()
    assert j.D[0] == pytest.approx(expected, rel=1e-14)


def test_a_pendulum_has_the_linear_model_of_the_textbook() -> None:
    """theta'' = u - g/l sin theta - c theta': y = l sin theta."""
    d = bd.Diagram("pendulum")
    total, w, th = (
        d.add("total", bd.Sum("+--")),
        d.add("w", bd.Integrator(0.2)),
        d.add("th", bd.Integrator(0.5)),
    )
    d.connect(d.add("u", bd.Inport(default=0.0, unit="1/s^2")), total[0])
    d.connect(th, d.add("gravity", bd.Expression("9.81 / 0.7 * sin(u)")), total[1])
    d.connect(w, d.add("friction", bd.Gain(0.3)), total[2])
    d.connect(total, w, th, d.add("x", bd.Expression("0.7 * sin(u)")), d.add("y", bd.Outport()))
    j = d.compile().jacobian(1.0, {"th.x": 1.1})
    assert (j.states, j.inputs, j.outputs) == (("th.x", "w.x"), ("u",), ("y",))
    np.testing.assert_allclose(j.A, [[0.0, 1.0], [-9.81 / 0.7 * np.cos(1.1), -0.3]], rtol=1e-15)
    np.testing.assert_array_equal(j.B, [[0.0], [1.0]])
    np.testing.assert_allclose(j.C, [[0.7 * np.cos(1.1), 0.0]], rtol=1e-15)
    np.testing.assert_array_equal(j.D, [[0.0]])


def test_algebraic_loops_by_the_theorem_of_implicit_functions() -> None:
    """y = tanh(u - 2 y) has dy/du = s / (1 + 2 s) with s = 1 - y^2."""
    d = bd.Diagram("loop")
    total = d.add("sum", bd.Sum("+-"))
    d.connect(d.add("u", bd.Inport(default=0.7)), total[0])
    d.connect(total, d.add("f", bd.Expression("tanh(u)")), d.add("g", bd.Gain(2.0)), total[1])
    d.connect("f", d.add("y", bd.Outport()))
    d.connect("f", d.add("x", bd.Integrator()))
    program = d.compile(loops="solve")
    j = program.jacobian(0.0)
    s = 1.0 - program.outputs(0.0)["y"] ** 2
    assert j.D[0, 0] == pytest.approx(s / (1.0 + 2.0 * s), rel=1e-14)
    assert j.B[0, 0] == j.D[0, 0]


@pytest.mark.parametrize(("u", "slope"), [(-3.0, 0.0), (-0.5, 2.0), (0.5, 2.0), (3.0, 0.0)])
def test_limits_have_the_derivative_of_their_side(u: float, slope: float) -> None:
    d = bd.Diagram()
    d.connect(
        d.add("u", bd.Inport()), d.add("g", bd.Gain(2.0)), d.add("s", bd.Saturation(lower=-2.0, upper=2.0))
    )
    d.connect("s", d.add("y", bd.Outport()))
    assert d.compile().jacobian(0.0, None, [u]).D[0, 0] == slope


def test_what_does_not_change_has_the_derivative_zero_where_the_function_has_none() -> None:
    """sqrt(u^2 + v^2) at the origin, along a direction that moves neither."""
    d = bd.Diagram()
    norm = d.add("norm", bd.Expression("sqrt(u * u + v * v)"))
    d.connect(d.add("u", bd.Inport(default=0.0)), norm[0])
    d.connect(d.add("v", bd.Inport(default=0.0)), norm[1])
    d.connect(norm, d.add("y", bd.Outport()))
    j = d.compile().jacobian(0.0)
    assert j.g_t[0] == 0.0


def in_python(u):
    return float(f"{math.sin(u):.17g}")


def test_what_python_runs_is_differenced_and_named() -> None:
    j = of_one_number(in_python).compile().jacobian(0.0, None, [0.7])
    assert j.differences == ("f",)
    assert j.D[0, 0] == pytest.approx(math.cos(0.7), rel=1e-10)


def test_a_foreign_function_is_differenced_and_named() -> None:
    cosine = bd.Foreign(ctypes.CDLL(ctypes.util.find_library("m")).cos, "u")
    d = bd.Diagram()
    d.connect(d.add("u", bd.Inport(default=1.0)), d.add("f", bd.Function(cosine)), d.add("y", bd.Outport()))
    j = d.compile().jacobian(0.0)
    assert j.differences == ("f",)
    assert j.D[0, 0] == pytest.approx(-math.sin(1.0), rel=1e-9)


LIKE_OTHERS = {
    "aggressive-eight", "backing-up", "battery", "braitenberg", "closing-door", "computed-torque",
    "controllers", "feed-forward", "flight-errors", "floor-circle", "lost-propeller", "model-error",
    "motor-failure", "multirotors", "operational-space", "particle-filter", "payload", "pursuit",
    "quadrotor", "quadrotor-visual-servoing", "resolved-rate", "slam", "stanford", "three-robots",
    "touch-down", "waypoint-mission", "weak-motor",
}  # fmt: skip
"""Large diagrams, wired in no way that the others are not. Their blocks are differentiated one by one;
`python -m tools.fuzz derivatives` has all of the gallery."""


@pytest.mark.parametrize("name", sorted(set(gallery_files()) - LIKE_OTHERS))
def test_of_whole_diagrams(name: str) -> None:
    """Where a run has gone to, a little beside it: some runs move along kinks, as a hover that is still."""
    program, random = bd.load(name).compile(), np.random.default_rng(0)
    time = 0.0371 * min(program.flat.simulation["stop"], 40.0)
    point = point_of(program, time, None)
    states = {k: v + 1e-3 * random.standard_normal(np.shape(v)) for k, v in point.states.items()}
    jacobian = program.jacobian(time, states, held=point.held)
    assert jacobian.differences == ()
    exact = whole(jacobian)
    error = closest_differences(program, time, exact, states, point.held)
    assert error.max(initial=0.0) <= 1e-9 * np.abs(exact).max(initial=0.0)


def test_threads_may_ask_at_once() -> None:
    program = bd.load("quadrotor").compile()
    points = [0.1 * i for i in range(8)]
    alone = [program.jacobian(t).A for t in points]
    together: dict[float, Any] = {}
    threads = [
        threading.Thread(target=lambda t=t: together.update({t: program.jacobian(t).A})) for t in points
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for t, expected in zip(points, alone, strict=True):
        np.testing.assert_array_equal(together[t], expected)
