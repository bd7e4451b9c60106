"""Tables over signals: SciPy's interpolation, kinks as events, what is outside, searches and inverses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy.interpolate import Akima1DInterpolator, CubicSpline, RectBivariateSpline, RegularGridInterpolator

import blockdyn as bd
from blockdyn.blocks.lookup.axis import cell, finder

pytestmark = pytest.mark.xdist_group("lookups")  # one worker compiles the tables
RNG = np.random.default_rng(12)
X = np.sort(RNG.uniform(0.0, 10.0, 14))
EVEN = np.linspace(-1.0, 3.0, 9)
Z = np.array([0.0, 0.1, 0.7, 1.0])
Y, T = RNG.standard_normal(14), RNG.standard_normal((14, 9))
CUBE = RNG.standard_normal((14, 9, 4))
TIMES = np.linspace(0.0, 3.0, 181) + 1e-3
METHODS = ("held", "linear", "cubic", "akima")
MOTION = [(7.0, 5.0, 1.0), (2.5, 1.0, 3.0), (0.8, 0.5, 2.0)]  # amplitude, mean, frequency: out of each axis


def outcome(result: bd.Result, name: str) -> np.ndarray:
    return result[name].sel(time=TIMES, method="ffill").values  # held ones change at events alone


@pytest.fixture(scope="module")
def run() -> bd.Result:
    d = bd.Diagram("tables")
    amplitude, bias, frequency = map(list, zip(*MOTION))
    d.add("u", bd.Sine(amplitude=amplitude, bias=bias, frequency=frequency))
    d.connect("u", d.add("each", bd.Demux(3)))
    for method in METHODS:
        for events in (False, True):
            for outside in ("clip", "extrapolate"):
                name = f"{method}_{outside}_{events:d}"
                how: dict[str, Any] = {"method": method, "outside": outside, "events": events}
                d.connect("u", d.add(f"one_{name}", bd.Lookup1D(X, Y, **how)))
                d.add(f"two_{name}", bd.Lookup2D(X, EVEN, T, **how))
                d.connect("each[0]", f"two_{name}.u0")
                d.connect("each[1]", f"two_{name}.u1")
                axes = [X.tolist(), EVEN.tolist(), Z.tolist()]
                d.connect("u", d.add(f"any_{name}", bd.LookupND(axes, CUBE.tolist(), **how)))
    d.add("pre", bd.Prelookup(X))
    d.add("next", bd.Prelookup(EVEN))
    d.connect("each[0]", "pre")
    d.connect("each[1]", "next")
    d.add("shared", bd.InterpolationPrelookup(Y))
    d.add("grid", bd.InterpolationPrelookup(T))
    for source, ports in (("pre", ("shared.index", "shared.fraction")),
                          ("pre", ("grid.index0", "grid.fraction0")),
                          ("next", ("grid.index1", "grid.fraction1"))):  # fmt: skip
        for output, port in zip(("index", "fraction"), ports, strict=True):
            d.connect(f"{source}.{output}", port)
    rising = np.cumsum(0.1 + np.abs(Y))
    d.connect("each[0]", d.add("there", bd.Lookup1D(X, rising)), d.add("back", bd.InverseLookup(X, rising)))
    d.connect(
        "each[0]",
        d.add("falls", bd.Lookup1D(X, -rising)),
        d.add("home", bd.InverseLookup(X, -rising, events=True)),
    )
    return d.simulate(times=TIMES)


def signals() -> list[np.ndarray]:
    return [m + a * np.sin(w * TIMES) for a, m, w in MOTION]


def test_one_axis_is_numpys_and_scipys(run: bd.Result) -> None:
    u = np.column_stack(signals())
    inside = np.clip(u, X[0], X[-1])
    curves: dict[str, Callable[[Any], Any]] = {
        "held": lambda u: Y[np.clip(np.searchsorted(X, u, "right") - 1, 0, 13)],
        "linear": RegularGridInterpolator((X,), Y, bounds_error=False, fill_value=None),
        "cubic": CubicSpline(X, Y),
        "akima": Akima1DInterpolator(X, Y, extrapolate=True),
    }
    for method, curve in curves.items():
        for events in "01":
            for outside, at in (("clip", inside), ("extrapolate", u)):
                expected = np.reshape(curve(at.reshape(-1, 1) if method == "linear" else at), u.shape)
                np.testing.assert_allclose(
                    outcome(run, f"one_{method}_{outside}_{events}"), expected, rtol=1e-9, atol=1e-11
                )


def test_two_and_three_axes_are_scipys_on_regular_grids(run: bd.Result) -> None:
    u = np.column_stack(signals())
    inside = np.column_stack(
        [np.clip(s, axis[0], axis[-1]) for s, axis in zip(signals(), (X, EVEN, Z), strict=True)]
    )
    spline = RectBivariateSpline(X, EVEN, T, kx=3, ky=3, s=0)
    cube = RegularGridInterpolator(
        (X, EVEN, Z), CUBE, method="cubic", solver_args={"rtol": 1e-13, "atol": 1e-13}
    )
    for events in "01":
        for outside, at in (("clip", inside), ("extrapolate", u)):
            for name, axes, table in (("two", (X, EVEN), T), ("any", (X, EVEN, Z), CUBE)):
                linear = RegularGridInterpolator(axes, table, bounds_error=False, fill_value=None)
                y = outcome(run, f"{name}_linear_{outside}_{events}")
                np.testing.assert_allclose(y, linear(at[:, : len(axes)]), rtol=1e-9, atol=1e-11)
            places = [np.clip(np.searchsorted(axis, s, "right") - 1, 0, axis.size - 1)
                      for axis, s in zip((X, EVEN, Z), signals(), strict=True)]  # fmt: skip
            np.testing.assert_array_equal(
                outcome(run, f"two_held_{outside}_{events}"), T[places[0], places[1]]
            )
            np.testing.assert_array_equal(outcome(run, f"any_held_{outside}_{events}"), CUBE[tuple(places)])
        y = outcome(run, f"two_cubic_clip_{events}")
        np.testing.assert_allclose(y, spline(inside[:, 0], inside[:, 1], grid=False), atol=1e-10)
        np.testing.assert_allclose(outcome(run, f"any_cubic_clip_{events}"), cube(inside), atol=1e-9)


def test_akima_on_a_grid_goes_through_its_points_and_is_smooth() -> None:
    """Along a line of the grid it is SciPy's curve; in between the value and both slopes are continuous."""
    d = bd.Diagram()
    d.add("t", bd.Ramp(slope=1.0, initial=0.0))
    d.add("y", bd.Constant(float(EVEN[3])))
    d.add("f", bd.Lookup2D(X, EVEN, T, method="akima"))
    d.connect("t", "f.u0")
    d.connect("y", "f.u1")
    times = np.linspace(X[0], X[-1], 200)
    along = d.simulate(times=times)["f"].values
    np.testing.assert_allclose(along, Akima1DInterpolator(X, T[:, 3])(times), atol=1e-12)
    near = []
    for shift in (-1e-7, 0.0, 1e-7):
        c = bd.Diagram()
        c.add("f", bd.Lookup2D(X, EVEN, T, method="akima"))
        c.connect(c.add("x", bd.Constant(float(X[5]) + shift)), "f.u0")
        c.connect(c.add("y", bd.Constant(0.5 * float(EVEN[3] + EVEN[4]))), "f.u1")
        near.append(float(c.simulate(stop=0.0).final("f")))
    assert near[2] - near[1] == pytest.approx(near[1] - near[0], rel=1e-4, abs=1e-14)


