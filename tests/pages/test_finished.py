"""The page of a finished run: what its data say, and what a browser makes of them."""

from __future__ import annotations

import base64
import json
import re
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import expect

from blockdyn.cli import main
from blockdyn.diagrams.results import EventRecord, Provenance, Result, ResultError, ScopeFigure, Trace
from blockdyn.diagrams.results.errors import ResultFileError
from blockdyn.diagrams.yaml import loads
from blockdyn.pages.finished.page import page

pytestmark = pytest.mark.xdist_group("browser")  # the modules share a worker
HOSTILE = '</script><script>alert(1)</script><img src=x onerror="alert(2)">{{data}}&amp;'
SOLVER = {"method": "dopri5", "touches": [{"at": 0.5, "set": {"kp": 3.0}}]}
TURNING = """\
blockdyn: 1
name: turning
blocks: {speeds: {type: Constant, value: [900, -900, 900, -900]}, craft: {type: NRotor, vehicle: hummingbird}}
wires: [speeds -> craft.omega]
simulate: {stop: 0.5}
log: [craft]
"""


def run_of(*traces: Trace, events: tuple[EventRecord, ...] = (), **about: Any) -> Result:
    record = {"diagram": "example", "parameters": {"gain": 2.0}, "solver": SOLVER} | about
    return Result({trace.path: trace for trace in traces}, events=events, provenance=Provenance(**record))


@pytest.fixture(scope="module")
def stepping() -> Result:
    """A ramp that jumps from 1 to 3 at t = 1, and a clock's counter that holds its values."""
    time = np.array([0.0, 0.5, 1.0, 1.0, 1.5, 2.0])
    return run_of(
        Trace("ramp.y", time, np.array([0.0, 0.5, 1.0, 3.0, 3.5, 4.0]), "m"),
        Trace("count.y", np.array([0.0, 0.4, 0.8]), np.array([0.0, 1.0, 2.0]), "", kind="discrete"),
        Trace("arm.q", time, np.stack([time, -time], axis=1), "rad"),
        events=(
            EventRecord(0.4, "count", "time"),
            EventRecord(1.0, "jump", "zero crossing", "hit", "rising"),
        ),
    )


