"""Functions of signals against NumPy, their kinks and jumps as events, and where they end."""

from __future__ import annotations

from math import pi

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.diagrams.model.run_errors import NotFinite

TIMES = np.linspace(0.0, 7.0, 141) + 0.0007
WAVE = np.column_stack([3.3 * np.sin(TIMES), 3.3 * np.cos(TIMES), 0.4 * np.sin(TIMES)])
OTHER = np.column_stack([np.sin(2.0 * TIMES), np.sin(3.0 * TIMES), np.sin(5.0 * TIMES)])


def run() -> bd.Result:
    d = bd.Diagram("functions")
    wave = d.add("wave", bd.Sine(amplitude=[3.3, 3.3, 0.4], phase=[0.0, pi / 2, 0.0]))
    d.add("other", bd.Sine(frequency=[2.0, 3.0, 5.0]))
    for name, block in {
        "root": bd.Sqrt(signed=True), "exp": bd.Exp(), "two": bd.Exp(base="2"), "ten": bd.Exp(base="10"),
        "round": bd.Round(), "floor": bd.Round("floor"), "ceil": bd.Round("ceil"), "fix": bd.Round("fix"),
        "mod": bd.Modulo(divisor=0.7), "rem": bd.Modulo(divisor=-0.7, sign="dividend"),
        "poly": bd.Polynomial([0.5, -1.0, 2.0, 3.0]), "one": bd.Polynomial([4.0]),
        "sums": bd.CumulativeSum(), "total": bd.SumOfElements(), "matrix": bd.Diagonal("matrix"),
    }.items():  # fmt: skip
        d.connect(wave, d.add(name, block))
    for name, block in {
        "min": bd.MinMax(), "hypot": bd.Hypot(), "dot": bd.Dot(), "cross": bd.Cross(),
    }.items():  # fmt: skip
        d.add(name, block)
        d.connect("wave", f"{name}[0]")
        d.connect("other", f"{name}[1]")
    d.add("positive", bd.Expression("u * u + 0.1"))
    d.connect("wave", "positive")
    for name, base in (("ln", "e"), ("lb", "2"), ("lg", "10")):
        d.connect("positive", d.add(name, bd.Log(base)))
    d.connect("positive", d.add("plain", bd.Sqrt()))
    d.add("of", bd.Modulo())
    d.connect("wave", "of.u")
    d.connect("positive", "of.m")
    d.add("max", bd.MinMax("max", 4))
    d.add("clip", bd.Clip())
    for source, ports in (
        ("wave", ("max[0]", "clip.u")), ("other", ("max[1]", "clip.lower")),
        ("positive", ("max[2]", "clip.upper")),
    ):  # fmt: skip
        for port in ports:
            d.connect(source, port)
    d.connect(d.add("half", bd.Constant(0.5)), "max[3]")
    for along in ("rows", "columns"):
        d.add(along, bd.CumulativeSum(along))
        d.connect("matrix", along)
    d.connect("matrix", d.add("trace", bd.Trace()), d.add("area", bd.Integrator()))
    d.connect("matrix", d.add("back", bd.Diagonal()))
    d.connect("floor", d.add("stairs", bd.Integrator([0.0, 0.0, 0.0])))
    return d.simulate(times=TIMES, rtol=1e-9, atol=1e-12)


