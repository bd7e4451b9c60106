"""`blockdyn animate`: the arm that is drawn is the arm that moved, and files are whole or not there."""

from __future__ import annotations

import json
import pickle
import shutil
import subprocess
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image, ImageSequence

import blockdyn as bd
from blockdyn.base.progress import Bar
from blockdyn.cli import main
from blockdyn.diagrams.results.errors import ResultError, ResultFileError, UnknownSignal
from blockdyn.diagrams.results.provenance import Provenance
from blockdyn.diagrams.results.trace import Trace
from blockdyn.plots.films.actors import ArmActor, at
from blockdyn.plots.films.animation import animation
from blockdyn.plots.films.film import film
from blockdyn.plots.films.movers import NoArm
from blockdyn.plots.films.scene import Scene
from blockdyn.plots.robots.picture import limbs
from blockdyn.robots import load
from blockdyn.robots.shapes.shape import skeleton

from .moved import ONE, SMALL, forward, moved, signals_of


def shown_frames(file: Path) -> tuple[int, float]:
    """Number of frames and duration, s, of a GIF as Pillow reads it."""
    with Image.open(file) as image:
        lasts = [frame.info["duration"] for frame in ImageSequence.Iterator(image)]
    return len(lasts), sum(lasts) / 1000.0


# ---- what is drawn ----


@pytest.mark.parametrize("name", ["puma560", "stanford", "cobra600", "twolink"])
def test_the_tool_is_drawn_where_forward_kinematics_puts_it(name: str) -> None:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    from mpl_toolkits.mplot3d.proj3d import proj_transform

    robot = load(name)
    q = np.random.default_rng(1).uniform(0.1, 0.8, (3, robot.n))
    figure = Figure()
    FigureCanvasAgg(figure)
    axes: Any = figure.add_subplot(projection="3d")
    shown = film(robot, np.arange(3.0), q, np.arange(3.0), q)
    scene = Scene([shown], axes)
    for k in range(3):
        scene.show(k)
        T = forward(robot, q[k])
        np.testing.assert_allclose(shown.tip[k], T[:3, 3], atol=1e-12)
        x, y, _ = proj_transform(*T[:3, 3], axes.get_proj())
        for axis in scene.triad.get_segments():
            np.testing.assert_allclose(axis[0], [x, y], atol=1e-9)


@pytest.mark.parametrize("name", ["puma560", "stanford", "cobra600", "hyper3d", "panda"])
def test_limbs_hang_together_at_every_stroke(name: str) -> None:
    robot = load(name)
    q = np.random.default_rng(2).uniform(-0.7, 0.9, (2, robot.n))
    shown = film(robot, np.arange(2.0), q, np.arange(2.0), q)
    for k in range(2):
        ends = skeleton(robot).world(shown.motion, k).reshape(-1, 2, 3)
        drawn = [tuple(np.round(x, 9) + 0.0) for pair in ends for x in pair]
        wanted = [tuple(np.round(x, 9) + 0.0) for limb in limbs(robot, q[k]) for x in limb.points]
        assert set(wanted) == set(drawn)
        for (_, end), (begin, _) in pairwise(ends):
            gap = float(np.linalg.norm(end - begin))
            assert gap < 1e-9 or tuple(np.round(begin, 9) + 0.0) in wanted


def test_between_samples_the_rates_shape_the_motion() -> None:
    time = np.array([0.0, 0.5, 2.0])
    q = Trace("arm.q", time, (time**3)[:, None], "rad")
    qd = Trace("arm.qd", time, (3 * time**2)[:, None], "rad/s")
    when = np.linspace(0.0, 2.0, 9)
    cubic = at(bd.Result({"arm.q": q, "arm.qd": qd}), q, when)
    np.testing.assert_allclose(cubic[:, 0], when**3, atol=1e-14)
    straight = at(bd.Result({"arm.q": q}), q, np.array([0.25, 1.25]))
    np.testing.assert_allclose(straight[:, 0], [0.0625, 4.0625])


# ---- movies ----


def test_frames_and_duration(tmp_path: Path) -> None:
    made = moved().animate(tmp_path / "arm.gif", fps=10, **SMALL)
    assert (made.frames, made.duration) == (11, 1.1)
    assert shown_frames(made.file) == (11, 1.1)
    with Image.open(made.file) as image:
        assert image.size == (160, 120)
        assert image.info["loop"] == 0
        assert image.convert("RGB").getpixel((1, 118)) == (255, 255, 255)


