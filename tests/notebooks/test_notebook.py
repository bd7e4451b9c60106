"""What a notebook shows: pictures without any magic, each once, tables, movies, progress, short errors."""

from __future__ import annotations

import base64
import io
from collections.abc import Callable
from typing import Any

import pytest
from PIL import Image

pytestmark = pytest.mark.xdist_group("notebook")  # one worker makes what they share

SETUP = """
import sys
import blockdyn as bd
assert "IPython" in sys.modules and "matplotlib" not in sys.modules
d = bd.load("quadrotor-corke")
"""
SWEEP = """
joint = bd.load("sampled-joint")
sweep = bd.Sweep(joint, axes={"Kp": [50.0, 100.0, 200.0]}, measures={"top": {"max": "angle"}})
ensemble = sweep.run()
"""
CELLS = {
    "setup": SETUP,
    "diagram": "d",
    "result": "r = d.simulate(stop=2.0)\nr",
    "figure": "r.plot()",
    "named figure": "figure = r.plot_xy('shown.x', 'shown.y')",
    "named again": "figure",
    "strip": "r.strip(times=2)",
    "movie": "r.animate('flight.gif', fps=5, size=(200, 160))",
    "robot": "from blockdyn.robots import load\nload('puma560')",
    "sweep": SWEEP + "sweep",
    "ensemble": "ensemble",
    "worst": "ensemble.worst('top', 2)",
    "picture": "ensemble.plot.distribution('top')",
    "inline": "%matplotlib inline\nr.plot('shown.z')",
    "interactive": "import matplotlib.pyplot as plt\nplt.ion()\nr.plot('shown.z')",
    "unknown": "r['nothing']",
    "failing": (
        "def root(u):\n    raise ValueError('no root of it')\n"
        "e = bd.Diagram('e')\n"
        "e.connect(e.add('clock', bd.Clock()), e.add('f', bd.Function(root, compiled=False)))\n"
        "e.simulate(stop=1.0)"
    ),
    "progress": (
        "w = bd.Diagram('wave')\n"
        "w.connect(w.add('sine', bd.Sine(frequency=1e4)), w.add('sum', bd.Integrator()))\n"
        "publisher, said = get_ipython().display_pub, []\n"
        "publish = publisher.publish\n"
        "publisher.publish = lambda **it: said.append(it['data']['text/plain']) or publish(**it)\n"
        "s = w.simulate(stop=300.0, every=1.0, progress=True)\n"
        "publisher.publish = publish"
    ),
    "said": "print(*said, sep='\\n')",
    "clean": "assert 'ipywidgets' not in sys.modules",
}


@pytest.fixture(scope="module")
def shown(run_notebook: Callable[..., list[list[Any]]]) -> dict[str, list[Any]]:
    """The outputs of all cells, by name."""
    return dict(zip(CELLS, run_notebook(*CELLS.values()), strict=True))


def picture(output: Any) -> Image.Image:
    """The picture that an output shows."""
    return Image.open(io.BytesIO(base64.b64decode(output["data"]["image/png"])))


@pytest.mark.parametrize("name", [name for name in CELLS if name not in ("unknown", "failing")])
def test_no_cell_fails(shown: dict[str, list[Any]], name: str) -> None:
    assert [output["ename"] for output in shown[name] if output["output_type"] == "error"] == []


@pytest.mark.parametrize("name", ["figure", "named again", "strip", "picture", "inline", "interactive"])
def test_a_figure_is_shown_once(shown: dict[str, list[Any]], name: str) -> None:
    pictures = [output for output in shown[name] if "image/png" in output.get("data", {})]
    assert len(pictures) == len(shown[name]) == 1
    image = picture(pictures[0])
    assert image.width > 600
    assert len(image.convert("RGB").getcolors(1 << 24) or []) > 10  # something is drawn


def test_a_figure_that_gets_a_name_is_not_shown(shown: dict[str, list[Any]]) -> None:
    assert shown["named figure"] == []


def test_a_movie_plays_in_the_page(shown: dict[str, list[Any]]) -> None:
    (output,) = shown["movie"]
    page = output["data"]["text/html"]
    data = base64.b64decode(page.partition("base64,")[2].partition("'")[0])
    image = Image.open(io.BytesIO(data))
    assert (image.format, image.size, image.n_frames) == ("GIF", (200, 160), 11)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("diagram", ("QuadrotorMixer", "position.forward", "velocity.forward")),
        ("result", ("Result of quadrotor-corke", "shown.x", "<td")),
        ("robot", ("<svg", "puma560", "<pre ")),
        ("sweep", ("Kp", "3 scenarios")),
        ("ensemble", ("3 scenarios, 3 succeeded", "top")),
        ("worst", ("scenario", "top", "<td")),
    ],
)
def test_tables_are_tables(shown: dict[str, list[Any]], name: str, words: tuple[str, ...]) -> None:
    (output,) = [output for output in shown[name] if "text/html" in output.get("data", ())]
    for word in words:
        assert word in output["data"]["text/html"]


@pytest.mark.parametrize(
    ("name", "kind", "words"),
    [
        ("unknown", "UnknownSignal", ("no signal 'nothing'",)),
        ("failing", "BlockFailed", ("cause: ValueError: no root of it", "line 2", "e.simulate(stop=1.0)")),
    ],
)
def test_an_error_is_a_few_lines(
    shown: dict[str, list[Any]], name: str, kind: str, words: tuple[str, ...]
) -> None:
    (output,) = [output for output in shown[name] if output["output_type"] == "error"]
    text = "\n".join(output["traceback"])
    assert output["ename"] == kind
    assert len(text.splitlines()) <= 12
    assert "src/blockdyn" not in text
    assert "site-packages" not in text
    for word in words:
        assert word in text


def test_progress_is_a_line_of_which_nothing_is_left(shown: dict[str, list[Any]]) -> None:
    (said,) = [output["text"] for output in shown["said"]]
    assert "wave: t = " in said
    assert said.endswith("\n\n")
    assert [output["data"] for output in shown["progress"]] == [{"text/plain": ""}]
