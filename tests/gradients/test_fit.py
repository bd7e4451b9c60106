"""Fits: numbers that made the data come back, intervals hold what they promise, and what data cannot tell."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy.io import savemat

import blockdyn as bd
from blockdyn.base.data_file import DataFileError
from blockdyn.diagrams.model.errors import RunArgumentError
from blockdyn.diagrams.results.errors import UnknownSignal
from blockdyn.gradients.errors import GradientError
from blockdyn.gradients.fit import _shorten_residuals

Refused = GradientError
TIMES = np.linspace(0.02, 3.0, 150)


def motor():
    """J w' = u - b w under a square wave."""
    d = bd.Diagram("motor", parameters={"inertia": 0.01, "friction": 0.02})
    d.add("u", bd.Square(period=1.4))
    d.add("rotor", bd.TransferFunction(num=[1.0], den=bd.expression("[inertia, friction]")))
    d.connect("u", "rotor")
    d.log("rotor")
    return d


def measured(diagram, times=TIMES, **numbers):
    return diagram.simulate(stop=float(times[-1]), times=times, rtol=1e-10, set=numbers)["rotor"].values


def test_numbers_that_made_the_data_come_back():
    d = motor()
    data = {"time": TIMES, "rotor": measured(d, inertia=0.012, friction=0.025)}
    found = d.fit(data, ["inertia", "friction"], rtol=1e-10)
    assert found.values == pytest.approx({"inertia": 0.012, "friction": 0.025}, rel=1e-7)
    assert found.converged
    assert not found.undetermined
    same = d.fit({"t": data["time"], "rotor": data["rotor"]}, ["inertia", "friction"], rtol=1e-10)
    assert same.values == found.values
    again = d.simulate(stop=3.0, times=TIMES, rtol=1e-10, set=found.values)["rotor"]
    np.testing.assert_allclose(again, data["rotor"], atol=1e-6)


def test_intervals_hold_the_truth_as_often_as_they_say():
    """60 fits of two numbers: of 120 intervals of 95 %, 114 with a standard deviation of 2.4."""
    d, truth = motor(), {"inertia": 0.012, "friction": 0.025}
    clean, drawn = measured(d, **truth), np.random.default_rng(0)
    inside = 0
    for _ in range(60):
        data = {"time": TIMES, "rotor": clean + drawn.normal(0.0, 2.0, TIMES.size)}
        intervals = d.fit(data, ["inertia", "friction"], rtol=1e-7).intervals()
        inside += sum(low <= truth[name] <= high for name, (low, high) in intervals.items())
    assert 114 - 3 * 2.4 <= inside <= 114 + 3 * 2.4


def test_a_line_through_points_has_the_errors_of_linear_regression():
    """x = x0 + v t: estimates and standard errors are those of the normal equations."""
    d = bd.Diagram("line")
    d.add("v", bd.Constant(1.0))
    d.add("x", bd.Integrator(0.0))
    d.connect("v", "x")
    t = np.linspace(0.1, 4.0, 40)
    x = 0.3 + 2.0 * t + np.random.default_rng(5).normal(0.0, 0.1, 40)
    found = d.fit(pd.DataFrame({"time": t, "x": x}), {"x.x": 0.0, "v.value": 1.0})
    design = np.column_stack([np.ones(40), t])
    best, (left,), *_ = np.linalg.lstsq(design, x, rcond=None)
    covariance = np.linalg.inv(design.T @ design) * left / 38
    np.testing.assert_allclose([found["x.x"], found["v.value"]], best, rtol=1e-9)
    np.testing.assert_allclose(found.covariance, covariance, rtol=1e-6)
    known = d.fit({"time": t, "x": x}, ["x.x", "v.value"], noise=0.1)
    np.testing.assert_allclose(known.covariance, np.linalg.inv(design.T @ design) * 0.01, rtol=1e-6)


def test_as_many_numbers_as_data_leave_nothing_to_tell_the_noise_by():
    """Through two points there is one line; its error is that of 2 a - b, if that of a point is known."""
    d = bd.Diagram("line")
    d.connect(d.add("v", bd.Constant(1.0)), d.add("x", bd.Integrator(0.0)))
    data = {"time": [1.0, 2.0], "x": [3.0, 5.0]}
    found = d.fit(data, ["x.x", "v.value"])
    assert (found["x.x"], found["v.value"]) == (pytest.approx(1.0), pytest.approx(2.0))
    assert found.errors == {"x.x": np.inf, "v.value": np.inf}
    assert "the noise and the accuracy cannot be estimated" in repr(found)
    known = d.fit(data, ["x.x", "v.value"], noise=0.1)
    assert known.errors["x.x"] == pytest.approx(0.1 * 5.0**0.5, rel=1e-6)