def data_of(text: str) -> Any:
    (found,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', text, re.S)
    return json.loads(found)


def decoded(text: str, kind: str) -> np.ndarray:
    """As HTML's front/src/page/coded.ts reads them: planes of bytes, put together again."""
    planes = np.frombuffer(zlib.decompress(base64.b64decode(text)), np.uint8)
    return planes.reshape(np.dtype(kind).itemsize, -1).T.copy().view(kind)[:, 0]


def test_the_page_holds_every_sample(stepping: Result) -> None:
    data = data_of(page(stepping))
    assert [scope["title"] for scope in data["scopes"]] == ["arm.q", "count.y", "ramp.y"]
    traces = {"ramp.y": stepping.signals["ramp.y"], "0": stepping.trace("arm.q[0]")}
    for name, trace in traces.items():
        (line,) = [line for line in data["lines"] if line["name"] == name]
        np.testing.assert_array_equal(decoded(data["times"][line["time"]], "<f8"), trace.time)
        drawn = line["middle"] + line["scale"] * decoded(line["data"], "<f4").astype(float)
        np.testing.assert_allclose(drawn, trace.values, atol=6e-8 * np.ptp(trace.values))
    assert len(data["times"]) == 2  # those of ramp and arm are the same


def test_scopes_come_first_under_their_names() -> None:
    time = np.array([0.0, 1.0])
    traces = [Trace(f"{name}.y", time, time, "V") for name in ("a", "b", "c")]
    scope = ScopeFigure("shown", "Voltages", ("a.y", "b.y"), ("left", "right"), "mV")
    data = data_of(page(Result({t.path: t for t in traces}, scopes=(scope,))))
    first, rest = data["scopes"]
    assert (first["title"], first["first"], rest["title"], rest["first"]) == ("Voltages", True, "c.y", False)
    assert [(data["lines"][k]["name"], data["lines"][k]["unit"]) for k in first["lines"]] == [
        ("left", "mV"),
        ("right", "mV"),
    ]


def test_what_is_too_much_for_a_page_keeps_its_peaks_and_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("blockdyn.pages.finished.page.MOST_SAMPLES", 20_000)
    values = np.zeros(50_000)
    values[12_345] = 7.0
    text = page(run_of(Trace("spike.y", np.linspace(0, 1, 50_000), values)))
    (line,) = data_of(text)["lines"]
    drawn = line["middle"] + line["scale"] * decoded(line["data"], "<f4")
    assert drawn.size < 20_000
    assert drawn.max() == 7.0
    assert "one line thinned" in text


def test_a_run_of_nothing_and_numbers_that_are_none_make_a_page() -> None:
    assert data_of(page(run_of()))["lines"] == []
    odd = Trace("odd.y", np.arange(4.0), np.array([1.0, np.nan, np.inf, 1e308]))
    (line,) = data_of(page(run_of(odd)))["lines"]
    drawn = line["middle"] + line["scale"] * decoded(line["data"], "<f4").astype(float)
    np.testing.assert_array_equal(np.isnan(drawn), [False, True, True, False])


def test_what_is_no_page_is_told(tmp_path: Path, stepping: Result) -> None:
    with pytest.raises(ResultFileError, match=r"use \.html"):
        stepping.page(tmp_path / "run.htm")
    with pytest.raises(ResultFileError, match="nowhere"):
        stepping.page(tmp_path / "nowhere" / "run.html")
    with pytest.raises(ResultError, match=r"rows of this result are in run\.parquet"):
        Result({}, file="run.parquet").page(tmp_path / "run.html")
    assert list(tmp_path.iterdir()) == []


def test_the_command_writes_a_page_beside_the_result(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    (tmp_path / "turning.yaml").write_text(TURNING)
    out, beside = tmp_path / "run.html", tmp_path / "beside.html"
    assert main(["run", str(tmp_path / "turning.yaml"), "--out", str(out), "--page", str(beside)]) == 0
    assert f"written: {out}, {beside}" in " ".join(capsys.readouterr().out.split())
    assert data_of(out.read_text(encoding="utf-8"))["film"]["title"] == "turning: NRotor"
    assert main(["run", str(tmp_path / "turning.yaml"), "--page", str(tmp_path / "run.txt")]) == 2


def test_a_browser_shows_values_events_and_facts(tab: Any, tmp_path: Path, stepping: Result) -> None:
    asked: list[str] = []
    tab.on("request", lambda request: asked.append(request.url))
    stepping.page(tmp_path / "run.html")
    tab.goto((tmp_path / "run.html").as_uri())
    tab.wait_for_selector("[data-ready]")
    assert asked == [(tmp_path / "run.html").as_uri()]
    assert tab.locator(".scope").count() == 3
    tab.get_by_title("go there").last.click()  # the jump at 1 s: the limit from the right
    ramp = tab.locator(".scope", has_text="ramp.y")
    expect(ramp.locator("output")).to_have_text("3")  # drawn with the next picture
    assert tab.locator(".scope", has_text="count.y").locator("output").inner_text() == "2"  # held
    assert tab.locator("tbody tr", has_text="gain").inner_text().split() == ["gain", "2"]
    assert tab.locator("tbody tr", has_text="0.5 s").inner_text().split() == ["0.5", "s", "kp", "=", "3"]
    tab.keyboard.press("Escape")
    tab.locator("h1").click()
    tab.keyboard.press("+")
    expect(tab.locator(".range")).to_have_text("0.5 to 1.5 s")
    place = ramp.locator(".u-over").bounding_box()
    tab.mouse.move(place["x"] + place["width"] / 4, place["y"] + 20)
    assert abs(float(ramp.locator("output").inner_text()) - 0.75) < 0.01
    tab.keyboard.press("0")
    expect(tab.locator(".range")).to_have_text("0 to 2 s")


def test_names_are_shown_as_they_are_and_run_nothing(tab: Any, tmp_path: Path) -> None:
    time = np.array([0.0, 1.0])
    named = Trace(f"{HOSTILE}.y", time, time, HOSTILE)
    events = (EventRecord(0.5, HOSTILE, HOSTILE, HOSTILE),)
    run = run_of(named, events=events, diagram=HOSTILE, parameters={HOSTILE: HOSTILE}, description=HOSTILE)
    run.page(tmp_path / "run.html")
    opened: list[str] = []
    tab.on("dialog", lambda dialog: opened.append(dialog.message))
    tab.goto((tmp_path / "run.html").as_uri())
    tab.wait_for_selector("[data-ready]")
    assert tab.locator("h1").inner_text() == HOSTILE
    assert tab.locator(".events td").nth(1).inner_text() == HOSTILE
    assert tab.locator("main img").count() == 0
    assert opened == []


def test_a_peak_among_a_million_samples_is_drawn(tab: Any, tmp_path: Path) -> None:
    values = np.sin(np.linspace(0, 50, 1_000_000))
    values[700_000] = 100.0
    run_of(Trace("spike.y", np.linspace(0, 10, 1_000_000), values)).page(tmp_path / "run.html")
    tab.goto((tmp_path / "run.html").as_uri())
    tab.wait_for_selector("[data-ready] .uplot canvas")
    columns = tab.evaluate(
        """() => {
            const canvas = document.querySelector(".uplot canvas");
            const { data, width, height } =
                canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
            const blue = (i) => data[i] < 60 && data[i + 2] > 120 && data[i + 3] > 100;
            const seen = new Set();
            for (let y = 0; y < height / 2; y++)
              for (let x = 0; x < width; x++) if (blue(4 * (y * width + x))) seen.add(x / width);
            return [...seen];
        }"""
    )
    assert 1 <= len(columns) <= 8
    assert 0.68 < min(columns) < max(columns) < 0.74  # at 7 of 10 s, right of the axis


def test_one_signal_is_drawn_over_another(tab: Any, tmp_path: Path) -> None:
    """A circle in metres is round, and where it is at a time stands beside its name."""
    time = np.linspace(0.0, 2.0 * np.pi, 401)
    traces = [Trace("x.y", time, 2.0 * np.cos(time), "m"), Trace("y.y", time, 2.0 * np.sin(time), "m")]
    scope = ScopeFigure("map", "Way", ("x.y", "y.y"), ("east", "north"), "m, m", "xy")
    Result({trace.path: trace for trace in traces}, scopes=(scope,)).page(tmp_path / "run.html")
    tab.goto((tmp_path / "run.html").as_uri())
    tab.wait_for_selector("[data-ready] .scope canvas")
    expect(tab.locator(".scope output").first).to_have_text(re.compile(r"^2, -?[0-9.e-]+$"))
    tab.wait_for_function("document.querySelector('.scope canvas').height > 300")
    left, right, top, bottom = tab.evaluate(
        """() => {
            const canvas = document.querySelector(".scope canvas");
            const { data, width, height } =
                canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
            const span = [width, 0, height, 0];
            for (let y = 0; y < height; y++)
              for (let x = 0; x < width; x++) {
                const i = 4 * (y * width + x);
                if (!(data[i] < 60 && data[i + 2] > 120 && data[i + 3] > 100)) continue;
                span[0] = Math.min(span[0], x); span[1] = Math.max(span[1], x);
                span[2] = Math.min(span[2], y); span[3] = Math.max(span[3], y);
              }
            return span;
        }"""
    )
    dot = 4  # pixels that start and end stick out on the right
    assert bottom - top > 150
    assert abs((right - left) - (bottom - top) - dot) <= 4


def test_a_page_says_what_brings_the_drawing(monkeypatch: pytest.MonkeyPatch) -> None:
    run = loads(TURNING).simulate()
    monkeypatch.setattr(
        "blockdyn.pages.finished.page.remedy", lambda _package: 'pip install "blockdyn[drawing]"'
    )
    assert "pip install &quot;blockdyn[drawing]&quot;" in page(run)


def test_a_path_of_an_angle_that_wraps_leaves_no_line_across(tab: Any, tmp_path: Path) -> None:
    """At an event both limits are known: (pi, 1) and (-pi, 1); between them the plane stays empty."""
    time = np.array([0.0, 1.0, 1.0, 2.0])
    angle = Trace("angle.y", time, np.array([np.pi - 0.5, np.pi, -np.pi, 0.5 - np.pi]), "rad")
    rate = Trace("rate.y", time, np.array([0.0, 1.0, 1.0, 2.0]), "rad/s")
    shown = ScopeFigure("plane", "Plane", ("angle.y", "rate.y"), ("angle", "rate"), "rad,rad/s", "xy")
    Result(
        {"angle.y": angle, "rate.y": rate},
        scopes=(shown,),
        provenance=Provenance(diagram="turn", solver=SOLVER),
    ).page(tmp_path / "run.html")
    tab.goto((tmp_path / "run.html").as_uri())
    tab.wait_for_selector("[data-ready] .scope canvas")
    blue = tab.evaluate(
        """() => {
            const canvas = document.querySelector(".scope canvas");
            const { width, height } = canvas;
            const middle = canvas.getContext("2d").getImageData(width / 2 - 40, 0, 60, height).data;
            let count = 0;
            for (let i = 0; i < middle.length; i += 4)
              if (middle[i] < 60 && middle[i + 2] > 120 && middle[i + 3] > 100) count++;
            return count;
        }"""
    )
    assert blue == 0


def test_the_film_goes_with_the_scopes(tab: Any, tmp_path: Path) -> None:
    loads(TURNING).simulate().page(tmp_path / "run.html")
    tab.goto((tmp_path / "run.html").as_uri())
    tab.wait_for_selector("[data-ready]")
    tab.locator(".film input[type=range]").fill("0.25")
    expect(tab.locator(".clock")).to_have_text("0.25 of 0.5 s")
    omega = tab.locator(".scope", has_text="craft.quaternion").locator("output").first.inner_text()
    assert 0.0 < float(omega) <= 1.0
    tab.locator("h1").click()
    tab.keyboard.press(" ")
    expect(tab.locator(".clock")).to_have_text("0.50 of 0.5 s")
    expect(tab.locator(".film button").first).to_have_text("Play")  # it has come to its end


def test_the_diagram_of_the_run_is_drawn(tab: Any, tmp_path: Path) -> None:
    loads(TURNING).simulate().page(tmp_path / "run.html")
    tab.goto((tmp_path / "run.html").as_uri())
    drawn = tab.locator(".diagram svg")
    expect(drawn.locator("[data-path]").filter(has_text="craft").first).to_be_visible()
    assert "Diagram" not in page(run_of(description="no diagram"))


def test_the_page_of_a_film_plays_at_its_instant(tab: Any, tmp_path: Path) -> None:
    loads(TURNING).simulate().animate(tmp_path / "film.html", fps=10)
    tab.goto((tmp_path / "film.html").as_uri() + "#t=0.3")
    expect(tab.locator("#clock")).to_have_text("0.30 of 0.50 s")
    expect(tab.locator("#note")).to_have_text(re.compile(r"^grid [\d.]+ m$"))


@pytest.mark.parametrize("system", ["light", "dark"])
@pytest.mark.parametrize(("letters", "theme"), [("#ddd", "dark"), ("#111", "light")])
def test_in_a_notebook_a_page_is_as_dark_as_the_notebook(
    tab: Any, tmp_path: Path, letters: str, theme: str, system: str
) -> None:
    """Whatever the system is, for a run's page and a film's, also where the notebook changes its theme."""
    run = loads(TURNING).simulate()
    shown = (run.page(tmp_path / "run.html"), run.animate(tmp_path / "film.html"))
    frames = "".join(str(each._repr_html_()) for each in shown)
    tab.emulate_media(color_scheme=system)
    tab.set_content(f'<body style="color:{letters}">{frames}</body>')
    for number in range(2):
        frame = tab.frame_locator("iframe").nth(number)
        at = frame.locator(".blockdyn" if number == 0 else "html")
        expect(at).to_have_attribute("data-theme", theme)
        ground = frame.locator("body").evaluate(
            "body => getComputedStyle(body.querySelector('main') ?? body).backgroundColor"
        )
        assert (sum(map(int, re.findall(r"\d+", ground)[:3])) < 382) == (theme == "dark")
    tab.evaluate("document.body.setAttribute('style', 'color: rgb(240, 240, 240)')")
    for number, place in enumerate((".blockdyn", "html")):
        expect(tab.frame_locator("iframe").nth(number).locator(place)).to_have_attribute("data-theme", "dark")


COMPARED = """\
blockdyn: 1
name: lag
blocks:
  reference: {type: Step, unit: rad}
  error: {type: Sum, signs: "-+"}
  gain: {type: Gain, k: 4}
  speed: {type: TransferFunction, num: [1], den: [1, 1]}
  other: {type: Sine, unit: m}
wires:
  - reference -> error[1]
  - speed -> error[0]
  - error -> gain -> speed
simulate: {stop: 5}
"""


def test_reference_and_response_share_a_scope_and_others_join_it(tab: Any, tmp_path: Path) -> None:
    loads(COMPARED).simulate().page(tmp_path / "lag.html")
    tab.goto((tmp_path / "lag.html").as_uri())
    tab.wait_for_selector("[data-ready=true]")
    scopes = tab.locator("section.scope")
    names = scopes.nth(0).locator(".legend button")
    expect(names).to_contain_text(["reference.y", "speed.y"])
    expect(names).to_have_count(2)
    scopes.nth(0).locator("select.join").focus()
    scopes.nth(0).locator("select.join").select_option(label="gain.y")
    scopes.nth(1).locator(".legend button").first.drag_to(scopes.nth(0).locator(".chart"))
    expect(names).to_contain_text(["reference.y", "speed.y", "gain.y", "other.y"])
    scopes.nth(1).locator(".legend button").first.drag_to(scopes.nth(0).locator(".chart"))
    expect(names).to_have_count(4)
