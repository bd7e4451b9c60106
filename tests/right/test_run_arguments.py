"""Arguments that no run can have are refused one by one, with what was expected."""

from __future__ import annotations

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.diagrams.model.errors import RunArgumentError


def chain(*blocks: bd.Block) -> bd.Diagram:
    d = bd.Diagram()
    d.connect(*(d.add(f"b{i}", block) for i, block in enumerate(blocks)))
    return d


NAN, INF = float("nan"), float("inf")
IMPOSSIBLE = [
    {"stop": -1.0},
    {"stop": NAN},
    {"stop": INF},
    {"stop": "soon"},
    {"stop": True},
    {"stop": None},
    {"start": 2.0},
    {"start": NAN},
    {"start": -INF},
    {"rtol": 0.0},
    {"rtol": -1e-6},
    {"rtol": NAN},
    {"rtol": "small"},
    {"atol": 0.0},
    {"atol": -1.0},
    {"atol": [1e-9, 1e-9]},
    {"atol": [NAN]},
    {"atol": "small"},
    {"method": "dopri"},
    {"method": ""},
    {"method": 5},
    {"max_step": 0.0},
    {"max_step": -0.1},
    {"max_step": NAN},
    {"first_step": 0.0},
    {"first_step": -1.0},
    {"first_step": INF},
    {"method": "rk4", "step": 0.0},
    {"method": "rk4", "step": -0.1},
    {"method": "rk4", "step": NAN},
    {"method": "rk4", "step": INF},
    {"max_log": 0.0},
    {"max_log": NAN},
    {"max_log": "much"},
    {"start": 1e300, "stop": 1e301},
    {"times": []},
    {"times": [0.5, 0.2]},
    {"times": [0.5, 0.5]},
    {"times": [-0.5, 0.5]},
    {"times": [0.5, NAN]},
    {"times": [[0.1, 0.2]]},
    {"times": "all"},
    {"every": 0.0},
    {"every": -0.1},
    {"every": NAN},
    {"every": 1e-12},
    {"times": [0.5], "every": 0.1},
    {"refine": 0},
    {"refine": 1.5},
    {"refine": True},
    {"refine": 10**6},
    {"on_zeno": "ignore"},
    {"rtoll": 1e-6},
    {"tolerance": 1e-6},
]


@pytest.mark.parametrize("given", IMPOSSIBLE, ids=str)
def test_impossible_arguments(given):
    d = chain(bd.Sine(), bd.ZeroOrderHold(0.1), bd.Integrator())
    with pytest.raises(RunArgumentError) as caught:
        d.simulate(**({"stop": 1.0} | given))
    assert isinstance(caught.value, bd.BlockdynError)
    assert "expected" in str(caught.value)
    assert any(name in str(caught.value) for name in given)


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"times": [0, NAN]}, "times is [0, nan]"),
        ({"stop": 1.0, "method": 5}, "method is 5\n"),
        ({"stop": "1"}, "stop is '1'"),
        ({"stop": 1.0, "rtol": "1e-3"}, "rtol is '1e-3'"),
        ({"stop": 1.0, "times": ["0", "1"]}, "times is ['0', '1']"),
        ({"stop": 1.0, "atol": []}, "atol is []\nexpected: a positive number"),
        ({"stop": 1.0, "atol": "1"}, "atol is '1'"),
    ],
)
def test_the_argument_that_is_wrong_is_named_as_it_was_written(given, told):
    """Text is no number, also in a diagram without states."""
    with pytest.raises(RunArgumentError) as caught:
        chain(bd.Sine(), bd.Gain()).simulate(**given)
    assert told in str(caught.value)


def test_a_fixed_step_method_needs_its_step():
    with pytest.raises(RunArgumentError, match="step"):
        chain(bd.Sine(), bd.Integrator()).simulate(stop=1, method="rk4")


def test_an_unknown_method_has_a_nearest_one():
    with pytest.raises(RunArgumentError, match="dopri5"):
        chain(bd.Sine(), bd.Integrator()).simulate(stop=1, method="dopri54")


def test_an_unknown_argument_has_a_nearest_one():
    with pytest.raises(RunArgumentError, match="rtol"):
        chain(bd.Sine(), bd.Integrator()).simulate(stop=1, rtoll=1e-6)


def test_what_is_wrong_beside_a_missing_stop_is_told_too():
    with pytest.raises(RunArgumentError, match=r"stop is not given(.|\n)*method is 'ode99'"):
        chain(bd.Clock(), bd.Gain(2.0)).simulate(method="ode99")
    with pytest.raises(RunArgumentError, match=r"step is not given(.|\n)*refine is 0"):
        chain(bd.Clock(), bd.Gain(2.0)).simulate(stop=1.0, method="rk4", refine=0)


def test_a_signal_that_is_not_there_is_told_with_what_else_is_wrong():
    wrong = r"no block or signal `nix`(.|\n)*inputs\['u'\](.|\n)*no input `u`(.|\n)*rtol is -1"
    with pytest.raises(RunArgumentError, match=wrong) as caught:
        chain(bd.Clock(), bd.Gain(2.0)).simulate(stop=1.0, log=["nix.y"], rtol=-1, inputs={"u": 1})
    assert len(caught.value.errors) == 3


def test_a_name_that_is_near_nothing_has_no_suggestion():
    with pytest.raises(RunArgumentError, match="foo is 3") as caught:
        chain(bd.Clock(), bd.Gain(2.0)).simulate(foo=3, stop=1.0)
    assert "did you mean" not in str(caught.value)


