"""A diagram that is run again is compiled again exactly where something has changed since."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.diagrams.model.flatten import flatten
from blockdyn.diagrams.runs.prepared import prepare_run
from blockdyn.native import compiling

factor = 2.0


def times_global(u):
    return factor * u


def nested() -> tuple[bd.Diagram, bd.Diagram]:
    """k = 2 times an inner gain of 3, of a ramp."""
    inner = bd.Diagram("inner", parameters={"g": 3.0})
    u, gain, y = inner.add("u", bd.Inport()), inner.add("gain", bd.Gain(bd.expression("g"))), bd.Outport()
    inner.connect(u, gain, inner.add("y", y))
    outer = bd.Diagram("outer", parameters={"k": 2.0})
    sub = outer.add("sub", inner)
    outer.connect(outer.add("t", bd.Clock()), outer.add("gain", bd.Gain(bd.expression("k"))), sub)
    outer.settings(stop=1.0)
    return outer, inner


CHANGES: dict[str, tuple[Callable[[bd.Diagram, bd.Diagram], object], float]] = {
    "a parameter": (lambda d, _: d.parameter("k", 5.0), 15.0),
    "an inner parameter": (lambda _, inner: inner.parameter("g", 7.0), 14.0),
    "a setting": (lambda d, _: d.settings(stop=2.0), 12.0),
    "a signal of the same name": (lambda d, _: d.log(d.signal("twice", d["sub"])), 6.0),
    "blocks and wires": (lambda d, _: d.connect(d["sub"], d.add("more", bd.Gain(2.0))), 6.0),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_is_seen(change: str) -> None:
    d, inner = nested()
    assert d.simulate().final("sub.y") == pytest.approx(6.0)
    first = d.compile()
    assert d.compile() is first
    make, final = CHANGES[change]
    make(d, inner)
    assert d.compile() is not first
    name = "twice" if change.startswith("a signal") else "sub.y"
    assert d.simulate().final(name) == pytest.approx(final)
    assert d.compile() is d.compile()


def test_a_change_that_is_taken_back_and_other_arguments_are_seen() -> None:
    d, _ = nested()
    assert [d.simulate(parameters={"k": k}).final("sub.y") for k in (4.0, 2.0)] == pytest.approx([12.0, 6.0])
    d.parameter("k", 4.0)
    assert d.simulate().final("sub.y") == pytest.approx(12.0)
    d.parameter("k", 2.0)
    assert d.simulate().final("sub.y") == pytest.approx(6.0)
    assert d.simulate(set={"gain.k": 1.0}).final("sub.y") == pytest.approx(3.0)
    assert d.simulate().final("sub.y") == pytest.approx(6.0)


def test_what_a_function_reads_is_read_again() -> None:
    global factor
    d = bd.Diagram("d")
    d.connect(d.add("one", bd.Constant(1.0)), d.add("f", bd.Function(times_global)))
    assert d.simulate(stop=1.0).final("f") == 2.0
    factor = 3.0
    assert d.simulate(stop=1.0).final("f") == 3.0
    factor = 2.0
    assert d.simulate(stop=1.0).final("f") == 2.0


def test_loops_are_solved_only_where_they_are_to_be() -> None:
    """y = 1 - y / 2 is 2/3."""
    d = bd.Diagram("loop")
    half = d.add("half", bd.Gain(0.5))
    d.connect(d.add("one", bd.Constant(1.0)) - half, half)
    assert d.simulate(stop=1.0, loops="solve").final("half") == pytest.approx(1.0 / 3.0)
    with pytest.raises(bd.DiagramError):
        d.simulate(stop=1.0)
    assert math.isclose(float(d.simulate(stop=1.0, loops="solve").final("half")), 1.0 / 3.0)


def test_settings_that_are_changed_in_their_place_are_seen() -> None:
    d = bd.Diagram("d")
    d.connect(d.add("zero", bd.Constant([0.0, 0.0])), d.add("x", bd.Integrator([1.0, 2.0])))
    first = np.array([1.0, 1.0])
    begin = {"x.x": first}
    d.settings(initial=begin, stop=1.0)
    finals = [d.simulate().final("x")]
    first[0] = 5.0
    finals.append(d.simulate().final("x"))
    begin["x.x"] = np.array([7.0, 7.0])
    finals.append(d.simulate().final("x"))
    np.testing.assert_array_equal(finals, [[1.0, 1.0], [5.0, 1.0], [7.0, 7.0]])


def shifted(offset: float) -> Callable[[float], float]:
    def law(u: float) -> float:
        return u + offset * scale[0]

    return law


scale = np.array([1.0])


class Biased(bd.Block):
    """A block whose constant comes from a global."""

    inputs = (bd.Port("u", 1),)
    outputs = (bd.Port("y", 1),)

    def constants(self) -> dict[str, float]:
        return {"bias": factor}

    @staticmethod
    def output(u: float, bias: float) -> float:
        return u + bias


def test_arrays_closures_and_classes_are_looked_at() -> None:
    global factor
    d = bd.Diagram("d")
    d.connect(d.add("one", bd.Constant(1.0)), d.add("f", bd.Function(shifted(2.0))), d.add("b", Biased()))
    assert d.simulate(stop=1.0).final("f") == 3.0
    assert d.compile() is d.compile()
    scale[0] = 5.0
    assert d.simulate(stop=1.0).final("f") == 11.0
    scale[0] = 1.0
    assert d.simulate(stop=1.0).final("b") == 5.0
    factor = 4.0
    assert d.simulate(stop=1.0).final("b") == 7.0
    factor = 2.0


def tank() -> bd.Diagram:
    """A sampled law, events, a subsystem with a parameter, a function and a block that computes constants."""
    d, _ = nested()
    level = d.add("level", bd.Integrator(1.0))
    law = d.add("law", bd.SampledFunction(times_global, sample_time=0.25))
    d.connect(d["sub"], d.add("sat", bd.Saturation(-1.0, 1.0)), level, law)
    d.connect(
        level, d.add("lag", bd.TransferFunction([1.0], [0.5, 1.0])), d.add("delay", bd.TransportDelay(0.1))
    )
    return d


@pytest.mark.parametrize(
    "changes",
    [
        {"set": {"level.initial": 3.0}},
        {"set": {"sat.upper": 0.5, "sat.lower": -0.25}},
        {"parameters": {"k": -4.0}},
        {"set": {"sub.g": 0.1}},
        {"set": {"law.sample_time": 0.1}},
        {"set": {"lag.den": np.array([2.0, 1.0])}},
        {"set": {"lag.den": np.array([1.0, 2.0, 1.0])}},
        {"set": {"delay.delay": 0.3}},
        {"parameters": {"k": 3.0}, "set": {"gain.k": 1.5}},
        {"set": {"lag.den[0]": 2.0}},
        {"set": {"lag.den[0]": 2.0, "sat.upper": 0.5, "sub/gain.k": 4.0}},
        {"set": {"lag.den": [2.0, 1.0]}},
        {"set": {"lag.den": [1.0, 2.0, 1.0]}},
    ],
)
def test_other_values_give_what_a_diagram_with_these_values_gives(
    changes: dict[str, dict[str, object]],
) -> None:
    """The kept program with other numbers is that of a diagram that has never been run."""
    names = ("sat", "level", "law", "lag", "delay")
    d, fresh = tank(), tank()
    before = [d.simulate(stop=2.0).final(name) for name in names]
    wanted = fresh.simulate(stop=2.0, **changes)
    for _ in range(2):
        result = d.simulate(stop=2.0, **changes)
        for name in names:
            assert np.array_equal(result.trace(name).values, wanted.trace(name).values)
        assert result.provenance.parameters == wanted.provenance.parameters
        assert [d.simulate(stop=2.0).final(name) for name in names] == before


@pytest.mark.parametrize(
    "wrong", [{"set": {"sat.upper": -9.0}}, {"parameters": {"q": 1.0}}, {"set": {"law.sample_time": -1.0}}]
)
def test_values_that_are_refused_are_refused_of_a_kept_program(wrong: dict[str, dict[str, float]]) -> None:
    d, fresh = tank(), tank()
    d.simulate(stop=1.0)
    with pytest.raises(bd.BlockdynError) as first:
        fresh.simulate(stop=1.0, **wrong)
    with pytest.raises(bd.BlockdynError) as second:
        d.simulate(stop=1.0, **wrong)
    assert str(second.value) == str(first.value)


def moved(x, u, next_x):
    next_x[0] = factor * x[0]


def seen(x, u, y):
    y[0] = x[0]


def seen_in_python(x, u, y):
    calls.append(x[0])
    y[0] = x[0]


@pytest.mark.parametrize("measurement", [seen, seen_in_python])
def test_functions_inside_those_of_a_library_block_are_looked_at(measurement: Callable[..., None]) -> None:
    """Without a measurement that counts, the estimate is multiplied by the global at each of two ticks, also
    if only the model is compiled.
    """
    global factor
    d = bd.Diagram("d")
    filter_ = bd.ExtendedKalmanFilter(
        moved, measurement, initial=[1.0], P0=1e-12, Q=1e-12, R=[1e12], sample_time=1.0
    )
    d.connect(d.add("one", bd.Constant(1.0)), d.add("f", filter_))
    finals = []
    for value in (2.0, 3.0, 2.0):
        factor = value
        finals.append(float(np.ravel(d.simulate(stop=2.5).final("f.x"))[0]))
    assert finals == pytest.approx([4.0, 9.0, 4.0])


calls = []


def with_gain(u, gain=2.0):
    calls.append(u)
    return gain * u


@pytest.mark.parametrize("compiled", [True, False])
def test_other_defaults_of_a_function_in_python_are_seen(compiled: bool) -> None:
    """They are numbers of the block."""
    d = bd.Diagram("d")
    d.connect(d.add("one", bd.Constant(1.0)), d.add("f", bd.Function(with_gain, compiled=compiled)))
    assert d.simulate(stop=1.0).final("f") == 2.0
    assert d.compile() is d.compile()
    with_gain.__defaults__ = (5.0,)
    assert d.simulate(stop=1.0).final("f") == 5.0
    with_gain.__defaults__ = (2.0,)
    assert d.simulate(stop=1.0).final("f") == 2.0


rounding: type = str


def rounded(u):
    return float(rounding(u))


def test_numba_is_asked_once_about_a_function_that_it_refuses(monkeypatch) -> None:
    """Once for each value of what the function refers to."""
    global rounding
    asked: list[str] = []
    monkeypatch.setattr(compiling, "_announce", [asked.append])
    refused = []
    for kind in (str, str, float, float, str, str):
        rounding = kind
        d = bd.Diagram("d")
        d.connect(d.add("u", bd.Constant(1.4)), d.add("f", bd.Function(rounded)))
        refused.append(bool(d.compile().callbacks.reasons))
    assert refused == [True, True, False, False, True, True]
    assert sum(name.endswith("rounded") for name in asked) <= 2


def in_python(u):
    calls.append(u)
    return factor * u


def test_a_function_that_runs_in_python_reads_what_is_there() -> None:
    """Its program is kept, since nothing that such a function reads is compiled."""
    global factor
    d = bd.Diagram("d")
    d.connect(d.add("one", bd.Constant(1.0)), d.add("f", bd.Function(in_python)))
    assert d.simulate(stop=1.0).final("f") == factor
    first = d.compile()
    for value in (2.0, 3.0, 2.0):
        factor = value
        assert d.simulate(stop=1.0).final("f") == value
    assert d.compile() is first
    assert d.simulate(stop=1.0, set={"one.value": 5.0}).final("f") == 10.0
    assert calls


released: list[int] = []


class Counting(bd.Block):
    """A handle of a run's own, which its output shows: 7, 8 and so on."""

    inputs = (bd.Port("u", 1),)
    outputs = (bd.Port("y", 1),)

    def memory(self) -> dict[str, bd.Instance]:
        return {"handle": bd.Instance(lambda: 7 + len(released), released.append)}

    @staticmethod
    def output(u: float, handle: int) -> float:
        return u + handle