def test_a_search_that_is_shared_and_an_inverse(run: bd.Result) -> None:
    u, v, _ = signals()
    np.testing.assert_allclose(outcome(run, "shared"), np.interp(u, X, Y), atol=1e-14)
    np.testing.assert_allclose(outcome(run, "grid"), outcome(run, "two_linear_clip_0"), atol=1e-14)
    np.testing.assert_allclose(outcome(run, "back"), np.clip(u, X[0], X[-1]), atol=1e-12)
    np.testing.assert_allclose(outcome(run, "home"), np.clip(u, X[0], X[-1]), atol=1e-12)
    assert v.size == TIMES.size


def test_every_cell_is_found_at_its_points_and_beside_them() -> None:
    for points in (
        X,
        EVEN,
        np.geomspace(1e-9, 1e6, 40),
        np.array([0.0, 1e-300, 1.0]),
        np.linspace(0.1, 0.7, 7),
    ):
        by = finder(points)
        for k, p in enumerate(points.tolist()):
            for u in (np.nextafter(p, -np.inf), p, np.nextafter(p, np.inf)):
                expected = min(max(int(np.searchsorted(points, u, "right")) - 1, 0), points.size - 2)
                assert cell(float(u), points, by["starts"], float(by["scale"])) == expected, (k, u)


