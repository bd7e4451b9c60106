"""HitCrossing: every passage of a fast sine is counted, at its time."""

from __future__ import annotations

from math import pi

import numpy as np
import pytest

import blockdyn as bd


def count(source: bd.Block, stop: float, **hit: object) -> bd.Result:
    d = bd.Diagram()
    d.add("u", source)
    d.add("hit", bd.HitCrossing(**hit))  # type: ignore[arg-type]
    d.connect("u", "hit")
    return d.simulate(stop=stop)


@pytest.mark.parametrize(("direction", "number"), [("rising", 500), ("falling", 500), ("either", 1000)])
def test_all_500_periods_of_a_50_hz_sine(direction: str, number: int) -> None:
    r = count(bd.Sine(frequency=100 * pi, phase=pi / 3), 10.0, direction=direction)
    assert r.final("hit") == number
    assert np.all(np.diff(r.trace("hit").values) >= 0)


def test_passages_of_a_high_level_are_located() -> None:
    r = count(bd.Sine(frequency=100 * pi), 0.1, direction="rising", level=0.5)
    times = [e.time for e in r.events if e.path == "hit"]
    assert times == pytest.approx([0.02 * k + 0.02 / 12 for k in range(5)], abs=1e-15)


def test_two_passages_within_one_step() -> None:
    """A parabola that dips below zero for 2 ms in a run of 10 s."""
    d = bd.Diagram()
    d.add("f", bd.Expression(formula="(t - 5.037) ** 2 - 1e-6"))
    d.add("hit", bd.HitCrossing())
    d.connect("f", "hit")
    r = d.simulate(stop=10.0)
    times = [e.time for e in r.events if e.path == "hit"]
    assert times == pytest.approx([5.036, 5.038], abs=1e-11)


def test_elements_count_for_themselves() -> None:
    r = count(bd.Sine(frequency=[2 * pi, 6 * pi], phase=0.1), 4.0, direction="falling")
    assert r.final("hit").tolist() == [4.0, 12.0]  # type: ignore[union-attr]


def test_jumps_count_too() -> None:
    """A square wave that starts high rises ten times more in ten periods."""
    assert count(bd.Square(period=0.1), 1.0, direction="rising", initial=5.0).final("hit") == 5.0 + 10.0


def test_a_touch_is_no_passage() -> None:
    assert count(bd.Expression(formula="(t - 1) ** 2"), 2.0).final("hit") == 0.0


def passages(d: bd.Diagram, **run: object) -> list[tuple[float, str]]:
    """Times and directions of the events of the block `hit`."""
    r = d.simulate(**run)  # type: ignore[arg-type]
    return [(event.time, event.direction) for event in r.events if event.path == "hit"]


def seen(source: bd.Block, direction: str = "either") -> bd.Diagram:
    d = bd.Diagram()
    d.connect(d.add("u", source), d.add("hit", bd.HitCrossing(direction=direction)))
    return d


@pytest.mark.parametrize("beside", [False, True])
@pytest.mark.parametrize(
    ("formula", "direction", "expected"),
    [
        ("sin(t)", "either", [(pi, "falling"), (2 * pi, "rising")]),
        ("sin(t)", "rising", [(2 * pi, "rising")]),
        ("-sin(t)", "falling", [(2 * pi, "falling")]),
        ("1 - cos(t)", "rising", []),
        ("1 - cos(t)", "either", []),
        ("t ** 2", "rising", []),
        ("t ** 3", "rising", []),
        ("(t - 1) ** 2", "either", []),
        ("(t - 1) ** 3", "rising", [(1.0, "rising")]),
        ("0 * t", "either", []),
    ],
)
def test_only_a_change_of_sign_is_a_passage(
    formula: str, direction: str, expected: list[tuple[float, str]], beside: bool
) -> None:
    """Neither a start at the level nor a touch is one, and each says which way it went."""
    d = seen(bd.Expression(formula), direction)
    if beside:
        x = d.add("x", bd.Integrator(1.0))
        d.connect(x, d.add("k", bd.Gain(-1.0)), x)
    found = passages(d, stop=7.0)
    assert [way for _, way in found] == [way for _, way in expected]
    assert [time for time, _ in found] == pytest.approx([time for time, _ in expected], abs=1e-5)


