"""If, SwitchCase and Merge: one of several subsystems works, and its output goes on."""

from __future__ import annotations

import numpy as np
import pytest

import blockdyn as bd

PI = np.pi


def branch(gain: float) -> bd.Diagram:
    """The integral of a gain over the time of its work, and the gain as a vector."""
    inner = bd.Diagram("branch")
    inner.add("enable", bd.Enable())
    inner.connect(
        inner.add("k", bd.Constant(gain)), inner.add("x", bd.Integrator()), inner.add("y", bd.Outport())
    )
    return inner


def everything() -> bd.Diagram:
    d = bd.Diagram("everything")
    sine, time = d.add("sine", bd.Sine()), d.add("time", bd.Clock())
    choose = d.add("choose", bd.If({"high": "s > 0.5", "low": "s < -0.5"}))
    d.connect(sine, choose)
    cases = d.add("cases", bd.SwitchCase({"one": 1, "more": [2, 3]}))
    d.connect(time, cases)
    for name, source in {
        "high": choose["high"],
        "low": choose["low"],
        "one": cases["one"],
        "more": cases["more"],
    }.items():
        d.add(name, branch({"high": 1.0, "low": 10.0, "one": 1.0, "more": 10.0}[name]))
        d.connect(source, d[name]["enable"])
    for name, pair in {"sum": ("high", "low"), "number": ("one", "more")}.items():
        merge = d.add(name, bd.Merge(2, initial=-1.0))
        d.connect(d[pair[0]]["y"], merge[0])
        d.connect(d[pair[1]]["y"], merge[1])
    d.connect(cases["otherwise"], d.add("other", bd.Gain(1.0)))
    return d


def test_one_works_and_merge_keeps_the_last() -> None:
    d = everything()
    times = [0.2, 1.0, 2.0, 3.0, 4.0, 5.0, 7.2]
    for compiled in (True, False):
        r = d.simulate(times=times, compiled=compiled)
        high, low = 2 * PI / 3, 10.0 * 2 * PI / 3  # from pi/6 to 5 pi/6, from 7 pi/6 to 11 pi/6
        expected = [
            -1.0,
            1.0 - PI / 6,
            2.0 - PI / 6,
            high,
            10.0 * (4.0 - 7 * PI / 6),
            10.0 * (5.0 - 7 * PI / 6),
        ]
        expected.append(high + 7.2 - 13 * PI / 6)
        np.testing.assert_allclose(r["sum"].values, expected, rtol=1e-9)
        assert r.final("low.y") == pytest.approx(low)
        # 1 from 0.5 to 1.5; 2 and 3 to 3.5
        np.testing.assert_allclose(r["number"].values, [-1.0, 0.5, 5.0, 15.0, 20.0, 20.0, 20.0], rtol=1e-9)
        assert r["other"].values.tolist() == [1.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0]
    assert not any(key.startswith("python") for key in d.simulate(stop=1.0).statistics)


def test_exactly_one_is_true() -> None:
    d = everything()
    d.connect("sine", d.add("many", bd.If({"a": "u > 0.9", "b": "u > 0.1", "c": "u > -0.4 and t < 5"})))
    r = d.simulate(stop=9.0, times=np.linspace(0.0, 9.0, 200))
    s = np.sin(np.linspace(0.0, 9.0, 200))
    outputs = np.array([r[f"many.{name}"].values for name in ("a", "b", "c", "otherwise")])
    assert (outputs.sum(axis=0) == 1.0).all()
    np.testing.assert_array_equal(outputs[0] == 1.0, s > 0.9)
    np.testing.assert_array_equal(outputs[1] == 1.0, (s > 0.1) & (s <= 0.9))


@pytest.mark.parametrize(
    ("make", "match"),
    [
        (lambda: bd.If({}), "(?s)conditions.*at least one"),
        (lambda: bd.If({"a": "u >"}), "(?s)conditions.*ends too early"),
        (lambda: bd.If({"otherwise": "u > 1"}), "(?s)names for outputs.*not `otherwise`"),
        (lambda: bd.If({"u": "u > 1"}), "not `u`"),
        (lambda: bd.If({"a": "import_it(u)"}), "not a function"),
        (lambda: bd.SwitchCase({"a": [1, 2], "b": 2}), "2 is in `a` and `b`"),
        (lambda: bd.SwitchCase({"a": list(range(0, 60, 2))}), "more conditions than the 30"),
        (lambda: bd.Merge(0), "whole number from 1"),
    ],
)  # fmt: skip
def test_bad_choices(make: object, match: str) -> None:
    with pytest.raises(bd.ParameterError, match=match):
        make()  # type: ignore[operator]


def test_merge_takes_what_is_switched() -> None:
    d = bd.Diagram()
    d.connect(d.add("one", bd.Constant(1.0)), d.add("merge", bd.Merge(1))[0])
    with pytest.raises(bd.BlockdynError, match=r"merge\.u0 comes from one\.y, which is always active"):
        d.check()