def test_kinks_are_events_on_request_and_make_integrals_exact() -> None:
    d = bd.Diagram("kinks")
    d.add("ramp", bd.Ramp(slope=1.0, initial=-0.5))
    for name, block in {
        "held": bd.Lookup1D([0, 1, 2.5], [1.0, 3.0, -2.0], method="held"),
        "line": bd.Lookup1D([0, 1, 2.5], [1.0, 3.0, -2.0], events=True),
        "smooth": bd.Lookup1D([0, 1, 2.5], [1.0, 3.0, -2.0]),
    }.items():
        d.connect("ramp", d.add(name, block), d.add(f"{name}_area", bd.Integrator()))
    r = d.simulate(stop=3.4, rtol=1e-6)
    for name in ("held", "line"):
        times = [event.time for event in r.events if event.path == name]
        np.testing.assert_allclose(times, [0.5, 1.5, 3.0], atol=1e-14)
    assert not [event for event in r.events if event.path == "smooth"]
    assert r.final("held_area") == pytest.approx(1.5 + 4.5 - 0.8, abs=1e-13)
    assert r.final("line_area") == pytest.approx(0.5 + 2.0 + 0.75 - 0.8, abs=1e-13)
    assert r.final("smooth_area") == pytest.approx(2.45, abs=1e-4)


@pytest.mark.parametrize("events", [False, True])
def test_outside_may_be_an_error_that_names_the_block(events: bool) -> None:
    for block in (
        bd.Lookup1D([0, 1], [0, 1], outside="error", events=events),
        bd.Lookup2D([0, 1], [0, 9], [[0, 1], [2, 3]], outside="error", events=events, method="cubic"),
        bd.LookupND([[0, 1], [0, 9]], [[0, 1], [2, 3]], outside="error", events=events, method="held"),
    ):
        d = bd.Diagram()
        d.add("f", block)
        d.add("ramp", bd.Ramp(slope=1.0, initial=0.2))
        if len(block.input_ports()) == 2:
            d.connect("ramp", "f[0]")
            d.connect("ramp", "f[1]")
        elif isinstance(block, bd.LookupND):
            d.connect(_pair(d), "f")
        else:
            d.connect("ramp", "f")
        assert d.simulate(stop=0.5).complete
        with pytest.raises(bd.RunError, match=r"f.*outside its breakpoints") as failed:
            d.simulate(stop=3.0)
        assert failed.value.time is not None
        assert failed.value.time == pytest.approx(0.8, abs=0.3)


def _pair(d: bd.Diagram) -> Any:
    pair = d.add("pair", bd.Mux(2))
    d.connect("ramp", "pair[0]")
    d.connect("ramp", "pair[1]")
    return pair