@pytest.mark.parametrize("path", ["nothing", "b1.z", "b0.y[3]", ""])
def test_a_signal_to_log_that_does_not_exist(path):
    with pytest.raises(bd.BlockdynError):
        chain(bd.Sine(), bd.Integrator()).simulate(stop=1, log=[path])


def test_a_run_of_unstated_length():
    with pytest.raises(RunArgumentError, match="stop"):
        chain(bd.Sine(), bd.Integrator()).simulate()


def test_an_initial_state_of_the_wrong_length():
    with pytest.raises(bd.BlockdynError):
        chain(bd.Constant([1.0, 2.0]), bd.Integrator([0.0, 0.0, 0.0])).simulate(stop=1)
    with pytest.raises(bd.BlockdynError):
        bd.StateSpace(A=np.eye(2), B=[1.0, 0.0], C=[1.0, 0.0], initial=[1.0, 2.0, 3.0])


@pytest.mark.parametrize("method", ["dopri5", "bs32", "tsit5", "dop853", "radau5", "RK45"])
def test_a_step_for_a_method_that_chooses_its_own(method):
    with pytest.raises(RunArgumentError, match=r"(?s)step is 0.01.*max_step.*first_step.*rk4"):
        chain(bd.Sine(), bd.Integrator()).simulate(stop=1, method=method, step=0.01)


def test_the_step_of_a_diagram_belongs_to_its_own_method():
    d = chain(bd.Sine(), bd.Integrator())
    d.settings(method="rk4", step=0.01)
    assert d.simulate(stop=1).statistics["steps"] == 100
    assert d.simulate(stop=1, method="heun").statistics["steps"] == 100
    assert d.simulate(stop=1, method="dopri5").complete
    assert d.simulate(stop=1, method="dopri5").to_dataset(dt=0.5).sizes["time"] == 3
    with pytest.raises(RunArgumentError, match="step"):
        d.simulate(stop=1, method="dopri5", step=0.01)
    alone = chain(bd.Sine(), bd.Integrator())
    alone.settings(step=0.01)
    with pytest.raises(RunArgumentError, match="step"):
        alone.simulate(stop=1)


@pytest.mark.parametrize("where", [{}, {"stream": "rows.csv"}])
def test_a_table_that_no_memory_holds(where, tmp_path):
    given = {name: tmp_path / file for name, file in where.items()}
    for every in (1e-15, 1e-320):
        with pytest.raises(RunArgumentError, match=r"every is .*(?s:.)*numbers? take .*of memory"):
            chain(bd.Sine(), bd.Integrator()).simulate(stop=1, every=every, **given)
    with pytest.raises(RunArgumentError, match=r"1e\+15 rows of 4 numbers take 32 PB of memory"):
        chain(bd.Sine(), bd.Integrator()).simulate(stop=1, every=1e-15)
    assert list(tmp_path.iterdir()) == []


def test_a_grid_of_a_result_that_no_memory_holds():
    r = chain(bd.Sine(), bd.Integrator()).simulate(stop=1)
    for dt in (1e-15, 1e-320):
        with pytest.raises(bd.BlockdynError, match=r"dt = .* rows of 3 numbers take .*of memory"):
            r.to_dataset(dt=dt)


TOO_SHORT = [
    {"method": "rk4", "step": 1e-15},
    {"method": "euler", "step": 1e-14},
    {"max_step": 1e-14},
    {"method": "radau5", "max_step": 1e-14},
]


@pytest.mark.parametrize("given", TOO_SHORT, ids=str)
def test_steps_whose_rows_no_memory_holds(given):
    d = chain(bd.Sine(), bd.Integrator())
    name = "max_step" if "max_step" in given else "step"
    with pytest.raises(
        RunArgumentError, match=rf"{name} is 1e-1[45](?s:.)*rows of \d numbers take .*of memory"
    ):
        d.simulate(stop=1, **given)


@pytest.mark.parametrize("where", [{}, {"every": 0.5}, {"stream": "rows.csv"}])
@pytest.mark.parametrize(
    "given", [{"method": "rk4", "step": 2e-14}, {"max_step": 2e-14}, {"max_step": 1e-320}]
)
def test_steps_that_do_not_advance_the_time(given, where, tmp_path):
    """The numbers next to 1000 are 1.137e-13 apart."""
    where = {name: tmp_path / value if name == "stream" else value for name, value in where.items()}
    with pytest.raises(RunArgumentError, match=r"(?s)step is .*at least 1\.14e-13 s"):
        chain(bd.Sine(), bd.Integrator()).simulate(start=999, stop=1000, **given, **where)


def test_rows_that_are_not_kept_take_no_memory():
    """Steps of 1 us over 1 Gs take 32 PB; a grid, or signals held between their ticks, take a few rows.

    Stop ends the runs at their start, so that the arguments alone are on trial.
    """
    d = chain(bd.Constant(1.0), bd.Stop())
    d.connect(d.add("sine", bd.Sine()), d.add("x", bd.Integrator()))
    d.connect("sine", d.add("hold", bd.ZeroOrderHold(sample_time=1e8)))
    given = {"stop": 1e9, "method": "rk4", "step": 1e-6}
    assert d.simulate(**given, every=1e8).complete
    assert d.simulate(**given, log=["hold"], states=False).complete
    with pytest.raises(RunArgumentError, match="take 32 PB of memory"):
        d.simulate(**given)
