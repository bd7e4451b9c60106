"""Time events that a block announces as it goes: random arrivals, samples at instants of its own, delays."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest
from scipy.stats import expon, kstest

import blockdyn as bd
from blockdyn.blocks.contract import registry
from blockdyn.blocks.contract.errors import DeclarationError
from blockdyn.diagrams.compiler.report import make_report
from blockdyn.diagrams.model.errors import NotFinite, Unsettled, Zeno
from blockdyn.diagrams.yaml import loads

from .announcing import Alarms, Arrivals, Monoflop, Sampler, drawn

WAYS = pytest.mark.parametrize(
    "how",
    [{}, {"compiled": False}, {"method": "rk4", "step": 0.03}, {"method": "dop853"}, {"method": "radau5"}],
    ids=["dopri5", "interpreted", "rk4", "dop853", "radau5"],
)


def moving() -> bd.Diagram:
    """Something continuous beside, so that steps have a size of their own."""
    d = bd.Diagram("moving")
    x, v, k = d.add("x", bd.Integrator(1.0)), d.add("v", bd.Integrator(0.0)), d.add("k", bd.Gain(-1.0))
    d.connect(v, x)
    d.connect(x, k, v)
    return d


@WAYS
def test_arrivals_come_at_the_drawn_instants_exactly(how: dict[str, Any]) -> None:
    d = moving()
    d.add("arrivals", Arrivals(rate=3.0))
    r = d.simulate(stop=10.0, seed=4, **how)
    exact = drawn(4, 0, "arrivals", 3.0, 10.0)
    assert [event.time for event in r.events] == exact
    assert r.final("arrivals") == len(exact) == r.statistics["time events"]
    counted = r["arrivals"].sel(time=np.nextafter(exact, 99.0), method="pad").values
    assert counted.tolist() == list(range(1, len(exact) + 1))


def test_a_run_that_is_repeated_or_begins_elsewhere_draws_the_same() -> None:
    d = bd.Diagram()
    d.add("arrivals", Arrivals(rate=2.0))
    program = d.compile()
    first, again = (program.simulate(stop=20.0, seed=1) for _ in range(2))
    assert [e.time for e in first.events] == [e.time for e in again.events]
    later = program.simulate(start=100.0, stop=120.0, seed=1)
    np.testing.assert_allclose(
        [e.time - 100.0 for e in later.events], [e.time for e in first.events], atol=1e-12
    )


def test_a_run_goes_on_where_another_ended() -> None:
    d = moving()
    d.add("arrivals", Arrivals(rate=2.0))
    d.connect("x", d.add("pulse", Monoflop(width=1.0)))
    whole = d.simulate(stop=20.0, seed=1)
    times = [e.time for e in whole.events if e.path == "arrivals"]
    for end in (0.0, 3.0, 5.0, times[3]):  # the first pulse lasts from 4.7 to 5.7
        first = d.simulate(stop=end, seed=1)
        second = d.simulate(start=end, stop=20.0, seed=1, initial=first.final_states())
        both = [e.time for r in (first, second) for e in r.events if e.path == "arrivals"]
        assert both == times
        assert second.final("arrivals") == whole.final("arrivals")
        pulses = [e.time for r in (first, second) for e in r.events if e.path == "pulse"]
        np.testing.assert_allclose(pulses, [e.time for e in whole.events if e.path == "pulse"], atol=1e-5)


@pytest.mark.parametrize("block", ["held.first", "held.step", "arrivals.rate", "pulse.width"])
def test_a_scenario_of_a_sweep_is_the_run_alone(block: str) -> None:
    d = moving()
    d.connect("x", d.add("held", Sampler(first=0.25)))
    d.connect("x", d.add("pulse", Monoflop(width=0.7)), d.add("area", bd.Integrator()))
    d.add("arrivals", Arrivals(rate=2.0))
    measures = {name: {"final": name} for name in ("held", "area", "arrivals")}
    sweep = bd.Sweep(d, {block: [0.2, 0.3, 0.5]}, measures, stop=12.0)
    ensemble = sweep.run()
    for k in range(3):
        alone = sweep.simulate(k)
        assert [alone.final(name) for name in measures] == [ensemble[name][k] for name in measures]


def test_counts_in_a_sweep_have_the_mean_and_the_variance_of_a_poisson_process() -> None:
    """Both are rate T = 50; of 2000 counts the mean has a deviation of 0.16, the variance one of 1.6."""
    d = bd.Diagram()
    d.add("arrivals", Arrivals(rate=5.0))
    measures = {"n": {"final": "arrivals"}, "events": {"count": "arrivals"}}
    sweep = bd.Sweep(d, {"arrivals.rate": [5.0] * 2000}, measures, stop=10.0)
    ensemble = sweep.run()
    counts = ensemble["n"]
    assert counts.mean() == pytest.approx(50.0, abs=4 * 0.16)
    assert counts.var() == pytest.approx(50.0, abs=4 * 1.6)
    assert ensemble["events"].tolist() == counts.tolist()
    assert [sweep.simulate(k).final("arrivals") for k in (0, 7, 1999)] == counts[[0, 7, 1999]].tolist()


def test_intervals_are_exponential_and_a_rate_is_an_axis() -> None:
    d = bd.Diagram()
    d.add("arrivals", Arrivals())
    times = [0.0, *(e.time for e in d.simulate(stop=5000.0, set={"arrivals.rate": 2.0}).events)]
    assert kstest(np.diff(times), expon(scale=0.5).cdf).pvalue > 0.01
    rates = [1.0, 2.0, 8.0]
    found = bd.Sweep(d, {"arrivals.rate": rates}, {"n": {"final": "arrivals"}}, stop=500.0, seed=3).run()["n"]
    assert list(found) == [len(drawn(3, k, "arrivals", rate, 500.0)) for k, rate in enumerate(rates)]


@WAYS
def test_a_pulse_lasts_exactly_its_width_after_a_crossing(how: dict[str, Any]) -> None:
    """x = cos t rises through 0 at 3/2 pi and 7/2 pi."""
    d = moving()
    d.connect("x", d.add("pulse", Monoflop(width=0.7)), d.add("area", bd.Integrator()))
    r = d.simulate(stop=15.0, **{"rtol": 1e-9, "atol": 1e-11, **how})
    starts = [e.time for e in r.events if e.kind == "zero crossing"]
    ends = [e.time for e in r.events if e.kind == "time"]
    np.testing.assert_allclose(starts, [1.5 * np.pi, 3.5 * np.pi], atol=1e-5)
    assert ends == [start + 0.7 for start in starts]
    assert r.final("area") == pytest.approx(1.4, abs=1e-9)


@pytest.mark.parametrize("compiled", [True, False])
def test_a_delay_of_no_length_ends_at_the_same_instant(compiled: bool) -> None:
    d = moving()
    d.connect("x", d.add("pulse", Monoflop(width=0.0)), d.add("area", bd.Integrator()))
    r = d.simulate(stop=15.0, compiled=compiled)
    kinds = [e.kind for e in r.events]
    assert kinds == ["zero crossing", "time"] * 2
    assert r.events[0].time == r.events[1].time
    assert r.final("area") == 0.0
    assert r.final("pulse") == 0.0


@WAYS
def test_samples_are_taken_at_instants_of_its_own(how: dict[str, Any]) -> None:
    d = bd.Diagram()
    d.connect(d.add("wave", bd.Sine()), d.add("held", Sampler(first=0.25, step=0.1)))
    d.connect("held", d.add("area", bd.Integrator()))
    r = d.simulate(stop=6.0, **how)
    times = [0.25]
    while times[-1] + len(times) * 0.1 <= 6.0:
        times.append(times[-1] + len(times) * 0.1)
    assert [event.time for event in r.events] == times
    widths = np.diff([*times, 6.0])
    assert r.final("area") == pytest.approx(float(np.sin(times) @ widths), abs=1e-12)


@pytest.mark.parametrize("compiled", [True, False])
def test_each_element_announces_its_own_instant(compiled: bool) -> None:
    d = bd.Diagram()
    d.add("alarms", Alarms())
    r = d.simulate(stop=1.0, compiled=compiled)
    assert [event.time for event in r.events] == [0.1, 0.3, 0.7]  # two of the four are at one instant
    assert r["alarms"].sel(time=[0.05, 0.2, 0.5, 0.9], method="pad").values.tolist() == [0, 1, 3, 4]


def test_the_start_and_the_end_belong_to_the_run() -> None:
    d = bd.Diagram()
    d.add("alarms", Alarms(after=[-1.0, 0.0, 1.0, 1.0 + 1e-12]))
    r = d.simulate(stop=1.0)
    assert [event.time for event in r.events] == [0.0, 1.0]
    assert r.final("alarms") == 3


class Repeated(bd.Block):
    """Announces another instant at each, as its rule says; beside it a state that flows."""

    outputs: ClassVar = (bd.Port("y", 1),)
    states: ClassVar = (bd.State("due", "first", "s", held=True),)

    first: bd.Real = bd.parameter(default=0.5, unit="s", dimensions=(0,))
    rule: bd.Real = bd.parameter(default=0.0, dimensions=(0,))

    def timers(self) -> bd.Timer:
        return bd.Timer(next="due")

    @staticmethod
    def jump(t: float, due: float, mode: int, rule: float) -> float:
        if t < due:
            return due
        if rule == 0.0:
            return math.nan
        return due + rule**mode if rule < 1.0 else due - rule

    @staticmethod
    def output(due: float) -> float:
        return 1.0 if due > 0.0 else -1.0


def repeated(**parameters: float) -> bd.Diagram:
    d = moving()
    d.add("clock", Repeated(**parameters))
    return d


@pytest.mark.parametrize("how", [{}, {"compiled": False}, {"method": "radau5"}])
@pytest.mark.parametrize("first", [0.0, 0.5])
def test_an_instant_that_is_no_number_is_named(first: float, how: dict[str, Any]) -> None:
    with pytest.raises(bd.RunError, match=r"clock\.due became nan at t = ") as caught:
        repeated(first=first).simulate(stop=3.0, **how)
    assert isinstance(caught.value, NotFinite)
    assert (caught.value.path, caught.value.port, caught.value.time) == ("clock", "due", first)


@pytest.mark.parametrize("compiled", [True, False])
def test_instants_that_have_passed_without_end_are_named(compiled: bool) -> None:
    with pytest.raises(
        Unsettled, match=r"clock\.due still schedules .* at t = 0\.5 s; .* -\d+\.5 s"
    ) as caught:
        repeated(rule=2.0).simulate(stop=3.0, compiled=compiled)
    assert (caught.value.path, caught.value.port, caught.value.time) == ("clock", "due", 0.5)


@pytest.mark.parametrize("compiled", [True, False])
@pytest.mark.parametrize("ratio", [0.1, 0.5, 0.9])
def test_instants_that_accumulate_are_zeno(ratio: float, compiled: bool) -> None:
    """Event n is at 1/2 + r + ... + r^n, which goes to 1/2 + r / (1 - r)."""
    end = 0.5 + ratio / (1.0 - ratio)
    d = repeated(rule=ratio)
    with pytest.raises(Zeno) as caught:
        d.simulate(stop=20.0, compiled=compiled)
    assert (caught.value.path, caught.value.port) == ("clock", "due")
    assert caught.value.time == pytest.approx(end, abs=1e-8)
    assert d.simulate(stop=20.0, compiled=compiled, on_zeno="stop").provenance.stopped_by == "events"
    assert d.simulate(stop=end - 1e-3, compiled=compiled).complete


def test_many_timers_of_one_instant_are_not_zeno() -> None:
    """110 of them at one instant, and 110 whose instants follow one another by one spacing of doubles."""
    d = bd.Diagram()
    later = 1.0
    for k in range(110):
        d.add(f"same{k}", Alarms(after=[0.5]))
        d.add(f"next{k}", Alarms(after=[later]))
        later = float(np.nextafter(later, 2.0))
    r = d.simulate(stop=2.0)
    assert r.complete
    assert len(r.events) == 220


@pytest.fixture
def offered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "plugins", lambda: {"mine": {"Sampler": Sampler, "Arrivals": Arrivals}})


@pytest.mark.usefixtures("offered")
def test_the_same_in_yaml() -> None:
    text = """
