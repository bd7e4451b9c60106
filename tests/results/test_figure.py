"""Figures say what they show: names, units, steps, jumps, events, and whether the run is whole."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from matplotlib import pyplot

import blockdyn as bd
from blockdyn.diagrams.results import EventRecord, Provenance, Result, ResultError, ResultFileError, Trace


def legend(axes):
    return [text.get_text() for text in axes.get_legend().get_texts()]


def curves(axes):
    return [line for line in axes.lines if len(line.get_xdata()) > 1]


def test_one_axes_a_signal_with_name_and_unit(run):
    figure = run.plot(list(run.signals)[:3])
    relay, arm, pose = figure.axes
    assert legend(relay) == ["relay.y"]
    assert relay.get_ylabel() == "V"
    assert legend(arm) == ["plant/arm.q[0]", "plant/arm.q[1]"]
    assert arm.get_ylabel() == "rad"
    assert legend(pose) == ["uav.pose[x] (m)", "uav.pose[y] (m)", "uav.pose[yaw] (rad)"]
    assert [axes.get_xlabel() for axes in figure.axes] == ["", "", "time (s)"]


def decay(rate: float, stop: float = 4.0) -> Result:
    """The vector (1, 2) that falls to 0 at a rate, and samples of its first element."""
    d = bd.Diagram("decay")
    d.connect(d.add("x", bd.Integrator(initial=[1.0, 2.0])), d.add("rate", bd.Gain(k=-rate)))
    d.connect("rate", "x")
    d.connect("x", d.add("first", bd.Selector(0)), d.add("held", bd.ZeroOrderHold(sample_time=0.5)))
    return d.simulate(stop=stop)


def test_runs_stand_beside_one_another_by_their_names():
    slow, fast, long = decay(1.0), decay(2.0), decay(3.0, stop=6.0)
    (axes,) = slow.plot("first", compare={"rate 2": fast, "rate 3": long}).axes
    assert axes.get_title(loc="left") == "first.y"
    assert legend(axes) == ["this run", "rate 2", "rate 3"]
    for line, rate in zip(curves(axes), (1.0, 2.0, 3.0)):
        time, values = line.get_data()
        np.testing.assert_allclose(values, np.exp(-rate * np.asarray(time)), atol=1e-4)
    assert axes.get_xlim() == (0.0, 6.0)
    assert len({line.get_color() for line in curves(axes)}) == 3


def test_the_run_itself_gets_a_name_where_it_is_among_the_others():
    slow, fast = decay(1.0), decay(2.0)
    vector, held = slow.plot(["x", "held"], compare={"rate 1": slow, "rate 2": fast}, style="paper").axes
    assert sorted(legend(vector)) == ["rate 1[0]", "rate 1[1]", "rate 2[0]", "rate 2[1]"]
    assert legend(held) == ["rate 1", "rate 2"]
    assert [line.get_drawstyle() for line in curves(held)] == ["steps-post", "steps-post"]


def test_held_values_end_with_their_run():
    short, long = decay(1.0, stop=4.2), decay(1.0, stop=6.3)
    (axes,) = short.plot("held", compare={"long": long}).axes
    assert [line.get_xdata()[-1] for line in curves(axes)] == [4.2, 6.3]


def test_scopes_show_the_lines_of_other_runs_with_their_names(run, partial_run):
    pose, watch = run.plot(compare={"cut": partial_run}).axes
    assert legend(pose) == ["east", "north", "east, cut (incomplete)", "north, cut (incomplete)"]
    assert pose.get_title(loc="left") == "Pose"
    assert watch.get_title(loc="left") == "watch"


def test_what_is_no_run_beside_is_refused(run):
    for use, says in (
        (lambda: run.plot("relay", compare=run), 'compare: found .*\n.*such as compare={"kp = 2": other}'),
        (lambda: run.plot("relay", compare={"a": 3}), "compare: found"),
        (lambda: run.plot(run), 'paths: found .*\n.*such as compare={"kp = 2": other}'),
        (lambda: run.plot("relay", compare={"a": Result({})}), "compare 'a': no signal 'relay.y'"),
    ):
        with pytest.raises(ResultError, match=f"(?s){says}"):
            use()
    with pytest.raises(TypeError, match="no argument `ax`"):
        run.plot("relay", ax=None)


def test_scopes_come_first_with_their_titles_and_labels(run):
    pose, watch = run.plot().axes
    assert pose.get_title(loc="left") == "Pose"
    assert legend(pose) == ["east", "north"]
    assert pose.get_ylabel() == "m"
    assert watch.get_title(loc="left") == "watch"
    assert legend(watch) == ["control.u (N m)", "relay.y (V)"]


def test_discrete_signals_are_steps_held_to_the_end(run):
    held = curves(run.plot(["control.u", "relay.y"]).axes[0])[0]
    assert held.get_drawstyle() == "steps-post"
    assert (held.get_xdata()[-1], held.get_ydata()[-1]) == (4.0, 3.0)


def test_both_limits_make_an_upright_line(run):
    (relay,) = curves(run.plot("relay.y").axes[0])
    at = np.flatnonzero(relay.get_xdata() == 1.0)
    assert relay.get_drawstyle() == "default"
    assert {relay.get_ydata()[i] for i in at} == {1.0, -1.0}


def test_few_events_are_lines_and_many_are_ticks(run):
    ticks = tuple(EventRecord(0.1 * k, "control", "sample") for k in range(40))
    figure = Result(run.signals, {}, run.events + ticks, run.provenance).plot("relay.y")
    heights = {}
    for marks in figure.axes[0].collections:
        segments = marks.get_segments()
        heights[len(segments)] = float(np.ptp(segments[0][:, 1]))
    assert heights[2] == 1.0
    assert heights[40] < 0.05
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["events:", "mode", "sample"]


def test_a_run_that_is_not_whole_says_so(run, partial_run):
    assert run.plot().get_suptitle() == ""
    assert partial_run.plot().get_suptitle() == "switching (incomplete: interrupted at t = 4 s of 10 s)"


def test_signs_that_matplotlib_reads_as_commands_are_drawn_as_they_are(tmp_path):
    path = "_a$\\frac$.y_1$"
    trace = Trace(path, np.arange(3.0), np.arange(3.0), "kg m^2 s^-1")
    provenance = Provenance(diagram="$\\frac$", complete=False, message="$_$")
    result = Result({path: trace}, {}, (EventRecord(1.0, path, "$_\\q$"),), provenance)
    (axes,) = result.plot(file=tmp_path / "odd.png").axes
    assert legend(axes) == [path]
    assert axes.get_ylabel() == "kg m² s⁻¹"


def test_rounding_noise_on_a_constant_does_not_fill_the_axes():
    time = np.linspace(0.0, 1.0, 9)
    trace = Trace("c.y", time, 0.1 + 1e-17 * np.arange(9.0) * 3)
    low, high = Result({"c.y": trace}).plot().axes[0].get_ylim()
    assert low < 0.09
    assert high > 0.11


def test_of_many_signals_the_title_tells_how_many_are_shown():
    traces = {f"b{k}.y": Trace(f"b{k}.y", np.arange(2.0), np.zeros(2)) for k in range(40)}
    figure = Result(traces).plot()
    assert len(figure.axes) == 32
    assert "32 of 40 signals" in figure.get_suptitle()


def test_of_many_elements_the_legend_tells_how_many_it_leaves_out():
    (axes,) = Result({"m.y": Trace("m.y", np.arange(2.0), np.zeros((2, 5, 5)), "m")}).plot().axes
    assert len(curves(axes)) == 25
    assert legend(axes)[-1] == "and 14 more"


@pytest.mark.parametrize("style", ["screen", "paper"])
def test_more_elements_than_lines_differ_are_an_image(style):
    """Element k goes from 0 to k in 2 s; the last one is 180 at the end."""
    scan = np.array([[0.0], [1.0]]) * np.arange(181.0)
    figure = Result({"lidar.y": Trace("lidar.y", np.array([0.0, 2.0]), scan, "m")}).plot(style=style)
    (image,) = figure.axes[0].images
    shown = image.get_array()
    assert shown.shape[0] == 181
    np.testing.assert_allclose(shown[:, -1], np.arange(181.0))
    np.testing.assert_allclose(shown[100], np.linspace(0.0, 100.0, shown.shape[1]))
    assert image.get_extent()[:2] == [0.0, 2.0]
    assert image.get_clim() == (0.0, 180.0)
    assert figure.axes[0].get_title(loc="left") == "lidar.y"


def test_a_few_extreme_elements_do_not_take_the_colours_of_all_others():
    values = np.tile(np.linspace(0.0, 1.0, 500), (2, 1))
    values[:, 7] = 1e6
    (image,) = Result({"c.y": Trace("c.y", np.arange(2.0), values)}).plot().axes[0].images
    assert image.get_clim()[1] < 1.0


@pytest.mark.parametrize("broken", [np.nan, np.inf])
def test_what_is_no_number_leaves_an_image(broken):
    values = np.full((3, 200), broken)
    (image,) = Result({"c.y": Trace("c.y", np.arange(3.0), values)}).plot().axes[0].images
    assert np.isfinite(image.get_clim()).all()


def test_rows_of_a_matrix_are_lines_in_the_colour_of_their_column_or_a_band():
    few, many = np.zeros((2, 20, 2)), np.zeros((2, 1000, 3))
    many[1, :, 2] = np.linspace(-1.0, 3.0, 1000)
    time = np.arange(2.0)
    traces = {"few.y": Trace("few.y", time, few, "m"), "many.y": Trace("many.y", time, many)}
    lines, bands = Result(traces).plot().axes
    assert legend(lines) == ["[:,0] (m)", "[:,1] (m)"]
    assert len({line.get_color() for line in lines.lines}) == 2
    assert len(curves(lines)) == 40
    assert legend(bands) == ["[:,0]", "[:,1]", "[:,2]", "lowest to highest row, and mean"]
    assert len(bands.collections) == 3
    edge = bands.collections[2].get_paths()[0].get_extents()
    assert (edge.ymin, edge.ymax) == (-1.0, 3.0)
    assert curves(bands)[2].get_ydata()[-1] == pytest.approx(1.0)


def test_in_a_window_noise_keeps_its_samples(monkeypatch):
    monkeypatch.setattr(pyplot, "show", lambda: None)
    time = np.linspace(0.0, 1.0, 4001)
    noise = np.where(np.arange(4001) % 2, 1.0, -1.0)
    figure = Result({"noise.y": Trace("noise.y", time, noise)}).plot(show=True)
    try:
        (axes,) = figure.axes
        assert not axes.collections
        assert [len(line.get_xdata()) for line in curves(axes)][-1] == 4001
        np.testing.assert_allclose(curves(axes)[0].get_ydata(), 0.0, atol=0.03)
    finally:
        pyplot.close(figure)


@pytest.mark.parametrize("kind", ["discrete", "continuous"])
def test_pulses_too_fast_for_a_line_are_a_band_with_their_mean(kind):
    """0 and 1, 1 for 3 of 10 ms, over 10 s; a sine of 1 Hz beside them stays the line that it is."""
    on = np.arange(0.0, 10.0, 0.01)
    if kind == "discrete":
        time, values = np.sort(np.append(on, on + 0.003)), np.tile([1.0, 0.0], 1000)
    else:
        time = np.repeat(np.sort(np.append(on, on + 0.003)), 2)
        values = np.tile([0.0, 1.0, 1.0, 0.0], 1000)
    sine = np.linspace(0.0, 10.0, 5000)
    figure = Result(
        {
            "pwm.y": Trace("pwm.y", time, values, kind=kind),
            "sine.y": Trace("sine.y", sine, np.sin(2.0 * np.pi * sine)),
        }
    ).plot()
    fast, slow = figure.axes
    assert legend(fast) == ["pwm.y", "lowest to highest"]
    edge = fast.collections[0].get_paths()[0].get_extents()
    assert (edge.ymin, edge.ymax) == (0.0, 1.0)
    np.testing.assert_allclose(curves(fast)[0].get_ydata(), 0.3, atol=0.06)
    assert curves(fast)[0].get_ydata().mean() == pytest.approx(0.3, rel=1e-3)
    assert legend(slow) == ["sine.y"]
    assert len(curves(slow)[0].get_xdata()) == 5000


def test_one_signal_against_another(run):
    (axes,) = run.plot_xy("uav.pose[x]", "uav.pose[y]").axes
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("uav.pose[x] (m)", "uav.pose[y] (m)")
    line = curves(axes)[0]
    np.testing.assert_array_equal(line.get_ydata(), line.get_xdata() ** 2)
    assert axes.get_aspect() == 1.0
    with pytest.raises(ResultError, match=r"name one element.*uav\.pose\[x\]"):
        run.plot_xy("uav.pose", "relay.y")


@pytest.fixture(scope="module")
def wave():
    """Two sines in one signal: 2 V at 5 Hz and 0.5 V at 20 Hz, above 3 V; and its samples at 100 Hz."""
    time, ticks = np.linspace(0.0, 4.0, 4001), 0.01 * np.arange(400)
    parts = [3.0 + 2.0 * np.sin(10 * np.pi * t) + 0.5 * np.sin(40 * np.pi * t) for t in (time, ticks)]
    traces = (Trace("wave.y", time, parts[0], "V"), Trace("wave.z", ticks, parts[1], "V", kind="discrete"))
    return Result(signals={trace.path: trace for trace in traces})


@pytest.mark.parametrize("path", ["wave.y", "wave.z"])
def test_a_sine_is_a_peak_of_its_amplitude_at_its_frequency(wave, path):
    (axes,) = wave.plot_spectrum(path).axes
    frequency, height = axes.lines[0].get_data()
    for wanted, amplitude in ((5.0, 2.0), (20.0, 0.5)):
        peak = np.argmin(abs(frequency - wanted))
        assert height[peak] == pytest.approx(amplitude, rel=2e-3)
        assert height[peak] > max(height[peak - 1], height[peak + 1])
    assert height[(frequency > 7) & (frequency < 18)].max() < 1e-3
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("frequency (Hz)", "amplitude (V)")


def test_a_paper_has_a_column_of_letters_of_8_points(run):
    for figure in (
        run.plot(["relay.y", "control.u"], style="paper"),
        run.plot_xy("uav.pose[x]", "uav.pose[y]", style="paper"),
        run.plot_spectrum("uav.pose[x]", style="paper"),
    ):  # fmt: skip
        assert figure.get_figwidth() == pytest.approx(3.45)
        axes = figure.axes[-1]
        assert axes.xaxis.label.get_fontsize() == pytest.approx(8.0)
        assert all(text.get_fontsize() <= 8.0 for text in axes.get_xticklabels())


@pytest.mark.parametrize(
    ("draw", "told"),
    [
        (lambda r: r.plot(style="poster"), "style"),
        (lambda r: r.plot_spectrum([]), "no signal is named"),
        (lambda r: r.plot_spectrum("few"), "few has 3 samples\nexpected: eight or more"),
        (lambda r: r.plot_spectrum("infinite"), "infinite has values that are infinite"),
        (lambda r: r.plot_spectrum(3), "paths"),
        (lambda r: r.plot_spectrum("none"), "none"),
    ],
)
def test_what_cannot_be_drawn_is_told(draw, told):
    time = np.arange(9.0)
    few, infinite = (
        Trace("few", time[:3], time[:3]),
        Trace("infinite", time, np.where(time < 4, time, np.inf)),
    )
    with pytest.raises(ResultError) as error:
        draw(Result(signals={"few": few, "infinite": infinite}))
    assert told in str(error.value)


def test_against_a_signal_of_another_clock_values_are_taken_at_the_instants_of_both(run):
    (axes,) = run.plot_xy("uav.pose[x]", "control.u").axes
    line = curves(axes)[0]
    np.testing.assert_array_equal(line.get_ydata(), np.floor(np.minimum(line.get_xdata(), 3.75)))


@pytest.mark.parametrize(("suffix", "start"), [("png", b"\x89PNG"), ("pdf", b"%PDF"), ("svg", b"<?xml")])
def test_a_picture_is_written_in_the_format_of_its_suffix(tmp_path, suffix, start, run):
    run.plot(file=tmp_path / f"run.{suffix}")
    assert (tmp_path / f"run.{suffix}").read_bytes().startswith(start)
    assert len(list(tmp_path.iterdir())) == 1


def test_a_png_has_200_dots_an_inch(tmp_path, run):
    figure = run.plot(file=tmp_path / "run.png")
    pixels = pyplot.imread(tmp_path / "run.png").shape[1]
    assert pixels == round(200 * figure.get_figwidth())


def test_a_full_disk_leaves_no_picture(tmp_path, monkeypatch, run):
    def refuse(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", refuse)
    with pytest.raises(ResultFileError, match="ENOSPC"):
        run.plot(file=tmp_path / "run.png")
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(ResultFileError, match=r"use one of \.png, \.pdf, \.svg"):
        run.plot(file=tmp_path / "run.gif")


def test_drawing_leaves_pyplot_alone_and_may_be_done_in_threads(tmp_path, run):
    opened = pyplot.get_fignums()
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda k: run.plot(file=tmp_path / f"{k}.png"), range(8)))
    pictures = {path.read_bytes() for path in tmp_path.iterdir()}
    assert len(pictures) == 1
    assert pyplot.get_fignums() == opened


def test_nothing_logged_is_nothing_to_plot():
    with pytest.raises(ResultError, match="no signal was logged"):
        Result({}).plot()


def test_results_are_imported_without_the_heavy_libraries():
    heavy = "('matplotlib', 'xarray', 'pandas', 'pyarrow', 'h5py', 'scipy')"
    code = f"import blockdyn.diagrams.results, sys; print([m for m in {heavy} if m in sys.modules])"
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ended.stdout.strip() == "[]"


def test_a_file_in_the_place_of_a_signal_says_where_files_go(run):
    with pytest.raises(ResultError, match=r"plot\(file='run\.png'\)"):
        run.plot("run.png")
