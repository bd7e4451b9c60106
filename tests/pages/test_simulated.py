"""A page that simulates: in a browser its runs have the bits of the engine, whatever its sliders say."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.cli import main
from blockdyn.export.errors import ExportError

from ..export.units import oscillator

pytestmark = pytest.mark.xdist_group("browser")  # the modules share a worker
# rows of the run with these values by path: time and every line, as bytes in base 16
ROWS = """async (values) => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const dials = await Promise.all(data.sliders.map(blockdynSimulated.Dial.of));
  for (const dial of dials) if (dial.slider.path in values) dial.turn(values[dial.slider.path]);
  const engine = await blockdynSimulated.Engine.load(data.image), rows = [], events = [];
  let status = engine.begin(dials.filter((dial) => dial.moved).map((dial) => dial.change));
  while (status === 1 || status === 2) {
    status = engine.advance(5);
    rows.push(...engine.rows());
    events.push(...engine.events());
  }
  return { status, columns: data.image.log.columns, rows, events };
}"""


def bouncing() -> bd.Diagram:
    """A ball on a floor: dv/dt = -g, v+ = -0.8 v- where h falls to 0; and a lag of its speed."""
    d = bd.Diagram("ball", parameters={"g": 9.81, "lag": 0.5})
    v = d.add("v", bd.Integrator(0.0, reset="falling", level=0.0))
    h = d.add("h", bd.Integrator(1.0))
    d.connect(d.add("weight", bd.Constant(bd.expression("-g"))), v["u"])
    d.connect(v, h)
    d.connect(h, v["trigger"])
    d.connect(v, d.add("bounce", bd.Gain(-0.8)), v["value"])
    d.connect(v, d.add("drag", bd.TransferFunction([1.0], [bd.expression("lag"), 1.0])))
    d.log("h", "v", "drag")
    d.settings(stop=2.0)
    return d


def seen(tab: Any, file: Path, **values: float) -> tuple[int, Any, Any]:
    """Status, rows and events of the page's run with other values by path."""
    tab.goto(file.as_uri())
    tab.wait_for_selector("[data-ready=true]")
    found = tab.evaluate(ROWS, values)
    return (
        found["status"],
        np.reshape(found["rows"], (-1, found["columns"])),
        np.reshape(found["events"], (-1, 4)),
    )


def columns(file: Path) -> dict[str, int]:
    """The column of a row in which each line stands, by name."""
    text = re.search(r'id="data">(.*?)</script>', file.read_text(encoding="utf-8"), re.DOTALL)
    assert text is not None
    return {line["name"]: line["column"] for line in json.loads(text[1])["series"]}


HEAVY = 14.7


@pytest.mark.parametrize("values", [{}, {"g": HEAVY, "lag": 0.7123}])
@pytest.mark.parametrize(
    "given", [{"method": "rk4", "step": 0.01}, {"method": "dopri5", "rtol": 1e-7}], ids=str
)
def test_runs_have_the_bits_of_the_engine(
    tab: Any, tmp_path: Path, given: dict[str, Any], values: dict[str, float]
) -> None:
    """With events between the steps; where other numbers are computed from a parameter, too."""
    file = bouncing().export_page(tmp_path / "ball.html", sliders=["g", "lag"], **given).file
    status, rows, events = seen(tab, file, **values)
    expected = bouncing().simulate(refine=4, parameters=values, **given)
    assert status == 0
    for name, column in columns(file).items():
        trace = expected.trace(name)
        np.testing.assert_array_equal(rows[:, 0], trace.time)
        np.testing.assert_array_equal(rows[:, column], trace.values)
    assert [*events[:, 0]] == [event.time for event in expected.events]


def test_impacts_are_at_their_closed_form(tab: Any, tmp_path: Path) -> None:
    """Impacts of a ball that falls from 1 m at sqrt(2 h / g) (1 + 2 e + 2 e^2 + ...)."""
    file = bouncing().export_page(tmp_path / "ball.html", rtol=1e-9, atol=1e-12).file
    status, rows, events = seen(tab, file, g=9.81 / 2.0)
    fall = np.sqrt(2.0 / (9.81 / 2.0))
    assert status == 0
    assert events[:, 0] == pytest.approx(fall * np.array([1.0, 1.0 + 2.0 * 0.8]), abs=1e-9)
    assert rows[-1, 0] == 2.0


def test_a_slider_runs_the_diagram_anew(tab: Any, tmp_path: Path) -> None:
    file = bouncing().export_page(tmp_path / "ball.html").file
    tab.goto(file.as_uri())
    tab.wait_for_selector("[data-ready=true]")
    before = tab.locator(".events h2").inner_text()
    tab.get_by_label("g, number", exact=True).fill("1")
    tab.get_by_label("g, number", exact=True).press("Enter")
    tab.wait_for_function("document.querySelector('.blockdyn').dataset.runs === '2'")
    assert before == "Events (3)"
    assert tab.locator(".events h2").inner_text() == "Events (1)"  # sqrt(2 / 1) s is the first impact
    tab.get_by_role("button", name="every slider as at first").click()
    tab.wait_for_function("document.querySelector('.blockdyn').dataset.runs === '3'")
    assert tab.locator(".events h2").inner_text() == before