def test_slow_motion_lasts_longer_and_thirds_of_hundredths_add_up(tmp_path: Path) -> None:
    made = moved(duration=0.3).animate(tmp_path / "arm.gif", fps=30, speed=0.5, **SMALL)
    assert made.frames == 19
    assert shown_frames(made.file) == (19, pytest.approx(19 / 30, abs=0.006))


def test_one_instant_is_one_frame(tmp_path: Path) -> None:
    one = Trace("arm.q", np.array([2.0]), np.array([[0.1, 0.2]]))
    result = bd.Result({"arm.q": one}, provenance=Provenance("still", ONE))
    assert shown_frames(result.animate(tmp_path / "arm.gif", **SMALL).file)[0] == 1


@pytest.mark.skipif(shutil.which("ffprobe") is None, reason="ffmpeg is not installed")
def test_mp4_has_the_same_frames_and_even_sides(tmp_path: Path) -> None:
    file = moved().animate(tmp_path / "arm.mp4", fps=10, size=(161, 121)).file
    asked = ["-show_entries", "stream=nb_frames,width,height,pix_fmt,duration", "-of", "json"]
    told = subprocess.run(["ffprobe", "-v", "error", *asked, file], capture_output=True, check=True).stdout
    stream = json.loads(told)["streams"][0]
    assert (stream["width"], stream["height"], stream["pix_fmt"]) == (162, 122, "yuv420p")
    assert (stream["nb_frames"], float(stream["duration"])) == ("11", pytest.approx(1.1))
    assert list(tmp_path.iterdir()) == [file]


def test_without_ffmpeg_the_message_says_how_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ResultError, match="apt install ffmpeg"):
        moved().animate(tmp_path / "arm.mp4")


@pytest.mark.parametrize("suffix", ["gif", "mp4"])
def test_an_interrupt_leaves_nothing_and_harms_nothing(
    tmp_path: Path, suffix: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from blockdyn.plots.films.animate import write_film

    if suffix == "mp4" and shutil.which("ffmpeg") is None:
        pytest.skip("ffmpeg is not installed")
    file = tmp_path / f"arm.{suffix}"
    file.write_text("an older one")

    def interrupt(bar: Bar, done: float, words: str) -> None:
        if words.startswith("frame 3 of"):
            raise KeyboardInterrupt

    monkeypatch.setattr(Bar, "show", interrupt)
    with pytest.raises(KeyboardInterrupt):
        write_film(animation(moved()), file, size=(160, 120), progress=True)
    assert [path.name for path in tmp_path.iterdir()] == [file.name]
    assert file.read_text() == "an older one"


def test_a_strip_has_a_view_for_every_instant(tmp_path: Path) -> None:
    figure = moved().strip(tmp_path / "arm.pdf", times=[0.0, 0.25, 1.0])
    assert len(figure.axes) == 3
    assert [text.get_text().split(",")[0] for text in figure.texts] == ["0 s", "0.25 s", "1 s"]
    assert (tmp_path / "arm.pdf").read_bytes().startswith(b"%PDF")
    with pytest.raises(ResultError, match="from 0 to 1 s"):
        moved().strip(times=[2.0])


# ---- which arm ----


def test_the_plant_of_the_diagram_is_found() -> None:
    shown = animation(moved("place.T", "arm.q"))
    assert [(actor.name, actor.trace.path) for actor in shown.actors] == [("twolink", "arm.q")]


def test_states_and_short_names_do_as_well() -> None:
    state = moved("arm.position").signals["arm.position"]
    result = bd.Result({}, {"arm.position": state}, provenance=Provenance("", ONE))
    assert signals_of(animation(result)) == ["arm.position"]
    assert animation(moved(), signal="arm").actors[0].name == "twolink"


def test_a_robot_and_a_signal_by_name_need_no_diagram() -> None:
    (actor,) = animation(moved("x.y", description=None, n=6), robot="puma560", signal="x.y").actors
    assert isinstance(actor, ArmActor)
    assert actor.robot == load("puma560")
    assert signals_of(animation(moved(description=None), robot="planar2")) == ["arm.q"]


@pytest.mark.parametrize(
    ("result", "arguments", "error", "message"),
    [
        (moved(description=None), {}, NoArm, "does not hold its diagram"),
        (moved("place.T"), {}, NoArm, "arm.q was not logged"),
        (moved(), {"block": "arms"}, NoArm, "did you mean `arm`"),
        (moved(), {"block": "arm", "signal": "arm.q"}, ResultError, "one of them"),
        (moved(), {"signal": "arm.p"}, UnknownSignal, "the nearest names are arm.q"),
        (moved(), {"robot": "puma560", "signal": "arm.q"}, ResultError, "2 numbers per sample\nexpected: 6"),
        (moved(), {"robot": "pumma560"}, bd.BlockdynError, "did you mean `puma560`"),
    ],
)
def test_what_cannot_be_found_is_told(result: Any, arguments: Any, error: Any, message: str) -> None:
    with pytest.raises(error, match=message):
        animation(result, **arguments)


def test_empty_and_broken_motions_are_told() -> None:
    nothing = Trace("arm.q", np.zeros(0), np.zeros((0, 2)))
    broken = Trace("arm.q", np.array([0.0, 1.5]), np.array([[0.0, 0.0], [np.nan, 0.0]]))
    for trace, message in ((nothing, "no samples"), (broken, "not finite at t = 1.5 s")):
        with pytest.raises(ResultError, match=message):
            animation(bd.Result({"arm.q": trace}, provenance=Provenance("", ONE)))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"file": "arm.avi"}, "use one of .gif, .mp4"),
        ({"fps": 60}, "the 50 that viewers of GIF show"),
        ({"fps": 0}, "expected a positive number"),
        ({"speed": 1e-6}, "20000 at most"),
        ({"size": (50, 50)}, "100 to 4096 pixels"),
        ({"view": (100, 0)}, "elevation"),
        ({"file": "nowhere/arm.gif"}, "make the folder first"),
    ],
)
def test_impossible_movies_are_refused(tmp_path: Path, arguments: Any, message: str) -> None:
    given = {"file": "arm.gif"} | arguments
    with pytest.raises((ResultError, ResultFileError), match=message):
        moved().animate(tmp_path / given.pop("file"), **given)
    assert list(tmp_path.iterdir()) == []


