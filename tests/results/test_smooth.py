"""Curves are drawn from the dense output: on the closed form between steps, as logged at events."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

import blockdyn as bd
from blockdyn.diagrams.results import EventRecord, Provenance, Result, ScopeFigure, Trace


def oscillation() -> Result:
    """x'' = -9 x from x(0) = 1, so x = cos 3t; held samples of it."""
    d = bd.Diagram("oscillation")
    speed, place = d.add("speed", bd.Integrator(initial=0.0)), d.add("place", bd.Integrator(initial=1.0))
    force = d.add("force", bd.Gain(k=-9.0))
    d.connect(speed, place)
    d.connect(place, force)
    d.connect(force, speed)
    d.connect(place, d.add("hold", bd.ZeroOrderHold(sample_time=0.2)))
    return d.simulate(stop=10.0)


def drawn(figure) -> tuple[np.ndarray, np.ndarray]:
    (line,) = [line for line in figure.axes[0].lines if len(line.get_xdata()) > 1]
    return np.asarray(line.get_xdata()), np.asarray(line.get_ydata())


def test_a_curve_between_steps_lies_on_the_closed_form():
    run = oscillation()
    time, values = drawn(run.plot("place.y"))
    assert np.diff(run.trace("place.y").time).max() > 2 * 10.0 / 600
    assert np.diff(time).max() <= 10.0 / 600 * (1.0 + 1e-9)
    np.testing.assert_allclose(values, np.cos(3.0 * time), atol=2e-4)


def test_logged_samples_and_both_limits_at_events_stay_as_they_are():
    time, values = np.array([0.0, 1.0, 1.0, 2.0]), np.array([0.0, 0.0, 5.0, 7.0])
    trace = Trace("y.y", time, values)
    run = Result({"y.y": trace}, resample=lambda t: {"y.y": np.where(t < 1.0, 0.0, 3.0 + 2.0 * t)})
    at, seen = drawn(run.plot())
    assert seen[at == 1.0].tolist() == [0.0, 5.0]
    assert set(zip(time, values)) <= set(zip(at, seen))
    assert at.size > 600


def test_held_samples_stay_stairs():
    run = oscillation()
    time, _ = drawn(run.plot("hold.y"))
    assert set(time) <= {*run.trace("hold.y").time, 10.0}


def test_one_signal_against_another_is_smooth_too():
    (axes,) = oscillation().plot_xy("place.y", "speed.y").axes
    x, v = axes.lines[0].get_data()
    np.testing.assert_allclose(np.asarray(x) ** 2 + (np.asarray(v) / 3.0) ** 2, 1.0, atol=2e-4)
    assert len(x) > 600


def test_without_dense_output_the_samples_are_joined():
    run = oscillation()
    time, _ = drawn(replace(run, resample=None).plot("place.y"))
    np.testing.assert_array_equal(time, run.trace("place.y").time)


def test_the_dense_output_is_asked_for_once_a_figure_and_only_where_samples_are_far_apart():
    asked = []

    def resample(times):
        asked.append(times)
        return dict.fromkeys(("a.y", "b.y"), times**2)

    time = np.array([0.0, 1.0, *np.linspace(1.0, 2.0, 2001)[1:]])
    traces = {path: Trace(path, time, time**2) for path in ("a.y", "b.y")}
    Result(traces, resample=resample).plot()
    (points,) = asked
    assert (points > 0.0).all()
    assert (points < 1.0).all()
    assert points.size == 299


def test_a_kind_of_event_has_its_own_line_in_every_figure(run):
    def styles(*kinds):
        events = tuple(EventRecord(1.0 + k, "b", kind) for k, kind in enumerate(kinds))
        legend = Result(run.signals, {}, events).plot("relay.y").legends[0]
        names = [text.get_text() for text in legend.get_texts()][1:]
        return {name: line._dash_pattern for name, line in zip(names, legend.get_lines()[1:])}

    crossing, time = styles("zero crossing"), styles("time")
    assert styles("time", "zero crossing") == styles("zero crossing", "time") == crossing | time
    assert crossing["zero crossing"] != time["time"]


def test_an_event_that_the_vertical_axis_hides_is_not_in_the_legend(run):
    events = (EventRecord(0.0, "b", "time"), EventRecord(2.0, "b", "zero crossing"))
    figure = Result(run.signals, {}, events).plot("relay.y")
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["events:", "zero crossing"]
    assert not Result(run.signals, {}, events[:1]).plot("relay.y").legends


def test_of_an_error_the_title_has_the_first_line(run):
    told = Provenance(diagram="d", complete=False, message="x is nan at t = 1 s\nexpected: finite\ntry bs32")
    title = Result(run.signals, {}, (), told).plot("relay.y").get_suptitle()
    assert title == "d (incomplete: x is nan at t = 1 s)"


def test_units_that_differ_stand_at_the_names():
    time = np.arange(2.0)
    traces = {path: Trace(path, time, time) for path in ("a.y", "b.y")}
    scope = ScopeFigure("s", "", ("a.y", "b.y"), ("theta1", "tau"), "rad, N m")
    (axes,) = Result(traces, scopes=(scope,)).plot().axes
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["theta1 (rad)", "tau (N m)"]
    assert axes.get_ylabel() == ""


def test_the_factor_of_the_tick_labels_ends_left_of_the_legend():
    time = np.linspace(0.0, 1.0, 9)
    figure = Result({"small.y": Trace("small.y", time, 3e-6 * time)}).plot()
    figure.canvas.draw()
    (axes,) = figure.axes
    factor = axes.yaxis.get_offset_text()
    assert "-6" in factor.get_text().replace("\u2212", "-")
    assert factor.get_window_extent().x1 < axes.get_legend().get_window_extent().x0


def test_a_diagram_with_a_grid_of_its_own_is_drawn_and_read_on_another(tmp_path: Path) -> None:
    d = bd.Diagram("wave")
    d.connect(d.add("wave", bd.Sine(frequency=3.0)), d.add("scope", bd.Scope()))
    d.settings(stop=2.0, every=0.25)
    run = d.simulate()
    run.plot(file=tmp_path / "wave.png")
    fine = run.to_dataset(dt=0.1)["wave.y"]
    np.testing.assert_allclose(fine, np.sin(3.0 * fine["time"]), atol=1e-12)
    assert len(d.simulate(times=[0.5, 1.0]).trace("wave.y").time) == 2