def test_a_long_run_lets_the_page_live_and_has_the_bits_of_the_engine(tab: Any, tmp_path: Path) -> None:
    """60 000 rows, which the buffer does not hold; 1/16 s of 16 Hz noise, from a start other than 0."""
    d = bd.Diagram("noise")
    noise = d.add("noise", bd.BandLimitedWhiteNoise(power=1.0, sample_time=0.0625))
    d.connect(noise, d.add("x", bd.Integrator(0.0)), d.add("late", bd.TransportDelay(0.5)))
    d.log("x", "late", "noise")
    given: dict[str, Any] = {"start": 1.0, "stop": 16.0, "method": "rk4", "step": 1e-3, "seed": 7}
    file = d.export_page(tmp_path / "noise.html", **given).file
    status, rows, _ = seen(tab, file)
    expected = d.simulate(refine=4, **given)
    assert status == 0
    assert len(rows) > 50_000
    np.testing.assert_array_equal(rows[:, columns(file)["x.y"]], expected.trace("x").values)
    np.testing.assert_array_equal(rows[:, columns(file)["late.y"]], expected.trace("late").values)
    assert int(tab.evaluate("document.querySelector('.blockdyn').dataset.pictures")) > 1


@pytest.mark.parametrize("method", ["auto", "radau5"])
def test_stiff_runs_have_the_bits_of_the_engine(tab: Any, tmp_path: Path, method: str) -> None:
    """Implicit steps, with the tangents of an algebraic loop, and events among them."""
    d = oscillator(method=method)
    d.log("x", "v")
    file = d.export_page(tmp_path / "oscillator.html").file
    for mu in (100.0, 200.0):
        status, rows, _ = seen(tab, file, mu=mu)
        expected = d.simulate(refine=4, parameters={"mu": mu})
        assert status == 0
        assert int(expected.statistics["jacobians"]) > 0
        for name in ("x", "v"):
            np.testing.assert_array_equal(rows[:, columns(file)[f"{name}.y"]], expected.trace(name).values)


def test_a_slider_stays_where_the_diagram_can_be(tab: Any, tmp_path: Path) -> None:
    """A lag of 0 s is refused by the diagram: the slider ends above it, and takes no number below."""
    file = bouncing().export_page(tmp_path / "ball.html", sliders=["lag"], parameters={"lag": 0.4}).file
    tab.goto(file.as_uri())
    tab.wait_for_selector("[data-ready=true]")
    field = tab.get_by_label("lag, number", exact=True)
    field.fill("-3")
    field.press("Enter")
    tab.wait_for_function("document.querySelector('.blockdyn').dataset.runs === '2'")
    assert float(field.input_value()) == pytest.approx(0.008)  # the first of 100 steps up to 0.8


def test_a_failed_run_says_so(tab: Any, tmp_path: Path) -> None:
    d = bd.Diagram("pole")
    d.connect(
        d.add("clock", bd.Clock()), d.add("f", bd.Expression("1 / (u - 1)")), d.add("x", bd.Integrator())
    )
    d.log("x")
    tab.goto(d.export_page(tmp_path / "pole.html", stop=2.0).file.as_uri())
    tab.wait_for_selector("[data-ready=true]")
    assert re.search(r"not finite|short enough", tab.locator("[role=status]").inner_text())


def test_blocks_that_stay_in_python_are_named(tmp_path: Path) -> None:
    d = bd.Diagram("kept")
    d.connect(
        d.add("clock", bd.Clock()),
        d.add("f", bd.Function(lambda u: 2.0 * u, compiled=False)),
        d.add("x", bd.Integrator()),
    )
    with pytest.raises(ExportError) as caught:
        d.export_page(tmp_path / "kept.html", stop=1.0, method="bdf")
    assert [path for path, _ in caught.value.obstacles] == ["f", "method"]
    assert not (tmp_path / "kept.html").exists()


def test_a_slider_of_an_unknown_number_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ExportError, match="lagg"):
        bouncing().export_page(tmp_path / "ball.html", sliders=["lagg"])


@pytest.mark.parametrize(("options", "told"), [(["--check"], "can be exported"), ([], "written: loop.html")])
def test_from_the_command_line(
    options: list[str], told: str, tmp_path: Path, capsys: Any, monkeypatch: Any
) -> None:
    monkeypatch.chdir(tmp_path)
    bd.dump(bouncing(), "loop.yaml")
    assert main(["export", "page", "loop.yaml", *options]) == 0
    assert told in capsys.readouterr().out
