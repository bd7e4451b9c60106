"""A result answers by path, on a grid, and in the words of xarray and pandas."""

from __future__ import annotations

import pickle
import struct
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest
import xarray as xr

import blockdyn as bd
from blockdyn.diagrams.results import Result, ResultError, Trace, UnknownSignal
from blockdyn.diagrams.results.lines import thin_line
from blockdyn.diagrams.results.trace import merged_time, rows_of


def test_a_signal_is_an_array_that_knows_its_unit(run):
    angles = run["plant/arm.q"]
    assert angles.dims == ("time", "element")
    assert angles.attrs == {"path": "plant/arm.q", "units": "rad", "kind": "continuous"}
    np.testing.assert_array_equal(angles[:, 0], np.sin(angles.time))


def test_a_block_with_one_logged_output_goes_by_its_name(run):
    assert run["relay"].identical(run["relay.y"])


def test_elements_are_chosen_by_label(run):
    by_coordinate = run["uav.pose"].sel(element="yaw").values
    assert (by_coordinate == run["uav.pose", "yaw"].values).all()
    assert (by_coordinate == run["uav.pose[yaw]"].values).all()


def test_an_unknown_path_names_the_nearest(run):
    with pytest.raises(UnknownSignal, match=r"nearest names are relay\.y") as caught:
        run["relai.y"]
    assert caught.value.nearest[0] == "relay.y"


def test_a_block_with_several_logged_outputs_must_name_one():
    traces = [Trace(path, np.zeros(1), np.zeros(1)) for path in ("uav.x", "uav.v")]
    with pytest.raises(UnknownSignal, match=r"uav\.x, uav\.v"):
        Result({trace.path: trace for trace in traces})["uav"]


def test_states_answer_where_no_signal_has_the_path(run):
    assert run.states["plant/arm.q"].final.tolist() == [4.0, -4.0]
    alone = Result({}, dict(run.states))
    assert alone.final("plant/arm.q").tolist() == [4.0, -4.0]


def test_the_final_value_of_a_scalar_is_a_float(run):
    assert run.final("relay.y") == 1.0
    assert isinstance(run.final("relay.y"), float)


def test_signals_sampled_together_share_a_time_axis(run):
    dataset = run.to_dataset()
    assert dataset["relay.y"].dims == ("time",)
    assert dataset["uav.pose"].dims[0] == "time"
    assert dataset["control.u"].dims == ("time_1",)
    assert dataset.sizes["time"] == 35


def test_a_grid_by_period_hits_multiples_exactly(run):
    grid = run.to_dataset(dt=0.1).time.values
    assert grid.tolist() == [0.1 * k for k in range(41)]


def test_without_dense_output_the_log_is_interpolated(run):
    dataset = run.to_dataset([1.0, 1.1], paths=["relay.y", "control.u", "uav.pose[x]"])
    assert dataset["relay.y"].values.tolist() == [-1.0, -1.0]
    assert dataset["control.u"].values.tolist() == [1.0, 1.0]
    np.testing.assert_allclose(dataset["uav.pose[x]"], [1.0, 1.1], rtol=1e-15)
    assert dataset.attrs["interpolation"] == "log"


def test_dense_output_is_used_where_there_is_one():
    coarse = np.linspace(0.0, 3.0, 4)
    trace = Trace("arm.q", coarse, np.stack([np.sin(coarse), np.cos(coarse)], axis=1))
    run = Result({"arm.q": trace}, resample=lambda t: {"arm.q": np.stack([np.sin(t), np.cos(t)], axis=1)})
    fine = np.linspace(0.0, 3.0, 50)
    dataset = run.to_dataset(fine)
    np.testing.assert_array_equal(dataset["arm.q"][:, 0], np.sin(fine))
    assert dataset.attrs["interpolation"] == "dense output"
    np.testing.assert_array_equal(run.to_dataset(fine, paths=["arm.q[1]"])["arm.q[1]"], np.cos(fine))
    straight = run.to_dataset(fine, method="interpolate")["arm.q"][:, 0]
    assert float(abs(straight - np.sin(fine)).max()) > 0.05


@pytest.fixture(scope="module")
def swing() -> Result:
    """x'' = -x from x(0) = 1: the vector (cos t, -sin t), in long steps; and the sum of both every 0.3 s."""
    d = bd.Diagram("swing")
    plant = bd.StateSpace([[0.0, 1.0], [-1.0, 0.0]], [[0.0], [0.0]], np.eye(2).tolist(), initial=[1.0, 0.0])
    d.connect(d.add("still", bd.Constant(value=0.0)), d.add("mass", plant))
    d.connect("mass", d.add("both", bd.SumOfElements()), d.add("held", bd.ZeroOrderHold(sample_time=0.3)))
    d.log("mass", "held")
    return d.simulate(stop=10.0, rtol=1e-9, atol=1e-12)