def test_each_run_of_a_kept_program_has_instances_of_its_own() -> None:
    d = bd.Diagram("d")
    d.connect(d.add("one", bd.Constant(1.0)), d.add("f", Counting()))
    assert [d.simulate(stop=1.0).final("f") for _ in range(3)] == [8.0, 9.0, 10.0]
    assert released == [7, 8, 9]


def switched() -> bd.Diagram:
    """The tank with an input that a parameter shifts in time, and noise."""
    d = tank()
    d.parameter("begin", 0.5)
    total = d.add("total", bd.Sum("++"))
    d.connect(d.add("step", bd.Step(time=bd.expression("begin"))), total["u0"])
    d.connect(d.add("noise", bd.BandLimitedWhiteNoise(sample_time=0.1, power=0.01)), total["u1"])
    d.connect(total, d.add("filter", bd.LowPass(cutoff=5.0)))
    return d


def facts(result: bd.Result) -> list[object]:
    """All that a run has found, to the last bit."""
    traces = (*result.signals.values(), *result.states.values())
    ends = {path: np.asarray(value).tobytes() for path, value in result.final_states().items()}
    return [result.events, ends, *((each.time.tobytes(), each.values.tobytes()) for each in traces)]


ARGUMENTS: list[dict[str, object]] = [
    {"stop": 2.0},
    {"stop": 1.5},
    {"stop": 2.0, "start": 0.3},
    {"stop": 2.0, "rtol": 1e-4, "max_step": 0.5},
    {"stop": 2.0, "times": [0.2, 0.9]},
    {"stop": 2.0, "every": 0.25},
    {"stop": 2.0, "refine": 3},
    {"stop": 2.0, "states": False},
    {"stop": 2.0, "method": "rodas5p"},
    {"stop": 1.7, "method": "rodas5p", "atol": 1e-4},
    {"stop": 2.0, "method": "rk4", "step": 0.05},
    {"stop": 2.0, "seed": 4},
    {"stop": 2.0, "initial": {"level.x": -2.0}},
    {"stop": 2.0, "touches": [{"at": 0.7, "set": {"sat.upper": 0.2}}]},
    {"stop": 2.0, "parameters": {"begin": 0.8}},
    {"stop": 1.9, "parameters": {"k": 3.0}},
    {"stop": 2.0, "set": {"level.initial": 0.3}, "method": "rodas5p"},
]


