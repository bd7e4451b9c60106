"""Ensembles: what runs came to, by axes and measures, wherever the parts were kept."""

from __future__ import annotations

import tracemalloc
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import xarray as xr
from scipy.stats import norm

from blockdyn.sweeps.answer.ensemble import Ensemble
from blockdyn.sweeps.declare.design import Axis, Design, Group
from blockdyn.sweeps.errors import SweepError, UnknownPath
from blockdyn.sweeps.store.part import OUTCOMES, Part

from .ensembles import TIMES, Named, cut, ensemble, explicit, uniform, whole

NOT_FINITE = OUTCOMES.index("not finite")
ASSERT = OUTCOMES.index("assert")


def crossed(sampling: str = "random") -> Design:
    """Two gains, zipped axes of text and number, and five sampled masses: 2 x 3 x 5 scenarios."""
    kinds = Axis("kind", ("plant.kind",), "values", ["soft", "stiff", "rigid"])
    rates = Axis("rate", ("plant.rate",), "values", [1.0, 10.0, 100.0])
    groups = (*explicit(gain=[2.0, 3.0]), Group("kind & rate", (kinds, rates)))
    return Design(groups, uniform(1.0, 2.0, mass=None), 5, 7, sampling)


def product(axes: Any) -> Any:
    return np.asarray(axes["gain"]) * np.asarray(axes["rate"]) * np.asarray(axes["mass"])


def rising(axes: Any) -> Any:
    """q = (mass t, -t): two elements on the common grid."""
    slope = np.asarray(axes["mass"])[:, None] * TIMES
    return np.stack([slope, np.broadcast_to(-TIMES, slope.shape)], axis=2)


def test_the_dataset_has_the_design_as_dimensions_and_coordinates() -> None:
    found = ensemble(crossed(), {"p": product}, info={"diagram": "arm", "seed": 7}).dataset
    assert dict(found.sizes) == {"gain": 2, "kind & rate": 3, "sample": 5}
    xr.testing.assert_allclose(found.p, found.gain * found.rate * found.mass)
    assert list(found.kind.values) == ["soft", "stiff", "rigid"]
    assert found.p.attrs == {"units": "m", "long_name": "p"}
    assert found.attrs == {"diagram": "arm", "seed": 7}
    assert found.mass.attrs["paths"] == "plant.mass"


def test_outcomes_carry_their_meaning() -> None:
    found = ensemble(crossed(), {"p": product}, failed={4: (ASSERT, "too far")}).dataset.outcome
    words = dict(zip(found.attrs["flag_values"], found.attrs["flag_meanings"].split()))
    assert words[found.values[0, 0, 4]] == "assert"
    assert words[found.values[0, 0, 0]] == "complete"
    assert words[-1] == "not_run"


def test_kept_signals_have_time_and_are_those_that_were_kept() -> None:
    made = ensemble(crossed(), {"p": product}, kept={"plant.q": rising}, info={"times": TIMES})
    signal = made.dataset["plant.q"]
    assert signal.dims == ("gain", "kind & rate", "sample", "time", "element_2")
    expected = np.multiply.outer(made.dataset.mass.values, TIMES)
    np.testing.assert_allclose(signal.values[..., 0], np.broadcast_to(expected, (2, 3, 5, 21)))
    np.testing.assert_array_equal(signal.values[..., 1], np.broadcast_to(-TIMES, (2, 3, 5, 21)))
    np.testing.assert_array_equal(made.dataset.time, TIMES)
    one = signal.isel({"gain": [1, 0], "kind & rate": 2, "sample": slice(4, 1, -1), "time": [20, 3]})
    np.testing.assert_array_equal(one, signal.values[[1, 0]][:, 2, 4:1:-1][:, :, [20, 3]])


class Watched:
    """A store that remembers what was asked of it."""

    def __init__(self, part: Part) -> None:
        self.part_of_all = part
        self.asked: list[tuple[int, int]] = []

    def missing(self) -> list[tuple[int, int]]:
        return []

    def part(self, start: int, stop: int, *, with_signals: bool = True) -> Part:
        if with_signals:
            self.asked.append((start, stop))
        return cut(self.part_of_all, start, stop)[1] if start else cut(self.part_of_all, stop)[0]


def test_kept_signals_are_read_when_they_are_used_and_no_more_of_them() -> None:
    design = crossed()
    measures, parts = whole(design, {"p": product}, kept={"plant.q": rising})
    store = Watched(parts[0])
    made = Ensemble(design, measures, store)
    made.summary()
    assert store.asked == []
    signal = made.dataset["plant.q"]
    assert sum(stop - start for start, stop in store.asked) <= 1  # the shape of one
    signal.isel({"gain": 1, "kind & rate": 1, "sample": 3}).load()
    assert store.asked[-1] == (23, 24)


