"""Traces keep both limits, name their elements, and cannot be written."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st

from blockdyn.diagrams.results import ResultError, Trace, UnknownSignal

STEP = Trace("step.y", np.array([0.0, 1.0, 1.0, 2.0]), np.array([0.0, 0.0, 5.0, 7.0]))


def test_an_instant_sampled_twice_has_two_limits():
    assert STEP.values[STEP.time == 1.0].tolist() == [0.0, 5.0]
    assert STEP.at(1.0) == 5.0
    assert STEP.at(np.nextafter(1.0, 0.0)) == 0.0


def test_continuous_values_lie_on_straight_lines_between_samples():
    assert STEP.at([0.5, 1.25, 1.5, 2.0]).tolist() == [0.0, 5.5, 6.0, 7.0]


def test_discrete_values_are_held_and_hold_on_after_the_last_sample():
    held = Trace("u.y", np.array([1.0, 2.0]), np.array([3.0, 4.0]), kind="discrete")
    assert held.at([1.0, 1.999, 2.0, 9.0]).tolist() == [3.0, 3.0, 4.0, 4.0]


def test_nothing_is_extrapolated():
    assert np.isnan(STEP.at([-0.1, 2.1])).all()


def test_line_between_samples_of_a_parabola_errs_by_an_eighth_h_squared_times_curvature():
    h = 0.1
    time = h * np.arange(11)
    parabola = Trace("p.y", time, time**2)
    error = parabola.at(time[:-1] + h / 2) - (time[:-1] + h / 2) ** 2
    np.testing.assert_allclose(error, h**2 / 8 * 2, rtol=1e-10)


def test_an_infinite_value_stays_at_its_sample():
    jump = Trace("j.y", np.array([0.0, 1.0, 2.0]), np.array([0.0, np.inf, 1.0]))
    assert jump.at([0.0, 1.0, 2.0]).tolist() == [0.0, np.inf, 1.0]


@given(st.lists(st.integers(0, 5), min_size=1, max_size=20))
def test_at_a_sample_the_last_sample_of_that_instant_is_the_value(instants):
    time = np.sort(np.array(instants, dtype=float))
    trace = Trace("t.y", time, np.arange(time.size, dtype=float))
    last = {t: float(i) for i, t in enumerate(time)}
    assert trace.at(np.array(list(last))).tolist() == list(last.values())


def test_elements_go_by_index_and_by_label():
    pose = Trace("uav.pose", np.zeros(1), np.array([[1.0, 2.0, 3.0]]), "m, m, rad", ("x", "y", "yaw"))
    yaw = pose.element("yaw")
    assert (yaw.path, yaw.unit, yaw.final) == ("uav.pose[yaw]", "rad", 3.0)
    assert pose.element("1").final == 2.0
    matrix = Trace("m.y", np.zeros(1), np.arange(6.0).reshape(1, 2, 3))
    assert matrix.element("1,2").final == 5.0
    assert matrix.columns[-1] == "m.y[1,2]"


def test_a_vector_field_of_a_bus_is_all_its_elements():
    labels = ("position[0]", "position[1]", "speed")
    bus = Trace("p.bus", np.zeros(1), np.array([[1.0, 2.0, 3.0]]), "m, m, m/s", labels)
    position = bus.element("position")
    assert (position.final.tolist(), position.unit, position.labels) == ([1.0, 2.0], "m", ("0", "1"))
    with pytest.raises(UnknownSignal, match="speed"):
        bus.element("sped")


def test_the_log_cannot_be_written_through_a_trace():
    with pytest.raises(ValueError, match="read-only"):
        STEP.values[0] = 1.0
    with pytest.raises(ValueError, match=r"read-only|view"):
        STEP.to_xarray()[0] = 1.0


@pytest.mark.parametrize(
    ("time", "values", "extra", "cause"),
    [
        ([0.0, 1.0], [0.0], {}, "same n"),
        ([1.0, 0.0], [0.0, 0.0], {}, "never decrease"),
        ([0.0, np.nan], [0.0, 0.0], {}, "finite"),
        ([0.0], [[1.0, 2.0]], {"labels": ("x",)}, "labels"),
        ([0.0], [[1.0, 2.0]], {"labels": ("x", "x")}, "different"),
        ([0.0], [0.0], {"kind": "sampled"}, "continuous"),
        ([0.0], np.empty((1, 0)), {}, "elements"),
    ],
)
def test_an_impossible_trace_is_refused(time, values, extra, cause):
    with pytest.raises(ResultError, match=cause):
        Trace("a.y", np.array(time), np.array(values), **extra)