def test_arguments_of_earlier_runs_leave_no_trace() -> None:
    """Arrays are used again, with all in them as it is in a run that is the first."""
    d, random = switched(), np.random.default_rng(1)
    first = [facts(switched().simulate(**arguments)) for arguments in ARGUMENTS]
    for k in [
        *range(len(ARGUMENTS)),
        *random.permutation(len(ARGUMENTS)),
        *random.permutation(len(ARGUMENTS)),
    ]:
        assert facts(d.simulate(**ARGUMENTS[k])) == first[k], ARGUMENTS[k]


def test_numbers_of_blocks_with_the_same_instants_need_no_other_code() -> None:
    """The speed along an eight is no instant; how long it takes to reach it is one. No run comes before."""
    d = bd.Diagram("d", parameters={"pace": 1.0, "ramp": 2.0})
    d.add(
        "eight",
        bd.FigureEight(length=6.0, width=3.0, frequency=bd.expression("pace"), ramp=bd.expression("ramp")),
    )
    texts = [d.compile(parameters=values).text for values in ({"pace": 1.5}, {"pace": 1.1}, {"ramp": 1.0})]
    assert texts[0] is texts[1] is not texts[2]
    slow = d.simulate(stop=20.0, parameters={"pace": 0.7, "ramp": 0.0}).trace("eight.position").at(3.0)
    fast = d.simulate(stop=20.0, parameters={"pace": 1.4, "ramp": 0.0}).trace("eight.position").at(1.5)
    np.testing.assert_allclose(slow, fast, atol=1e-5)