def test_what_the_data_cannot_tell_is_named():
    """Inertia, friction and the voltage's gain may all grow by one factor."""
    d = motor()
    data = {"time": TIMES, "rotor": measured(d, inertia=0.012)}
    found = d.fit(data, ["inertia", "friction", "u.amplitude"], rtol=1e-10)
    (combination,) = found.undetermined
    assert found.untold == found.undetermined
    assert {name: abs(part) for name, part in combination.items()} == pytest.approx(
        dict.fromkeys(("inertia", "friction", "u.amplitude"), 3**-0.5), abs=2e-3
    )
    assert all(error == np.inf for error in found.errors.values())
    assert "do not determine" in repr(found)


def test_several_experiments_share_numbers_and_have_starts_of_their_own():
    d = motor()
    runs = []
    for start, amplitude in ((5.0, 1.0), (-3.0, 2.0)):
        numbers = {"rotor.x": [start * 0.012], "u.amplitude": amplitude, "inertia": 0.012, "friction": 0.025}
        data = {"time": TIMES, "rotor": measured(d, **numbers)}
        runs.append(bd.Experiment(data, set={"u.amplitude": amplitude}, unknown={"rotor.x[0]": 0.0}))
    found = d.fit(runs, ["inertia", "friction"], rtol=1e-10)
    assert found.values == pytest.approx({"inertia": 0.012, "friction": 0.025}, rel=1e-6)
    assert found["rotor.x[0] (1)"] == pytest.approx(5.0 * 0.012, rel=1e-6)
    assert found["rotor.x[0] (2)"] == pytest.approx(-3.0 * 0.012, rel=1e-6)


def test_a_file_and_bounds(tmp_path):
    d = motor()
    file = tmp_path / "run.csv"
    rows = np.column_stack([TIMES, measured(d, friction=0.025)])
    np.savetxt(file, rows, delimiter=",", header="time,rotor", comments="")
    found = d.fit(file, {"friction": 0.021}, bounds={"friction": (0.02, 0.022)})
    assert found["friction"] == pytest.approx(0.022, rel=1e-6)
    assert found.at_bounds == ("friction",)
    assert "held by a bound: friction" in repr(found)
    (tmp_path / "bad.csv").write_text("time,rotor\n0.1,1.0\n0.2,nan\n", encoding="utf-8")
    with pytest.raises(DataFileError, match="line 3, column rotor"):
        d.fit(tmp_path / "bad.csv", ["friction"])


@pytest.mark.parametrize(
    ("data", "unknown", "more", "error", "says"),
    [
        ({"time": [0.1, 0.2], "rotor": [1.0, np.nan]}, ["friction"], {}, Refused, "row 1 is nan"),
        ({"time": [0.1], "rotor": [1.0]}, ["friction", "inertia"], {}, Refused, "1 measured numbers, and 2"),
        ({"time": [0.2, 0.1], "rotor": [1.0, 1.0]}, ["friction"], {}, Refused, "times do not increase"),
        ({"rotor": [1.0]}, ["friction"], {}, Refused, "one of times"),
        ({"time": [0.1]}, ["friction"], {}, Refused, "no column but times"),
        ({"time": [0.1, 0.2], "rotor": [1.0]}, ["friction"], {}, Refused, "for 2 times"),
        ({"time": [0.1], "rotor": ["fast"]}, ["friction"], {}, Refused, "not a number"),
        ({"time": [0.1], "motor": [1.0]}, ["friction"], {}, bd.BlockdynError, "rotor"),
        ({"time": [0.1], "rotor": [1.0]}, ["fricton"], {}, bd.BlockdynError, "friction"),
        ({"time": [0.1], "rotor": [1.0]}, [], {}, GradientError, "empty"),
        ({"time": [0.1], "rotor": [1.0]}, ["friction"], {"bounds": {"fric": (0, 1)}}, Refused, "friction"),
        ({"time": [0.1], "rotor": [1.0]}, ["friction"], {"bounds": {"friction": (2, 1)}}, Refused, "least"),
        ({"time": [0.1], "rotor": [1.0]}, ["friction"], {"bounds": {"friction": (1, 2)}}, Refused, "begins"),
        ({"time": [0.1], "rotor": [1.0]}, ["friction"], {"noise": {"rot": 1.0}}, Refused, "rotor"),
        ({"time": [0.1], "rotor": [1.0]}, ["friction"], {"noise": -1.0}, Refused, "above 0"),
        (
            {"time": [-1.0, 1.0], "rotor": [1.0, 1.0]},
            ["friction"],
            {},
            Refused,
            "starts at 0 s\n.*`start=-1.0`",
        ),
        ({"time": [-3.0, -1.0], "rotor": [1.0, 1.0]}, ["friction"], {}, Refused, "first time is -3 s"),
        ({"time": [0.1, 2.0], "rotor": [1.0, 1.0]}, ["friction"], {"stop": 1.0}, Refused, "stops at 1 s"),
        ({"time": [0.1], "rotor": [1.0]}, {"friction": "big"}, {}, Refused, "begins at 'big'"),
        (
            bd.Experiment({"time": [0.1], "rotor": [1.0]}, unknown={"friction": 1.0}),
            ["friction"],
            {},
            Refused,
            "friction is unknown for all",
        ),
        ({"time": [0.1], "rotor": np.ma.masked_less([1.0], 2.0)}, ["friction"], {}, Refused, "row 0 is nan"),
        ({"time": [0.1], "rotor": [1.0]}, {"friction": np.nan}, {}, Refused, "begins at nan"),
        (7, ["friction"], {}, Refused, "a mapping"),
        ([], ["friction"], {}, Refused, "no data"),
    ],
)
def test_what_no_fit_can_be_made_of_is_said(data, unknown, more, error, says):
    with pytest.raises(error, match=says):
        motor().fit(data, unknown, **more)