def test_they_are_what_numpy_has() -> None:
    r = run()
    u, v, positive = WAVE, OTHER, WAVE**2 + 0.1
    nearest = np.where(u >= 0, np.floor(u + 0.5), -np.floor(0.5 - u))
    diagonal = np.einsum("ti,ij->tij", u, np.eye(3))
    for name, expected in {
        "root": np.sign(u) * np.sqrt(np.abs(u)), "exp": np.exp(u), "two": 2.0**u, "ten": 10.0**u,
        "round": nearest, "floor": np.floor(u), "ceil": np.ceil(u), "fix": np.trunc(u),
        "mod": np.mod(u, 0.7), "rem": np.fmod(u, -0.7), "of": np.mod(u, positive),
        "poly": np.polyval([0.5, -1.0, 2.0, 3.0], u), "one": np.full_like(u, 4.0),
        "min": np.minimum(u, v), "max": np.maximum(np.maximum(u, v), np.maximum(positive, 0.5)),
        "hypot": np.hypot(u, v), "clip": np.clip(u, v, positive), "dot": np.sum(u * v, axis=1),
        "cross": np.cross(u, v), "ln": np.log(positive), "lb": np.log2(positive), "lg": np.log10(positive),
        "plain": np.sqrt(positive), "sums": np.cumsum(u, axis=1), "total": np.sum(u, axis=1),
        "matrix": diagonal, "rows": np.cumsum(diagonal, axis=1), "columns": np.cumsum(diagonal, axis=2),
        "trace": np.sum(u, axis=1), "back": u,
    }.items():  # fmt: skip
        y = r[name].sel(time=TIMES, method="ffill").values
        np.testing.assert_allclose(y, expected, rtol=1e-13, atol=1e-13, err_msg=name)


def test_kinks_and_jumps_are_events_at_their_instants() -> None:
    d = bd.Diagram("events")
    d.add("ramp", bd.Ramp(slope=1.0))
    for name, block in {
        "floor": bd.Round("floor"),
        "mod": bd.Modulo(divisor=0.73),
        "round": bd.Round(),
    }.items():
        d.connect("ramp", d.add(name, block), d.add(f"{name}_area", bd.Integrator()))
    d.add("least", bd.MinMax("min", 3))
    d.connect("ramp", "least[0]")
    d.connect(d.add("wave", bd.Sine(bias=1.0)), "least[1]")
    d.connect(d.add("two", bd.Constant(1.2)), "least[2]")
    d.connect("least", d.add("least_area", bd.Integrator()))
    r = d.simulate(stop=3.9, rtol=1e-11, atol=1e-13)

    def times(path: str) -> list[float]:
        return [event.time for event in r.events if event.path == path and event.time > 0.1]  # it leaves 0

    np.testing.assert_allclose(times("floor"), [1, 2, 3], atol=1e-14)
    np.testing.assert_allclose(times("round"), [0.5, 1.5, 2.5, 3.5], atol=1e-14)
    np.testing.assert_allclose(times("mod"), 0.73 * np.arange(1, 6), atol=1e-14)
    assert r.final("floor_area") == pytest.approx(5.7, abs=1e-13)
    assert r.final("round_area") == pytest.approx(7.6, abs=1e-13)
    assert r.final("mod_area") == pytest.approx(5 * 0.73**2 / 2 + 0.25**2 / 2, abs=1e-12)
    below = pi - np.arcsin(0.2)  # 1 + sin t falls below 1.2 there; before, min(t, 1.2) is the least
    expected = 1.2**2 / 2 + 1.2 * (below - 1.2) + (3.9 - below) + np.cos(below) - np.cos(3.9)
    assert r.final("least_area") == pytest.approx(expected, abs=1e-10)


def test_tables_of_elements_are_whole_for_each_in_long_loops_too() -> None:
    """40 elements are a loop in machine code, 4 x 5 of two shapes are written out."""
    d = bd.Diagram("long")
    d.connect(
        d.add("u", bd.Constant(np.linspace(-1.0, 2.0, 40))), d.add("y", bd.Polynomial([1.0, 0.0, -2.0]))
    )
    d.connect(d.add("m", bd.Constant(np.ones((4, 5)))), d.add("z", bd.Polynomial([1.0, 2.0, 3.0])))
    for compiled in (True, False):
        r = d.simulate(stop=0.0, compiled=compiled, set={"z.coefficients": [1.0, 1.0, 1.0]})
        np.testing.assert_allclose(r.final("y"), np.linspace(-1.0, 2.0, 40) ** 2 - 2.0, atol=1e-15)
        np.testing.assert_array_equal(r.final("z"), np.full((4, 5), 3.0))