@pytest.mark.parametrize("path", ["fal.k", "fall.q", "sub.q", "sub/fal.k", "sub/g.q", "su/g.k", "sub/g/k.k"])
def test_names_that_lead_nowhere_are_refused_before_and_after_runs(path: str) -> None:
    inner = bd.Diagram("inner", parameters={"k": 1.0})
    inner.connect(inner.add("in", bd.Inport()), inner.add("g", bd.Gain(bd.expression("k"))))
    inner.connect("g", inner.add("out", bd.Outport()))
    d = bd.Diagram("decay")
    d.connect(
        d.add("x", bd.Integrator(1.0)), d.add("fall", bd.Gain(-1.0)), d.add("sub", bd.Subsystem(inner)), "x"
    )
    for _ in range(2):
        with pytest.raises(bd.BlockdynError):
            d.simulate(stop=1.0, set={path: 2.0})
        assert d.simulate(stop=1.0).final("x") == pytest.approx(np.exp(-1.0), abs=1e-5)
    with pytest.raises(bd.BlockdynError):
        d.simulate(stop=1.0, parameters={"q": 2.0})


checked: list[float] = []


class Checked(bd.Block):
    """1 / k, which warns above 5 of k."""

    outputs = (bd.Port("y", 1),)
    k: bd.Real = bd.parameter(default=1.0)

    def check(self) -> None:
        checked.append(float(self.k))
        if self.k > 5.0:
            warnings.warn("above 5", stacklevel=1)

    def constants(self) -> dict[str, float]:
        return {"inverse": 1.0 / float(self.k)}

    @staticmethod
    def output(inverse: float) -> float:
        return inverse