def test_an_input_that_nothing_is_given_for_is_named():
    """Unless it is what is searched for."""
    d = bd.Diagram("open")
    d.connect(d.add("u", bd.Inport()), d.add("lag", bd.TransferFunction([1.0], [1.0, 1.0])))
    data = {"time": TIMES, "lag": 2.0 * (1.0 - np.exp(-TIMES))}
    for ask in (lambda: d.fit(data, "lag.den[0]"), lambda: d.sensitivities("lag.den[0]", stop=1.0)):
        with pytest.raises(RunArgumentError, match="input `u`"):
            ask()
    assert d.fit(data, {"u": 1.0}, rtol=1e-9)["u"] == pytest.approx(2.0)


def test_a_number_that_the_diagram_leaves_open():
    """How fast an integral goes back from a limit is chosen unless it is said."""
    d = bd.Diagram("limited")
    d.connect(d.add("u", bd.Sine(amplitude=2.0)), d.add("pid", bd.PID(ki=2.0, lower=-1.0, upper=1.0)))
    d.log("pid")
    times = np.linspace(0.1, 6.0, 60)
    data = {"time": times, "pid": d.simulate(times=times, set={"pid.tracking": 3.0}, rtol=1e-9)["pid"].values}
    assert d.fit(data, {"pid.tracking": 2.5}, rtol=1e-9)["pid.tracking"] == pytest.approx(3.0, rel=1e-6)
    with pytest.raises(GradientError, match=r"no number at `pid\.tracking`\nexpected: one for it in `set`"):
        d.fit(data, "pid.tracking")


def test_what_a_fit_does_not_have_is_said():
    found = motor().fit({"time": TIMES, "rotor": measured(motor(), inertia=0.012)}, ["inertia"])
    with pytest.raises(Refused, match="did you mean `inertia`"):
        found["inertie"]
    with pytest.raises(Refused, match="a number between 0 and 1"):
        found.intervals(95)


def test_pictures(tmp_path):
    d = motor()
    data = {"time": TIMES, "rotor": measured(d, inertia=0.012)}
    assert len(d.fit(data, ["inertia"]).plot(file=tmp_path / "fit.png").axes) == 2
    s = d.sensitivities(["inertia", "friction"], stop=3.0)
    assert len(s.plot(file=tmp_path / "s.svg", style="paper").axes) == 1
    with pytest.raises(UnknownSignal, match="rotor"):
        s["motor"]


def test_a_column_that_is_no_signal_is_named_with_how_to_leave_it_out():
    d = motor()
    data = {"t": TIMES, "rotor": measured(d), "load": 0.0 * TIMES}
    with pytest.raises(Refused, match=r"(?s)column load: .*data\[\['time', 'rotor'\]\]"):
        d.fit(data, ["inertia"])