def test_parts_may_come_in_any_order_and_length() -> None:
    design = crossed()
    measures, parts = whole(design, {"p": product}, kept={"plant.q": rising}, failed={7: (NOT_FINITE, "x")})
    pieces = [piece for piece in cut(parts[0], 1, 9, 10, 26) if len(piece.outcome)]
    one, many = Ensemble(design, measures, parts), Ensemble(design, measures, pieces[::-1])
    xr.testing.assert_identical(one.dataset.load(), many.dataset.load())


def test_scenarios_that_were_not_run_are_told_from_those_that_failed() -> None:
    design = crossed()
    measures, parts = whole(design, {"p": product}, kept={"plant.q": rising}, failed={1: (NOT_FINITE, "x")})
    first, _, last = cut(parts[0], 10, 25)
    made = Ensemble(design, measures, [last, first])
    summary = made.summary()
    assert (summary.count, summary.done, summary.succeeded) == (30, 15, 14)
    assert np.count_nonzero(made.dataset.outcome == -1) == 15
    assert "15 not run" in str(summary)
    assert np.isnan(made.dataset["plant.q"].values.reshape(30, -1)[10:25]).all()
    empty = Ensemble(design, measures, [])
    assert empty.summary().done == 0
    assert empty.dataset.p.isnull().all()


def test_statistics_of_a_normal_distribution() -> None:
    axes = (Axis("z", ("z",), "normal", {"mean": 2.0, "sd": 3.0}),)
    design = Design((), axes, 4000, 1, "latin-hypercube")
    found = ensemble(design, {"y": lambda values: values["z"]}).summary().measures[0]
    assert found.mean == pytest.approx(2.0, abs=0.01)
    assert found.sd == pytest.approx(3.0, rel=0.01)
    np.testing.assert_allclose(found.quantiles, norm(2.0, 3.0).ppf([0.05, 0.25, 0.5, 0.75, 0.95]), atol=0.02)


def test_failures_are_in_no_statistic_and_grouped_whatever_their_times() -> None:
    failed = {k: (NOT_FINITE, f"plant.y is not finite at t = {0.1 * k:.3f} s\nuse less") for k in (3, 8, 11)}
    failed[20] = (ASSERT, "limit: Assert failed at t = 1.5e-3 s")
    made = ensemble(
        crossed(), {"p": lambda axes: np.where(np.arange(30) % 29 == 3, 1e9, product(axes))}, failed=failed
    )
    summary = made.summary()
    assert [(group.outcome, group.count, group.first) for group in summary.failures] == [
        ("not finite", 3, 3),
        ("assert", 1, 20),
    ]
    assert summary.failures[0].reason == "plant.y is not finite at t = 0.300 s"
    assert summary.measures[0].high < 1e4
    assert summary.measures[0].count == 26
    assert "4 failed (13.3 %)" in str(summary)
    assert made.worst("p", 40).to_frame().scenario.isin(failed).sum() == 0
    assert list(made.failures().to_frame().scenario) == [3, 8, 11, 20]


def test_worst_scenarios_come_in_order() -> None:
    made = ensemble(crossed(), {"p": product, "twice": lambda axes: 2.0 * product(axes)})
    found = made.worst("p", 4).to_frame()
    values = made["p"]
    assert list(found.p) == sorted(values, reverse=True)[:4]
    np.testing.assert_array_equal(values[found.scenario], found.p)
    np.testing.assert_array_equal(found.gain * found.rate * found.mass, found.p)
    assert made.worst("p", 1, lowest=True).to_frame().p[0] == values.min()


def test_a_scenario_is_run_again_by_its_number() -> None:
    made = ensemble(crossed(), {"p": product}, rerun=lambda k: f"scenario {k}")
    assert made.result(29) == "scenario 29"
    with pytest.raises(SweepError, match="there are 30, from 0 to 29"):
        made.result(30)
    with pytest.raises(SweepError, match="without its diagram"):
        ensemble(crossed(), {"p": product}).result(0)


def test_unkninternal_names_get_the_nearest() -> None:
    made = ensemble(crossed(), {"peak": product})
    with pytest.raises(UnknownPath, match="the nearest are peak"):
        made.worst("paek")
    with pytest.raises(UnknownPath, match="no measure or axis 'mas' in this sweep; the nearest are mass"):
        made["mas"]
    with pytest.raises(UnknownPath, match="no measure 'gain'"):
        made.worst("gain")