@pytest.mark.parametrize(
    ("block", "u"),
    [(bd.Sqrt(), -1.0), (bd.Log(), 0.0), (bd.Log("10"), -2.0), (bd.Exp(), 800.0), (bd.Modulo(), 0.0)],
    ids=["root", "log of 0", "log of -2", "overflow", "modulo 0"],
)
def test_where_they_have_no_value_the_run_ends_and_says_where(block: bd.Block, u: float) -> None:
    d = bd.Diagram()
    d.add("y", block)
    d.add("u", bd.Constant(u))
    for port in block.input_ports():
        d.connect("u", f"y.{port.name}")
    with pytest.raises(NotFinite, match=r"y\.y"):
        d.simulate(stop=1.0, compiled=False)


def test_a_root_that_comes_to_zero_is_told_when_it_passes_it() -> None:
    d = bd.Diagram()
    d.connect(d.add("u", bd.Ramp(slope=-1.0, initial=1.0)), d.add("root", bd.Sqrt()))
    with pytest.raises(NotFinite, match=r"root\.y") as failed:
        d.simulate(stop=3.0)
    assert failed.value.time is not None
    assert failed.value.time >= 1.0


def test_sizes_and_parameters_that_do_not_do_are_told() -> None:
    for wrong in (
        lambda: bd.MinMax(count=1), lambda: bd.MinMax("least"), lambda: bd.Modulo(divisor=0.0),
        lambda: bd.Log(base="3"), lambda: bd.Solve(n=0), lambda: bd.Determinant(n=101),
        lambda: bd.Round("up"),
        lambda: bd.Polynomial([]), lambda: bd.Solve(columns=0),
    ):  # fmt: skip
        with pytest.raises(bd.ParameterError, match="expected"):
            wrong()
    for block, shape in (
        (bd.Dot(), ()), (bd.Cross(), (2,)), (bd.SumOfElements(), ()), (bd.CumulativeSum(), (2, 2)),
        (bd.CumulativeSum("rows"), (2,)), (bd.Trace(), (2, 3)), (bd.Diagonal(), (3,)),
        (bd.Diagonal("matrix"), ()),
    ):  # fmt: skip
        d = bd.Diagram()
        d.add("block", block)
        for i, _ in enumerate(block.input_ports()):
            d.connect(d.add(f"u{i}", bd.Constant(np.ones(shape))), f"block[{i}]")
        with pytest.raises(bd.BlockdynError, match="block"):
            d.compile()


def test_solutions_and_determinants_are_those_of_lapack() -> None:
    rng = np.random.default_rng(8)
    d = bd.Diagram("equations")
    cases = {}
    for n in (1, 2, 5, 9):
        A, b, B = rng.standard_normal((n, n)), rng.standard_normal(n), rng.standard_normal((n, 3))
        A[0, 0] = 0.0 if n > 1 else 2.0  # a pivot has to be sought
        for name, value in ((f"A{n}", A), (f"b{n}", b), (f"B{n}", B)):
            d.add(name, bd.Constant(value))
        d.add(f"x{n}", bd.Solve(n=n))
        d.add(f"X{n}", bd.Solve(n=n, columns=3))
        d.add(f"det{n}", bd.Determinant(n=n))
        for source, port in ((f"A{n}", "A"), (f"b{n}", "b")):
            d.connect(source, f"x{n}.{port}")
        d.connect(f"A{n}", f"X{n}.A")
        d.connect(f"B{n}", f"X{n}.b")
        d.connect(f"A{n}", f"det{n}")
        cases |= {f"x{n}": np.linalg.solve(A, b), f"X{n}": np.linalg.solve(A, B), f"det{n}": np.linalg.det(A)}
    d.add("flat", bd.Constant([[1.0, 2.0], [2.0, 4.0]]))
    d.connect("flat", d.add("none", bd.Determinant(n=2)))
    r = d.simulate(stop=0.0)
    for name, expected in cases.items():
        np.testing.assert_allclose(r.final(name), expected, rtol=1e-9, atol=1e-12)
    assert r.final("none") == 0.0
    d.add("lost", bd.Solve(n=2))
    d.connect("flat", "lost.A")
    d.connect("b2", "lost.b")
    with pytest.raises(bd.RunError, match=r"lost.*singular"):
        d.simulate(stop=0.0)