BETWEEN = np.linspace(0.01, 9.99, 501)


def test_a_trace_lies_on_the_dense_output_between_samples(swing):
    whole, element = swing.trace("mass"), swing.trace("mass.y[1]")
    expected = np.stack([np.cos(BETWEEN), -np.sin(BETWEEN)], axis=1)
    assert np.diff(whole.time).max() > 0.05
    np.testing.assert_allclose(whole.at(BETWEEN), expected, atol=1e-6)
    np.testing.assert_allclose(element.at(BETWEEN[:, None]), expected[:, 1:], atol=1e-6)
    np.testing.assert_allclose(swing.states["mass.x"].at(BETWEEN[3]), expected[3], atol=1e-6)
    assert abs(whole.at(BETWEEN, "interpolate") - expected).max() > 1e-4
    assert np.isnan(whole.at([-0.1, 10.1])).all()


def test_a_trace_at_its_samples_is_what_was_logged(swing):
    for path in ("mass.y", "held.y"):
        trace = swing.trace(path)
        assert np.array_equal(trace.at(trace.time), trace.values)


def test_samples_that_a_log_leaves_out_are_found(swing):
    d = bd.Diagram("ticks")
    d.connect(d.add("clock", bd.Clock()), d.add("held", bd.ZeroOrderHold(sample_time=0.25)))
    rare = d.simulate(stop=3.0, every=1.0)
    assert rare.trace("held").at([0.3, 1.6, 2.9]).tolist() == [0.25, 1.5, 2.75]


def test_what_comes_from_a_file_has_straight_lines_and_says_so(swing, tmp_path):
    swing.save(tmp_path / "swing.nc")
    again = bd.load_result(tmp_path / "swing.nc")
    straight = swing.trace("mass").at(BETWEEN, "interpolate")
    for lost in (again.trace("mass"), pickle.loads(pickle.dumps(swing)).trace("mass")):
        assert np.array_equal(lost.at(BETWEEN), straight)
        with pytest.raises(ResultError, match="no dense output: this result was read from a file"):
            lost.at(BETWEEN, "dense")
    assert again.to_dataset(dt=0.1).attrs["interpolation"] == "log"


def test_an_unknown_method_of_interpolation_is_refused(swing):
    with pytest.raises(ResultError, match="method is 'cubic'\nexpected: 'auto', 'dense' or 'interpolate'"):
        swing.trace("mass").at(1.0, "cubic")


def test_all_signals_are_one_table(swing):
    table = swing.to_pandas()
    assert list(table.columns) == ["mass.y[0]", "mass.y[1]", "held.y"]
    time = np.array(table.index)
    assert time.tolist() == merged_time([trace.time for trace in swing.signals.values()]).tolist()
    for path in ("mass.y[0]", "held.y"):
        kept = table[path].dropna()
        assert kept.index.tolist() == swing.trace(path).time.tolist()
        assert kept.tolist() == swing.trace(path).values.tolist()
    assert table["held.y"].isna().any()


def test_a_table_at_equal_distances_is_on_the_dense_output(swing):
    table = swing.to_pandas(dt=0.25)
    assert table.index.tolist() == [0.25 * k for k in range(41)]
    np.testing.assert_allclose(table["mass.y[0]"], np.cos(table.index), atol=1e-6)
    tick = 0.3 * np.floor(table.index / 0.3 + 1e-9)
    np.testing.assert_allclose(table["held.y"], np.cos(tick) - np.sin(tick), atol=1e-6)
    assert swing.to_pandas(["held", "mass.x"], times=[1.0, 2.0]).shape == (2, 3)
    assert swing.to_pandas("mass", dt=0.25).iloc[:, 0].tolist() == table["mass.y[0]"].tolist()


def test_a_table_names_elements_by_their_labels(run):
    assert list(run.to_pandas(["uav.pose", "relay"]).columns) == [
        "uav.pose[x]", "uav.pose[y]", "uav.pose[yaw]", "relay.y",
    ]  # fmt: skip
    assert Result({}).to_pandas().shape == (0, 0)