# ---- the command ----


def test_a_file_and_a_diagram(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    moved().save("run.nc")
    assert main(["animate", "run.nc", "--fps", "5", "--size", "160x120"]) == 0
    out = capsys.readouterr().out.splitlines()
    assert out[0] == "falling: twolink by arm.q, 0 to 1 s"
    assert out[1].startswith("  written: run.gif, 6 frames, 1.2 s, ")
    assert shown_frames(tmp_path / "run.gif")[0] == 6
    Path("one.yaml").write_text(ONE)
    assert main(["animate", "one.yaml", "--stop", "0.2", "--frames", "one.png", "--at", "0,0.1"]) == 0
    assert Path("one.png").stat().st_size > 5000
    assert not Path("one.gif").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("nowhere.nc",), "cannot read nowhere.nc"),
        (("run.nc", "--out", "arm.webm"), "use one of .gif, .mp4"),
        (("run.nc", "--signal", "arm.x"), "the nearest names are arm.q"),
        (("run.nc", "--block", "arm", "--block", "twin"), "block twin moves none"),
        (("run.nc", "--size", "big"), "argument --size: invalid size value: 'big'"),
        (("run.nc", "--vieww", "1"), "did you mean `--view`?"),
    ],
)
def test_mistakes_on_the_command_line_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
    arguments: tuple[str, ...], message: str,
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    moved().save("run.nc")
    try:
        status = main(["animate", *arguments])
    except SystemExit as end:
        status = int(end.code or 0)
    assert status == 2
    assert message in capsys.readouterr().err


def test_what_a_diagram_with_python_objects_moves_is_found_in_its_own_result() -> None:
    """A robot made here, under a torque computed here: no file could hold this diagram."""
    link = {"mass": 1.0, "com": [-0.2, 0.0, 0.0], "inertia": [0.0, 0.01, 0.01]}
    own = bd.robots.from_dh([{"a": 0.5, **link}, {"a": 0.4, **link}])
    scale = {"of": 0.1}
    d = bd.Diagram("own")
    arm = d.add("arm", bd.FDyn(own))
    d.connect(arm["qd"], d.add("law", bd.Function(lambda qd: -scale["of"] * qd)), arm["tau"])
    r = d.simulate(stop=0.2)
    (actor,) = animation(r).actors
    assert isinstance(actor, ArmActor)
    assert actor.robot == own
    assert "<svg" in r.draw().svg
    with pytest.raises(NoArm, match="does not hold its diagram"):
        animation(pickle.loads(pickle.dumps(r)))