STAYS = bd.PiecewiseLinear(times=[0.0, 1.0, 2.0, 3.0], values=[-1.0, 0.0, 0.0, -1.0])
GOES_ON = bd.PiecewiseLinear(times=[0.0, 1.0, 2.0, 3.0], values=[-1.0, 0.0, 0.0, 1.0])
AT_ZERO = bd.PiecewiseLinear(times=[0.0, 1.0, 2.0, 3.0], values=[0.0, 0.0, 1.0, -1.0])


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (STAYS, []),
        (GOES_ON, [(2.0, "rising")]),
        (AT_ZERO, [(2.5, "falling")]),
        (
            bd.PiecewiseConstant(times=[1.0, 2.0, 3.0], values=[1.0, 2.0, -1.0], initial=-1.0),
            [(1.0, "rising"), (3.0, "falling")],
        ),
        (bd.PiecewiseConstant(times=[1.0, 2.0], values=[0.0, 1.0], initial=-1.0), [(2.0, "rising")]),
        (bd.PiecewiseConstant(times=[1.0, 2.0], values=[0.0, -1.0], initial=-1.0), []),
    ],
)
def test_a_rest_at_the_level_and_jumps(source: bd.Block, expected: list[tuple[float, str]]) -> None:
    """The signs before and after a rest decide; what comes to the level by a jump rests there too."""
    found = passages(seen(source), stop=3.0)
    assert [way for _, way in found] == [way for _, way in expected]
    assert [time for time, _ in found] == pytest.approx([time for time, _ in expected], abs=1e-12)


class Counter(bd.Block):
    """A counter of one's own: how often u has risen through zero; `passage` as it is declared."""

    inputs = (bd.Port("u"),)
    states = (bd.State("count", "initial", held=True),)
    crossings = (bd.Crossing("up", 1, passage=True),)

    initial: float = bd.parameter(default=0.0)

    @staticmethod
    def crossing(u: float) -> float:
        return u

    @staticmethod
    def jump(count: float, crossed_up: int) -> float:
        return count + 1.0 if crossed_up == 1 else count

    @staticmethod
    def output(count: float) -> float:
        return count


class Careless(Counter):
    """The same without `passage`: leaving zero at the start counts, once."""

    crossings = (bd.Crossing("up", 1),)


@pytest.mark.parametrize(("kind", "number"), [(Counter, 0.0), (Careless, 1.0)])
def test_counters_of_ones_own(kind: type[bd.Block], number: float) -> None:
    d = bd.Diagram()
    d.connect(d.add("u", bd.Expression("1 - cos(t)")), d.add("own", kind()))
    assert d.simulate(stop=5.0).final("own") == number


def test_a_ball_that_starts_on_its_floor_does_not_fall_through() -> None:
    """A crossing that is no counter fires when it leaves zero: the ball bounces without end, and says so."""
    d = bd.Diagram()
    v, x = d.add("v", bd.Integrator(reset="falling", level=0.0)), d.add("x", bd.Integrator())
    d.connect(d.add("g", bd.Constant(-9.81)), v["u"])
    d.connect(v, x, v["trigger"])
    d.connect(v, d.add("back", bd.Gain(-0.5)), v["value"])
    with pytest.raises(bd.RunError, match="ever faster"):
        d.simulate(stop=1.0)


def test_the_direction_survives_a_file(tmp_path: object) -> None:
    r = seen(bd.Sine()).simulate(stop=7.0)
    r.save(f"{tmp_path}/waves.nc")
    assert [event.direction for event in bd.load_result(f"{tmp_path}/waves.nc").events] == [
        "falling",
        "rising",
    ]


@pytest.mark.parametrize(
    ("signal", "level", "passages"),
    [
        ([bd.Sine(), bd.Abs()], 0.0, 0),  # |sin t| touches zero at pi and 2 pi
        ([bd.Clock(), bd.Expression("abs(u - 1)")], 0.0, 0),
        (
            [bd.Clock(), bd.Expression("where(u < 1, -1, where(u < 2, 0, 1))")],
            0.0,
            1,
        ),  # rests at zero, then rises
        ([bd.Constant(-1.0), bd.Integrator(1.0), bd.Abs()], 0.0, 0),  # |1 - t|
        ([bd.Constant(0.0), bd.Integrator(5.0), bd.Saturation(-1.0, 1.0)], 2.0, 0),  # 1 throughout
        ([bd.Sine(), bd.Abs()], 0.5, 5),  # at pi/6, 5 pi/6, 7 pi/6, 11 pi/6, 13 pi/6
    ],
    ids=str,
)
@pytest.mark.parametrize("compiled", [True, False])
def test_a_signal_is_judged_when_the_modes_behind_it_have_settled(
    signal: list[bd.Block], level: float, passages: int, compiled: bool
) -> None:
    d = bd.Diagram()
    hits = d.add("hits", bd.HitCrossing(level=level))
    d.connect(*[d.add(f"b{i}", block) for i, block in enumerate(signal)], hits)
    r = d.simulate(stop=7.0, compiled=compiled)
    assert r.final("hits") == passages
    assert len([event for event in r.events if event.path == "hits"]) == passages