def test_an_impossible_grid_is_refused(run):
    for arguments, cause in (
        ({"times": [0.0, 5.0]}, "leave the run"),
        ({"times": [1.0, 0.0]}, "never decrease"),
        ({"dt": 0.0}, "positive"),
        ({"dt": 0.1, "times": [0.0]}, "both"),
        ({"dt": 0.1, "method": "dense"}, "no dense output"),
        ({"dt": 0.1, "method": "cubic"}, "cubic"),
    ):
        with pytest.raises(ResultError, match=cause):
            run.to_dataset(**arguments)


def test_pandas_gets_a_column_for_every_element(run):
    assert list(run.to_pandas("uav.pose").columns) == ["x", "y", "yaw"]
    assert run.to_pandas("relay.y").loc[1.0].tolist() == [1.0, -1.0]


def test_time_has_every_instant_as_often_as_it_was_sampled(run):
    assert (run.time == 1.0).sum() == 2  # both limits
    assert np.unique(run.time).size == 33


def test_a_sample_taken_once_stands_at_the_limit_from_the_right():
    both, once = np.array([0.0, 1.0, 1.0, 2.0]), np.array([1.0, 1.5])
    merged = merged_time([both, once])
    assert merged.tolist() == [0.0, 1.0, 1.0, 1.5, 2.0]
    assert rows_of(once, merged).tolist() == [2, 3]
    assert rows_of(both, merged).tolist() == [0, 1, 2, 4]


def test_a_result_survives_pickling_but_for_its_dense_output(run):
    again = pickle.loads(pickle.dumps(run))
    assert again.identical(run)
    assert again.resample is None


def test_the_caller_s_mapping_is_not_the_result_s(run):
    with pytest.raises(TypeError):
        run.signals["new.y"] = run.signals["relay.y"]


def test_a_table_says_what_there_is(run, partial_run):
    assert "control.u" in repr(run)
    assert "N m" in repr(run)
    assert "complete" in repr(run)
    assert "INCOMPLETE: interrupted at t = 4 s" in repr(partial_run)
    assert "<table>" in run._repr_html_()
    assert repr(Result({})).startswith("Result of a diagram: 0 signals")


def test_thinning_keeps_a_single_sample_spike():
    time = np.linspace(0.0, 1.0, 200_000)
    values = np.sin(50.0 * time)
    values[123_457] = 9.0
    few, kept = thin_line(time, values)
    assert few.size <= 12_000
    assert kept.max() == 9.0
    assert few[kept.argmax()] == time[123_457]
    assert (few[0], few[-1]) == (0.0, 1.0)


def test_a_dataset_is_xarray_s_own(run):
    assert isinstance(run.to_dataset(), xr.Dataset)


def test_what_single_blocks_were_given_is_told(tmp_path: Path) -> None:
    d = bd.Diagram("decay")
    d.connect(d.add("x", bd.Integrator(1.0)), d.add("k", bd.Gain(-1.0)), "x")
    run = d.simulate(stop=1.0, set={"k.k": -2.0})
    assert run.provenance.changed == {"k.k": -2.0}
    run.save(tmp_path / "run.nc")
    assert bd.load_result(tmp_path / "run.nc").provenance.changed == {"k.k": -2.0}


def test_a_digest_is_the_hash_of_the_rows_as_documented() -> None:
    x = Trace("x.x", np.array([0.0, 1.0]), np.array([[1.0, np.nan], [-0.0, 2.0]]))
    y = Trace("b.y", np.array([0.5]), np.array([3.0]))
    z = Trace("a.y", np.zeros(0), np.zeros(0))
    text = b"a.y\0" + struct.pack("<q", 0) + b"b.y\0" + struct.pack("<q2d", 1, 0.5, 3.0)
    text += b"x.x\0" + struct.pack("<q2d", 2, 0.0, 1.0) + struct.pack("<dQ2d", 1.0, 0x7FF8 << 48, -0.0, 2.0)
    assert Result({"b.y": y, "a.y": z}, {"x.x": x}).digest == sha256(text).hexdigest()


def test_another_bit_is_another_digest(run) -> None:
    def turned(sign: float) -> Result:
        relay = run.signals["relay.y"]
        values = relay.values.copy()
        values[7] = np.nextafter(values[7], sign * np.inf)
        return Result({**run.signals, "relay.y": Trace("relay.y", relay.time, values, "V")}, run.states)

    digests = {run.digest, turned(1.0).digest, turned(-1.0).digest, Result(run.signals).digest}
    assert len(digests) == 4
    assert Result(dict(reversed(run.signals.items())), run.states).digest == run.digest