blockdyn: 1
name: sampled
blocks:
  wave: {type: Sine}
  held: {type: Sampler, first: 0.25}
  arrivals: {type: Arrivals, rate: 4}
wires: [wave -> held]
simulate: {stop: 2.0, seed: 9}
"""
    d = loads(text)
    r = d.simulate()
    assert [e.time for e in r.events if e.path == "arrivals"] == drawn(9, 0, "arrivals", 4.0, 2.0)
    last = max(e.time for e in r.events if e.path == "held")
    assert r.final("held") == pytest.approx(np.sin(last), abs=1e-15)
    assert loads(bd.dumps(d)).simulate().final("held") == r.final("held")
    assert "at the time in its state `due`" in [event.what for event in make_report(d.compile()).events]


def refused(**facts: Any) -> None:
    def timers(self: Any) -> bd.Timer:
        return bd.Timer(next="due")

    body = {"timers": timers, "output": staticmethod(lambda mode: float(mode)), "__module__": __name__}
    type("Wrong", (bd.Block,), body | facts)()


@pytest.mark.parametrize(
    "states",
    [(), (bd.State("other", "zero", held=True),), (bd.State("due", "zero"),)],
    ids=["none", "another", "one that flows"],
)
def test_a_timer_needs_a_held_state(states: tuple[bd.State, ...]) -> None:
    functions = {"jump": staticmethod(lambda t: t)} if states and states[0].held else {}
    functions |= {"derivative": staticmethod(lambda t: t)} if states and not states[0].held else {}
    with pytest.raises(DeclarationError, match=r"timers\(\).*Timer\(next='due'\)(.|\n)*held state"):
        refused(states=states, constants=lambda self: {"zero": 0.0}, **functions)


@pytest.mark.parametrize(
    "given", [{"next": 3}, {"next": "due", "period": 1.0}, {"next": "due", "times": (1.0,)}]
)
def test_a_timer_is_announced_or_known_beforehand(given: dict[str, Any]) -> None:
    with pytest.raises(bd.BlockdynError, match="expected: "):
        bd.Timer(**given)