def inverse_of(k: float) -> bd.Diagram:
    d = bd.Diagram("d", parameters={"k": k, "gain": 1.0})
    d.connect(d.add("inverse", Checked(k=bd.expression("k"))), d.add("g", bd.Gain(bd.expression("gain"))))
    return d


def test_values_that_nobody_asks_for_do_not_warn() -> None:
    d = inverse_of(8.0)
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        for _ in range(2):
            assert d.simulate(stop=1.0, parameters={"k": 4.0}).final("g") == 0.25
    assert not seen
    with pytest.warns(UserWarning, match="above 5"):
        assert d.simulate(stop=1.0).final("g") == 0.125


def test_values_that_are_left_warn() -> None:
    with pytest.warns(UserWarning, match="above 5"):
        assert inverse_of(8.0).simulate(stop=1.0, parameters={"gain": 2.0}).final("g") == 0.25


def test_values_that_are_wrong_are_tried_once() -> None:
    d = inverse_of(0.0)
    checked.clear()
    for k in (4.0, 2.0, 4.0):
        assert d.simulate(stop=1.0, parameters={"k": k}).final("g") == 1.0 / k
    assert checked.count(0.0) <= 1
    d.parameter("k", 2.0)
    assert d.simulate(stop=1.0).final("g") == 0.5


SETTINGS: list[dict[str, object]] = [
    {"rtol": [1e-3, 1e-9]},
    {"times": [0.0, 0.5, 1.0]},
    {"initial": {"x.x": [1.0, 1.0]}},
    {"initial": {"x.x": np.array([1.0, 1.0])}},
    {"touches": [{"at": 0.5, "set": {"half.k": [2.0, 2.0]}}]},
]


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_lists_among_the_settings_are_compared(settings: dict[str, object]) -> None:
    d = bd.Diagram("d")
    d.connect(d.add("half", bd.Gain([0.5, 0.5])), d.add("x", bd.Integrator([1.0, 2.0])), "half")
    d.settings(stop=1.0, **settings)
    d.simulate()
    assert d.compile() is d.compile()


def test_a_list_of_settings_that_is_changed_in_its_place_is_seen() -> None:
    d = bd.Diagram("d")
    d.connect(d.add("clock", bd.Clock()), d.add("x", bd.Integrator(0.0)))
    times = [0.0, 1.0]
    d.settings(times=times)
    assert d.simulate().time[-1] == 1.0
    times[1] = 2.0
    assert d.simulate().time[-1] == 2.0


def test_a_diagram_of_which_other_signals_are_kept_is_planned_once() -> None:
    d = tank()
    d.simulate(stop=1.0, log=["level"])
    assert d.compile() is d.compile()


def test_other_values_with_other_signals_kept_need_no_other_code() -> None:
    """They give what a diagram gives that has never been run."""
    d = tank()
    for changes in ({"sat.upper": 0.5}, {"sat.upper": 0.25, "sub.g": 2.0}, {"lag.den": [1.0, 2.0, 1.0]}):
        for log in (["level"], ["lag", "delay"], ["level"]):
            result = d.simulate(stop=2.0, set=changes, log=log)
            assert facts(result) == facts(tank().simulate(stop=2.0, set=changes, log=log))
            assert result.provenance.changed == changes
    programs = [d.compile(set={"sat.upper": value}) for value in (0.5, 0.25)]
    logged = [prepare_run(program, {"stop": 2.0, "log": ["level"]}).program for program in programs]
    assert logged[0].text is logged[1].text
    with pytest.raises(bd.BlockdynError):
        d.simulate(stop=2.0, set={"sat.upper": 0.5}, log=["levl"])


def test_a_block_is_made_again_where_a_bit_of_its_numbers_changes() -> None:
    d = bd.Diagram("half", parameters={"k": 0.0, "other": 1.0})
    d.connect(
        d.add("t", bd.Clock()), d.add("gain", bd.Gain(bd.expression("k"))), d.add("end", bd.Terminator())
    )

    def gain() -> bd.Block:
        return next(each.block for each in flatten(d).blocks if each.path == "gain")

    first = gain()
    d.parameter("other", 2.0)
    assert gain() is first
    d.parameter("k", -0.0)
    assert gain() is not first
    assert math.copysign(1.0, gain().k) == -1.0  # type: ignore[attr-defined]