def test_equal_names_do_not_hide_each_other() -> None:
    made = ensemble(crossed(), {"mass": product, "steps": product})
    assert set(made.dataset.data_vars) >= {"measure_mass", "measure_steps", "steps"}
    assert made.dataset.mass.dims == ("sample",)
    assert {"mass", "measure_mass", "steps", "measure_steps"} <= set(made.to_frame().columns)


def test_the_dataset_goes_to_a_file_and_back(tmp_path: Path) -> None:
    info = {"times": TIMES, "versions": {"blockdyn": "1"}, "file": None, "seed": 3, "common": True}
    made = ensemble(
        crossed(), {"p": product}, kept={"plant.q": rising}, failed={2: (ASSERT, "höher")}, info=info
    )
    made.dataset.to_netcdf(tmp_path / "sweep.nc", engine="h5netcdf")
    xr.testing.assert_equal(xr.load_dataset(tmp_path / "sweep.nc", engine="h5netcdf"), made.dataset.load())


def test_the_table_of_all_scenarios() -> None:
    made = ensemble(crossed(), {"p": product}, failed={2: (ASSERT, "no")})
    frame = made.to_frame()
    assert frame.index.name == "scenario"
    np.testing.assert_allclose(frame.p, frame.gain * frame.rate * frame.mass)
    assert frame.outcome[2] == "assert"
    assert frame.reason[2] == "no"


def test_a_store_gives_the_same_as_the_parts(tmp_path: Path) -> None:
    from blockdyn.sweeps.store.layout import Layout
    from blockdyn.sweeps.store.store import Store

    design = crossed()
    measures, parts = whole(design, {"p": product}, kept={"plant.q": rising}, failed={9: (ASSERT, "no")})
    kept = {name: values.shape[1:] for name, values in parts[0].signals.items()}
    layout = Layout(30, 8, measures.names, tuple(measures.units), signals=kept, times=TIMES)
    store = Store.open(tmp_path / "store", {"diagram": "x"}, layout, resume=False)
    for piece in cut(parts[0], 8, 16, 24):
        store.write(piece)
    info = {"times": TIMES}
    stored, direct = Ensemble(design, measures, store, info), Ensemble(design, measures, parts, info)
    xr.testing.assert_identical(stored.dataset.load(), direct.dataset.load())
    assert str(stored.summary()) == str(direct.summary())


def test_tables_print_one_line_a_row_and_escape_in_html() -> None:
    failed = {2: (ASSERT, "a <b>\nsecond line " + "x" * 200)}
    made = ensemble(crossed(), {"p<1>": product}, failed=failed, info={"diagram": "<arm>"})
    assert str(made.failures()).count("\n") == 1
    assert str(made) == str(made.summary())
    html = made._repr_html_() + made.failures()._repr_html_()
    assert "<b>" not in html
    assert "<arm>" not in html
    assert "p&lt;1&gt;" in html


def test_a_design_without_axes_is_one_scenario() -> None:
    design = Design(())
    part = Part(0, np.array([[3.0]]), np.zeros(1, np.int8), [""], np.ones(1), np.ones(1, np.int64))
    made = Ensemble(design, Named(("y",), ("m",)), [part])
    assert float(made.dataset.y) == 3.0
    assert len(made) == 1
    assert made.summary().measures[0].mean == 3.0
    assert np.isnan(made.summary().measures[0].sd)


def test_a_million_scenarios_are_summed_up_in_little_memory() -> None:
    count = 1_000_000
    design = Design((), uniform(mass=None, load=None), count, 1, "random")

    class Generated:
        """A store that makes its parts up."""

        def missing(self) -> list[tuple[int, int]]:
            return []

        def part(self, start: int, stop: int, *, with_signals: bool = True) -> Part:
            n = stop - start
            number = np.arange(start, stop, dtype=np.float64)
            measures = np.stack([number] * 5, axis=1)
            outcome = np.where(number % 10 == 0, NOT_FINITE, 0).astype(np.int8)
            reason = [f"not finite at t = {k} s" if k % 10 == 0 else "" for k in range(start, stop)]
            signals = {"y": np.zeros((n, 1000))} if with_signals else {}
            return Part(start, measures, outcome, reason, np.ones(n), np.ones(n, np.int64), signals)

    tracemalloc.start()
    try:
        made = Ensemble(design, Named(tuple("abcde"), ("m",) * 5), Generated())
        found = made.summary()
        made.worst("a")
        made.dataset["y"]
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert found.measures[2].quantiles[2] == pytest.approx(count / 2, rel=1e-5)
    assert found.failures[0].count == count // 10
    assert len(found.failures) == 1
    assert peak < 2**30
