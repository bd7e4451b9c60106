"""What a notebook shows of objects that users hold: text, escaped, and a picture in the ink of the page."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import unescape
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

import blockdyn as bd
from blockdyn import robots
from blockdyn.base.shown import NotebookText
from blockdyn.robots import planning

SVG = re.compile(r"<svg.*?</svg>", re.DOTALL)
TIMES = np.linspace(0.1, 3.0, 30)


def lag() -> bd.Diagram:
    diagram = bd.Diagram("lag", parameters={"T": 0.5})
    diagram.add("lag", bd.TransferFunction([1.0], bd.expression("[T, 1]")))
    diagram.connect(diagram.add("u", bd.Constant(1.0)), "lag")
    diagram.connect("lag", diagram.add("y", bd.Outport()))
    diagram.log("lag")
    return diagram


def oscillator() -> bd.Diagram:
    diagram = bd.Diagram("van-der-pol")
    x, v = diagram.add("x", bd.Integrator(2.0)), diagram.add("v", bd.Integrator(0.0))
    force = diagram.add("force", bd.Expression("(1 - x**2) * v - x"))
    diagram.connect(x, force["x"])
    diagram.connect(v, [force["v"], x])
    diagram.connect(force, v)
    return diagram


def floor() -> planning.OccupancyMap:
    cells = np.zeros((20, 30), dtype=int)
    cells[:12, 14:16] = 1
    return planning.OccupancyMap(cells, 0.1)


def model() -> Any:
    diagram = bd.Diagram("plant")
    plant = diagram.add("plant", bd.TransferFunction([1.0], [1.0, 3.0, 2.0, 0.0]))
    diagram.connect(diagram.add("u", bd.Inport()), plant)
    diagram.connect(plant, diagram.add("y", bd.Outport()))
    return diagram.linearize(at={"u": 0.0})


def fit() -> Any:
    data = {"time": TIMES, "lag": 1.0 - np.exp(-TIMES / 0.4) + 1e-3 * np.cos(40.0 * TIMES)}
    return lag().fit(data, ["T"])


ENDS = (0.55, 0.55), (2.55, 0.55)
POSES = (0.55, 0.55, 0.0), (2.55, 0.55, 0.0)
PLAIN: dict[str, Callable[[], Any]] = {
    "Trim": lambda: lag().trim(),
    "Gradient": lambda: lag().gradient({"end": {"final": "lag"}}, "T", stop=1.0),
    "Roadmap": lambda: planning.roadmap(floor(), samples=60),
    "LinearModels": lambda: lag().linearize_along([0.5, 1.0]),
    "ArcPaths": lambda: planning.dubins_many(POSES[:1] * 3, POSES[1:] * 3, 0.4),
    "DistanceTransform": lambda: planning.distance_transform(floor(), ENDS[1]),
}
PICTURED: dict[str, Callable[[], Any]] = {
    "FrequencyResponse": lambda: lag().frequency_response([1.0, 5.0], "u", amplitude=0.1),
    "RootLocus": lambda: model().root_locus(),
    "Fit": fit,
    "Sensitivities": lambda: lag().sensitivities("T", "lag", TIMES),
    "Orbit": lambda: oscillator().orbit(at=20.0, stop=20.0),
    "OccupancyMap": floor,
    "Plan": lambda: planning.astar(floor(), *ENDS),
    "ArcPath": lambda: planning.dubins(*POSES, 0.4),
    "SpeedProfile": lambda: planning.speed_profile(planning.dubins(*POSES, 0.4), 1.0, 0.5),
    "Robot": lambda: robots.load("puma560"),
    "Multirotor": lambda: robots.load_vehicle("crazyflie"),
    "LinearModel": model,
    "Tuned": lambda: lag().tune("T", "end", {"end": {"final": "lag"}}, bounds={"T": (0.1, 1.0)}, stop=1.0),
    "DrivenPlan": lambda: planning.lattice(floor(), *POSES, 0.2),
}


def held(name: str, kinds: dict[str, Callable[[], Any]]) -> Any:
    value = kinds[name]()
    assert type(value).__name__ == name
    assert isinstance(value, NotebookText)
    return value


@pytest.mark.parametrize("name", PLAIN)
def test_what_has_no_picture_is_its_text(name: str) -> None:
    value = held(name, PLAIN)
    text = re.fullmatch(r"<pre[^>]*>(.*)</pre>", value._repr_html_(), re.DOTALL)
    assert text is not None
    assert "<" not in text[1]
    assert unescape(text[1]) == str(value)


@pytest.mark.parametrize("name", PICTURED)
def test_a_picture_stands_above_the_text_and_has_the_ink_of_the_page(name: str) -> None:
    value = held(name, PICTURED)
    html = value._repr_html_()
    (svg,) = SVG.findall(html)
    ElementTree.fromstring(svg)
    assert "fill:currentColor" in html[: html.index("<svg")]
    assert not re.search("<script|<metadata", svg)
    greys = [int(grey[1], 16) for grey in re.finditer(r"#([0-9a-f]{2})\1\1\b", svg)]
    assert all(0x60 <= grey <= 0xA0 for grey in greys)  # seen on white and on black
    assert html.index("</svg>") < html.index("<pre")
    assert unescape(html[html.index(">", html.index("<pre")) + 1 : html.index("</pre>")]) == str(value)
    assert value._repr_html_() == html


def test_a_plot_has_the_ink_of_the_page_and_so_has_the_paper_of_a_map() -> None:
    html = lag().simulate(stop=1.0).plot()._repr_html_()  # type: ignore[attr-defined]
    greys = [int(grey[1], 16) for grey in re.finditer(r"#([0-9a-f]{2})\1\1\b", html)]
    assert all(0x60 <= grey <= 0xA0 for grey in greys)
    (image,) = floor().plot().images
    assert image.to_rgba(image.get_array())[0, 0, 3] == 0.0  # a free cell


def test_a_path_without_length_is_shown() -> None:
    assert "<svg" in planning.dubins(POSES[0], POSES[0], 0.4)._repr_html_()


def test_a_text_is_escaped() -> None:
    class Named(NotebookText):
        def __str__(self) -> str:
            return "<b>\x1b[31m&"

    assert Named()._repr_html_().endswith(r">&lt;b&gt;\u001b[31m&amp;</pre>")


def test_a_large_picture_has_curves_of_pixels_and_the_ink_of_the_page() -> None:
    """Letters stay letters, and the figure is as it was before it was shown."""
    diagram = bd.Diagram("noise")
    noise = diagram.add("noise", bd.BandLimitedWhiteNoise(power=1e-4, sample_time=1e-4))
    diagram.connect(noise, diagram.add("x", bd.Integrator()))
    figure = diagram.simulate(stop=10.0, seed=1, log=["noise", "x"]).plot_xy("x", "noise")
    dpi = figure.dpi
    html = figure._repr_html_()  # type: ignore[attr-defined]
    assert html is not None
    assert len(html) < 500_000
    assert "data:image/png;base64" in html
    assert "noise.y" in html
    assert "fill:currentColor" in html
    assert figure.dpi == dpi
    assert not any(line.get_rasterized() for axes in figure.axes for line in axes.lines)


def test_a_program_is_one_line() -> None:
    assert repr(lag().compile()) == "Program('lag', 3 blocks)"


def test_a_state_among_signals_to_log_is_said_to_be_there() -> None:
    diagram = lag()
    with pytest.raises(bd.DiagramError, match="it is a state, which every result has without `log`"):
        diagram.simulate(stop=1.0, log=["lag.x"])
    assert diagram.simulate(stop=1.0).trace("lag.x").values.size