def test_many_rows_are_shortened_to_those_of_their_normal_equations():
    """R^T R = J^T J, R^T (Q^T r) = J^T r, and r^2 is that of both parts, in one block and in many."""
    random = np.random.default_rng(2)
    for rows in (40, 600, 5000):
        slopes, residuals = random.normal(size=(rows, 7)), random.normal(size=rows)
        r, along, left = _shorten_residuals(residuals, slopes)
        assert len(r) == 7
        assert r.T @ r == pytest.approx(slopes.T @ slopes, rel=1e-11, abs=1e-10)
        assert r.T @ along == pytest.approx(slopes.T @ residuals, rel=1e-10, abs=1e-10)
        assert along @ along + left == pytest.approx(residuals @ residuals, rel=1e-12)


def test_a_run_is_data_in_every_form_in_which_it_is_kept(tmp_path):
    """A decay that a tick kicks, its signal with a unit: the rate that made the run comes back from all."""
    d = bd.Diagram("decay", parameters={"rate": 0.7})
    total = d.add("total", bd.Sum("+-"))
    d.connect(d.add("kick", bd.DiscreteIntegrator(sample_time=0.3, initial=1.0)), total[0])
    d.connect(d.add("one", bd.Constant(1.0)), "kick")
    d.connect(
        total, d.add("x", bd.Integrator(2.0)), d.add("decays", bd.Gain(bd.expression("rate"))), total[1]
    )
    d.add("speed", bd.Gain(3.0, unit="rad/s"))
    d.connect("x", "speed")
    d.log("speed", "kick")
    r = d.simulate(stop=1.0, rtol=1e-10, atol=1e-12)
    forms = [r, r.to_pandas(["speed.y"]), r.to_pandas("speed.y"), r.to_dataset(dt=0.1)]
    for suffix in ("csv", "nc", "parquet"):
        r.save(tmp_path / f"r.{suffix}")
        forms.append(tmp_path / f"r.{suffix}")
    table = pd.read_csv(tmp_path / "r.csv", comment="#")
    assert "speed.y (rad/s)" in table.columns
    forms += [table[["time (s)", "speed.y (rad/s)"]].dropna(), table.drop(columns="kick.y").dropna()]
    for data in forms:
        assert d.fit(data, {"rate": 0.5}).values["rate"] == pytest.approx(0.7, rel=1e-7)


def test_an_index_that_is_the_time_goes_before_a_column_t():
    """A signal called t beside it: x' = k, from 0."""
    d = bd.Diagram("line", parameters={"k": 2.0})
    d.connect(
        d.add("c", bd.Constant(bd.expression("k"))), d.add("x", bd.Integrator()), d.add("t", bd.Gain(0.5))
    )
    d.log("t")
    time = np.linspace(0.0, 1.0, 11)
    for name, column in (("time", "t"), ("time [s]", "t"), ("time", "t [m]"), ("time [s]", "t.y [m]")):
        frame = pd.DataFrame({column: 1.5 * time}, index=pd.Index(time, name=name))
        for data in (frame, frame.reset_index()):
            assert d.fit(data, "k").values["k"] == pytest.approx(3.0, rel=1e-9)


def test_a_log_is_fitted_by_the_names_of_its_columns(tmp_path: Path) -> None:
    """A first-order lag from a step, logged in milliseconds, and in a MAT file under its own name."""
    d = bd.Diagram("lag", parameters={"tau": 0.3})
    d.connect(
        d.add("u", bd.Constant(1.0)),
        d.add("lag", bd.TransferFunction(num=[1.0], den=bd.expression("[tau, 1]"))),
    )
    t = np.linspace(0.0, 2.0, 41)
    y = 1.0 - np.exp(-t / 0.5)
    table = np.column_stack([1e3 * t, y, -y])
    np.savetxt(tmp_path / "log.csv", table, "%.17g", ";", header="clock;out;other", comments="")
    text = bd.Experiment(tmp_path / "log.csv", columns={"lag": "out"}, time="clock", time_scale=1e-3)
    savemat(tmp_path / "log.mat", {"tout": t, "lag": y})
    for data in (text, tmp_path / "log.mat", bd.Experiment({"time": t, "out": y}, columns={"lag": "out"})):
        assert d.fit(data, ["tau"]).values["tau"] == pytest.approx(0.5, rel=1e-6)
    with pytest.raises(bd.BlockdynError, match="no column 'up'"):
        d.fit(bd.Experiment({"time": t, "out": y}, columns={"lag": "up"}), ["tau"])
    savemat(tmp_path / "two.mat", {"a": {"time": t, "y": y}, "b": {"time": t[1:], "y": y[1:]}})
    with pytest.raises(bd.BlockdynError, match=r"a.y and b.y have different times"):
        d.fit(bd.Experiment(tmp_path / "two.mat", columns={"lag": "a.y", "u": "b.y"}), ["tau"])
