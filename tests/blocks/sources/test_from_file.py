"""Tables and flights from files: what they show between rows, whose files they read, what they refuse."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.diagrams.model.errors import BadParameter
from blockdyn.diagrams.yaml.errors import NotTrusted

ROWS = "t, north ,note,down\n0.5,1.0,calm,0\n1.0,3.0,rising,0.5\n\n2.0,-1.0,falling,0.25\n"


def shown(block: bd.Block, times: list[float]) -> Any:
    d = bd.Diagram("d")
    d.add("table", block)
    return d.simulate(stop=10.0, times=times)["table"].values


def test_lines_join_the_rows_and_the_ends_are_held(tmp_path: Path) -> None:
    (tmp_path / "wind.csv").write_text("\ufeff" + ROWS, encoding="utf-8")
    wind = bd.FromFile(tmp_path / "wind.csv", ["down", "north"], start=1.0)
    times = [0.0, 1.75, 2.5, 9.0]
    np.testing.assert_allclose(
        shown(wind, times), [[0.0, 1.0], [0.25, 2.0], [0.375, 1.0], [0.25, -1.0]], rtol=1e-15
    )
    np.savez(tmp_path / "wind.npz", t=[0.5, 1.0, 2.0], down=[0, 0.5, 0.25], north=[1, 3, -1], tag=["a"])
    same = bd.FromFile(tmp_path / "wind.npz", ["down", "north"], start=1.0)
    assert np.array_equal(shown(same, times), shown(wind, times))
    assert np.array_equal(
        shown(bd.FromFile(tmp_path / "wind.csv", "north"), [0.75, 1.5]), [2.0, 1.0]
    )  # one column is a number


def test_a_table_repeats_with_the_time_that_it_spans(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    t = np.cumsum(rng.uniform(0.01, 0.2, 40))
    y = np.append(rng.standard_normal(39), 0.0)
    np.savez(tmp_path / "log.npz", time=t, y=y)
    block = bd.FromFile(tmp_path / "log.npz", "y", time="time", repeat=True)
    times = rng.uniform(t[0], 10.0, 50)
    expected = np.interp((times - t[0]) % (t[-1] - t[0]) + t[0], t, y)
    np.testing.assert_allclose(shown(block, sorted(times)), expected[np.argsort(times)], atol=1e-12)
    assert shown(block, [0.0])[0] == y[0]


@pytest.mark.parametrize(
    "heading", ["t,u", "time,u", "Time [s],u", "time (s), u", "# TIME, u", "# by hand\n#\nt,u"]
)
def test_a_column_of_times_has_one_of_its_usual_names(tmp_path: Path, heading: str) -> None:
    (tmp_path / "log.csv").write_text(f"{heading}\n0,1\n# a pause\n2,5\n")
    assert np.array_equal(shown(bd.FromFile(tmp_path / "log.csv", "u"), [0.5, 1.0]), [2.0, 3.0])


def test_what_savetxt_writes_is_read(tmp_path: Path) -> None:
    np.savetxt(tmp_path / "log.csv", [[0.0, 1.0], [2.0, 5.0]], delimiter=",", header="time,u")
    assert np.array_equal(shown(bd.FromFile(tmp_path / "log.csv", "u"), [0.5, 1.0]), [2.0, 3.0])


@pytest.mark.parametrize("heading", ["tout,u", "time [x],u", "Seconds,u"])
def test_times_by_another_name_or_in_an_unknown_unit_are_not_guessed(tmp_path: Path, heading: str) -> None:
    (tmp_path / "log.csv").write_text(f"{heading}\n0,1\n2,5\n")
    with pytest.raises(bd.ParameterError, match="is that of the time, call it `time`, and let it be in s"):
        bd.FromFile(tmp_path / "log.csv", "u")


def test_files_lie_beside_the_diagram(tmp_path: Path) -> None:
    inside = tmp_path / "flight"
    inside.mkdir()
    (inside / "wind.csv").write_text(ROWS)
    (inside / "points.csv").write_text("t,x,y,z\n1,0,0,-1\n2,1,1,-1\n3,2,-1,-2\n")
    (inside / "d.yaml").write_text(
        "blockdyn: 1\nblocks:\n  wind: {type: FromFile, file: wind.csv, columns: [north], unit: m/s}\n"
        "  way: {type: FlightFile, file: points.csv}\nsimulate: {stop: 5}\n"
    )
    d = bd.load(inside / "d.yaml")
    r = d.simulate()
    assert r.final("wind") == [-1.0]
    np.testing.assert_allclose(r.final("way.position"), [2.0, -1.0, -2.0], atol=1e-12)
    again = bd.load(bd.dumps(d), trust="files").simulate()
    assert np.array_equal(again["way.snap"].values, r["way.snap"].values)
    text = "blockdyn: 1\nblocks: {w: {type: FromFile, file: ../wind.csv, columns: [north]}}\n"
    (inside / "outside.yaml").write_text(text)
    with pytest.raises(NotTrusted, match="outside the diagram's folder"):
        bd.load(inside / "outside.yaml")


def test_a_flight_meets_the_points_of_its_file_smoothly(tmp_path: Path) -> None:
    t = np.linspace(0.0, 4.0, 9)
    points = np.column_stack([np.sin(t), np.cos(t), t / 2])
    np.savez(tmp_path / "up.npz", t=t, x=points[:, 0], y=points[:, 1], z=points[:, 2], yaw=0.1 * t)
    flight = bd.FlightFile(tmp_path / "up.npz", z_up=True, start=1.0).flight
    np.testing.assert_allclose(flight.at(t + 1.0).position, points * [1, -1, -1], atol=1e-12)
    np.testing.assert_allclose(flight.at(t + 1.0).yaw, -0.1 * t, atol=1e-12)
    knots = flight.knots[1:-1]
    for name in ("velocity", "acceleration", "jerk", "snap"):
        before, after = (getattr(flight.at(knots + d), name) for d in (-1e-9, 1e-9))
        np.testing.assert_allclose(before, after, atol=1e-5)
    np.testing.assert_allclose(flight.at([1.0, 5.0]).velocity, 0.0, atol=1e-12)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("t,north\n0,1\n1,\n2,3\n", r"wind.csv, line 3, column north: a gap"),
        ("t,north\n0,1\n1,nan\n", r"line 3, column north: 'nan'"),
        ("t,north\n0,1\n\n-1,2\n", r"line 4, column time: the time -1 s follows 0 s"),
        ("t,north\n0,1\n1,2,3\n", r"line 3: there are 3 values"),
        (
            "t|north\n0|1\n",
            r"line 1: t\|north\nexpected: columns time, north, separated by commas, not by bars",
        ),
        ("t,north,north\n0,1,2\n", r"line 1: t, north, north\nexpected: the column north once"),
        ("t,north\n", r"there is no row"),
        ("", r"line 1: nothing"),
        (None, r"wind.csv: not readable"),
        ("\0\x80", r"wind.csv: not readable"),
    ],
)
def test_what_no_table_is_is_refused_with_its_line(tmp_path: Path, content: str | None, message: str) -> None:
    file = tmp_path / "wind.csv"
    if content is not None:
        file.write_bytes(content.encode("latin-1"))
    (tmp_path / "d.yaml").write_text(
        "blockdyn: 1\nblocks:\n  wind:\n    type: FromFile\n    file: wind.csv\n    columns: [north]\n"
    )
    with pytest.raises(BadParameter, match=message) as refused:
        bd.load(tmp_path / "d.yaml")
    assert refused.value.location is not None
    assert refused.value.location.line == 5


def test_archives_run_nothing_and_hold_vectors(tmp_path: Path) -> None:
    file = tmp_path / "a.npz"
    for arrays, message in [
        ({"t": np.array([print, len], object), "y": np.zeros(2)}, "not readable: not an archive of numbers"),
        ({"t": np.zeros((2, 2)), "y": np.zeros(2)}, r"array time: it is float64 of shape \(2, 2\)"),
        ({"t": np.arange(2), "y": np.zeros(3)}, "array y: it has 3 numbers"),
        ({"t": np.arange(2), "y": np.array([0, np.inf])}, "array y, row 2: inf"),
    ]:
        np.savez(file, **arrays)
        with pytest.raises(bd.BlockdynError, match=message):
            bd.FromFile(file, "y")
    file.write_bytes(file.read_bytes()[:60])
    with pytest.raises(bd.BlockdynError, match="not readable"):
        bd.FromFile(file, "y")


def test_rows_too_far_apart_are_refused_where_that_is_asked(tmp_path: Path) -> None:
    (tmp_path / "wind.csv").write_text(ROWS)
    with pytest.raises(bd.BlockdynError, match=r"between 1 s and 2 s .*wind.csv has no rows"):
        bd.FromFile(tmp_path / "wind.csv", "north", longest_gap=0.6)
    with pytest.raises(bd.BlockdynError, match="columns time, t"):
        bd.FromFile(tmp_path / "wind.csv", ["t"])
    (tmp_path / "flight.csv").write_text("t,x,y,z\n0,0,0,0\n1,1,,0\n")
    with pytest.raises(bd.BlockdynError, match=r"flight.csv, line 3, column y: a gap"):
        bd.FlightFile(tmp_path / "flight.csv")


@pytest.mark.parametrize("suffix", ["csv", "nc", "parquet"])
def test_a_saved_run_is_played_with_its_jumps_and_held_signals(tmp_path: Path, suffix: str) -> None:
    """A square wave jumps between rows, what a tick samples is held, and a signal called t is no time."""
    d = bd.Diagram("d")
    wave, held, t = d.add("wave", bd.Square(period=1.3)), d.add("held", bd.ZeroOrderHold(0.4)), "t"
    d.connect(wave, d.add("x", bd.Integrator(-1.0)), d.add(t, bd.Gain(2.0, unit="m")), held)
    d.log(wave, held, t)
    run = d.simulate(stop=3.0)
    run.save(tmp_path / f"run.{suffix}")
    times = np.linspace(0.01, 2.99, 61)
    names = ["wave", "t", "held.y", "t.y [m]", "state:x.x"]
    for name in names:
        trace = run.trace(name.removesuffix(" [m]").removeprefix("state:"))
        played = shown(bd.FromFile(tmp_path / f"run.{suffix}", name), list(times))
        np.testing.assert_allclose(played, trace.at(times, "interpolate"), atol=1e-12)
    together = shown(bd.FromFile(tmp_path / f"run.{suffix}", ["wave.y", "held.y"]), list(times))
    for column, name in zip(together.T, ("wave", "held"), strict=True):
        np.testing.assert_allclose(column, run.trace(name).at(times, "interpolate"), atol=1e-12)
    with pytest.raises(bd.ParameterError, match="no signal 'wind'"):
        bd.FromFile(tmp_path / f"run.{suffix}", "wind")


def test_columns_are_found_without_their_units(tmp_path: Path) -> None:
    (tmp_path / "log.csv").write_text("time [s],t,speed [rad/s],q[0] (rad),t.y [m]\n0,7,1,2,1\n2,8,5,4,3\n")
    block = bd.FromFile(tmp_path / "log.csv", ["speed", "q[0]", "t", "t.y"])
    np.testing.assert_allclose(shown(block, [1.0]), [[3.0, 3.0, 7.5, 2.0]])


@pytest.mark.parametrize("name", ["c (N s2/(rad m))", "c(N s2/(rad m))", "c ((m)/(s))", "c [N s2/(rad m)]"])
def test_units_may_have_parentheses(tmp_path: Path, name: str) -> None:
    (tmp_path / "log.csv").write_text(f"time (s),{name}\n0,1\n2,5\n")
    np.testing.assert_allclose(shown(bd.FromFile(tmp_path / "log.csv", ["c"]), [1.0]), [[3.0]])
