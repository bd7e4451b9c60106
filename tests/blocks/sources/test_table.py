"""Table, FromFile and Recorded: splines, held rows, jumps, repeats, files of every kind, earlier runs."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy.interpolate import CubicSpline

import blockdyn as bd

T = np.array([0.0, 0.5, 1.25, 2.0, 3.0])
Y = np.array([1.0, -1.0, 2.0, 0.5, 1.0])
TIMES = np.linspace(0.01, 7.9, 157)


def test_what_is_between_rows_in_every_way() -> None:
    d = bd.Diagram()
    pair = np.column_stack([Y, T**3])
    for between in ("linear", "held", "cubic"):
        for repeat in (False, True):
            d.add(f"{between}{repeat:d}", bd.Table(T + 0.25, Y, interpolation=between, repeat=repeat))
        d.add(f"{between}2", bd.Table(T + 0.25, pair, interpolation=between))
        d.add(f"{between}3", bd.Table(T, pair, interpolation=between, repeat=True))
    d.add("jump", bd.Table([0.0, 1.0, 1.0, 2.0], [0.0, 1.0, 5.0, 5.0]))
    d.connect("jump", d.add("area", bd.Integrator()))
    r = d.simulate(times=TIMES)

    def value(name: str) -> np.ndarray:
        return r[name].sel(time=TIMES, method="ffill").values

    t = np.clip(TIMES - 0.25, 0.0, 3.0)
    turned = np.where(TIMES < 0.25, 0.0, (TIMES - 0.25) % 3.0)
    np.testing.assert_allclose(value("linear0"), np.interp(t, T, Y), atol=1e-14)
    np.testing.assert_allclose(value("linear1"), np.interp(turned, T, Y), atol=1e-13)
    np.testing.assert_array_equal(value("held0"), Y[np.searchsorted(T, t, "right") - 1])
    np.testing.assert_array_equal(value("held1"), Y[np.searchsorted(T, turned, "right") - 1])
    np.testing.assert_allclose(value("cubic0"), CubicSpline(T, Y)(t), atol=1e-13)
    np.testing.assert_allclose(value("cubic1"), CubicSpline(T, Y, bc_type="periodic")(turned), atol=1e-13)
    np.testing.assert_allclose(value("cubic2")[:, 1], t**3, atol=1e-12)  # a cubic is its own spline
    np.testing.assert_allclose(value("cubic3")[:, 1], (TIMES % 3.0) ** 3, atol=1e-12)
    np.testing.assert_allclose(value("linear3")[:, 0], np.interp(TIMES % 3.0, T, Y), atol=1e-13)
    np.testing.assert_allclose(value("linear2")[:, 0], value("linear0"), atol=0)
    assert r.final("area") == pytest.approx(0.5 + 5.0 * (TIMES[-1] - 1.0), rel=1e-14)


@pytest.mark.parametrize("kind", ["csv", "npz", "parquet"])
def test_files_of_every_kind_give_the_same_table(tmp_path: Path, kind: str) -> None:
    file = tmp_path / f"table.{kind}"
    if kind == "csv":
        file.write_text("t,u,v\n" + "".join(f"{t!r},{y!r},{-y!r}\n" for t, y in zip(T.tolist(), Y.tolist())))
    elif kind == "npz":
        np.savez(file, t=T, u=Y, v=-Y)
    else:
        pytest.importorskip("pyarrow.parquet").write_table(
            pytest.importorskip("pyarrow").table({"t": T, "u": Y, "v": -Y, "note": list("abcde")}), file
        )
    d = bd.Diagram()
    d.add("u", bd.FromFile(file, ["u", "v"], interpolation="cubic", start=1.0))
    d.add("h", bd.FromFile(file, "u", interpolation="held", repeat=True))
    r = d.simulate(times=[1.7, 3.3])
    np.testing.assert_allclose(r["u"].values[:, 1], -CubicSpline(T, Y)([0.7, 2.3]), atol=1e-14)
    assert r["h"].sel(time=[1.7, 3.3], method="ffill").values.tolist() == [2.0, 1.0]
    with pytest.raises(bd.ParameterError, match=r"table\.\w+.*\nexpected: columns time, w"):
        bd.FromFile(file, "w")


def test_parquet_with_gaps_or_text_is_refused_with_its_row(tmp_path: Path) -> None:
    pq, pa = pytest.importorskip("pyarrow.parquet"), pytest.importorskip("pyarrow")
    file = tmp_path / "gap.parquet"
    pq.write_table(pa.table({"t": [0.0, 1.0], "u": [1.0, None], "v": ["a", "b"]}), file)
    with pytest.raises(bd.ParameterError, match=r"gap\.parquet, array u, row 2: nan"):
        bd.FromFile(file, "u")
    with pytest.raises(bd.ParameterError, match=r"array v: it is object .*\nexpected: a vector of numbers"):
        bd.FromFile(file, "v")
    file.write_bytes(b"PAR1 no table")
    with pytest.raises(bd.ParameterError, match=r"gap\.parquet: not readable"):
        bd.FromFile(file, "u")


@pytest.mark.parametrize(("sign", "word"), [("|", "bars"), (" ", "blanks")])
def test_another_delimiter_is_named(tmp_path: Path, sign: str, word: str) -> None:
    file = tmp_path / "t.csv"
    file.write_text(f"t{sign}u\n0{sign}1\n")
    with pytest.raises(
        bd.ParameterError, match=rf"t\.csv, line 1: .*\nexpected: .*, separated by commas, not by {word}"
    ):
        bd.FromFile(file, "u")


def test_a_signal_of_an_earlier_run_is_one_of_this_run(tmp_path: Path) -> None:
    """With its jumps, its kinks and its held samples; as a Result and as each kind of file."""
    d = bd.Diagram("first")
    wave, held = d.add("wave", bd.Sine(unit="m")), d.add("held", bd.ZeroOrderHold(sample_time=0.25))
    step = d.add("step", bd.Step(time=1.3, final=5.0))
    d.connect(wave, held)
    d.connect(wave + step, d.add("sum", bd.Gain(1.0)))
    first = d.simulate(stop=3.0, max_step=0.02)
    first.save(tmp_path / "run.nc")
    second = bd.Diagram("second")
    for name in ("wave", "held", "sum"):
        second.add(name, bd.Recorded(first, name))
    second.add("file", bd.Recorded(tmp_path / "run.nc", "sum", start=1.0))
    second.connect("sum", second.add("area", bd.Integrator()))
    times = np.linspace(0.013, 2.987, 88)
    r = second.simulate(times=times, rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(r["wave"].values, np.sin(times), atol=1e-8)
    np.testing.assert_allclose(
        r["held"].sel(time=times, method="ffill").values, np.sin(0.25 * np.floor(times / 0.25)), atol=1e-15
    )
    np.testing.assert_allclose(r["sum"].values, np.sin(times) + 5.0 * (times >= 1.3), atol=1e-8)
    np.testing.assert_allclose(r.final("area"), 1 - np.cos(times[-1]) + 5.0 * (times[-1] - 1.3), atol=1e-8)
    before = times < 1.0
    np.testing.assert_allclose(r["file"].values[before], 0.0, atol=1e-15)
    late = times > 2.31
    np.testing.assert_allclose(r["file"].values[late], 5.0 + np.sin(times[late] - 1.0), atol=1e-8)
    with pytest.raises(bd.ParameterError, match=r"Recorded\.signal is 'speed'"):
        bd.Recorded(first, "speed")


def test_a_function_of_time_is_a_function_whose_only_argument_is_t() -> None:
    @bd.block
    def law(t, w=2.0):  # type: ignore[no-untyped-def]
        return np.sin(w * t) ** 2

    d = bd.Diagram()
    d.add("law", law())
    d.add("same", bd.Expression("sin(2 * t) ** 2"))
    r = d.simulate(times=TIMES)
    np.testing.assert_allclose(r["law"].values, np.sin(2 * TIMES) ** 2, atol=1e-14)
    np.testing.assert_allclose(r["same"].values, np.sin(2 * TIMES) ** 2, atol=1e-14)
