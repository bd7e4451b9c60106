"""The page of a run that goes on, played by hand from the other end of its socket."""

from __future__ import annotations

import json
import struct
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import expect

from blockdyn.pages.document import widget

from .live_run import ADDRESS, Run, frame, hello, state

pytestmark = pytest.mark.xdist_group("browser")  # the modules share a worker
HOSTILE = "</script><img src=x onerror=alert(1)>"


@pytest.fixture
def run(tab: Any) -> Run:
    played = Run(tab)
    played.open()
    return played


def legend(tab: Any, scope: str) -> Any:
    return tab.locator(".scope", has_text=scope).locator("output")


def test_scopes_grow_and_every_picture_is_answered(tab: Any, run: Run) -> None:
    """The last instant is an event: both its limits are told, and the right one holds."""
    times = np.array([0.0, 0.5, 1.0, 1.0])
    run.show(frame(1, times, np.array([[0.0, 1.0, 2.0, 5.0], [7.0, np.nan, np.nan, np.nan]]), time=1.0))
    expect(legend(tab, "Place")).to_have_text("5")
    expect(legend(tab, "Clock")).to_have_text("7")
    assert run.heard("shown") == [{"type": "shown", "frame": 1}]
    expect(tab.locator(".clock")).to_have_text("1.00 of 60 s")
    run.show(frame(2, np.array([30.0]), np.array([[9.0], [8.0]]), time=30.0))
    expect(tab.locator(".range")).to_have_text("20 to 30 s")  # it goes along


def test_a_truncated_future_is_forgotten(tab: Any, run: Run) -> None:
    run.show(frame(1, np.array([0.0, 1.0, 2.0]), np.array([[1.0, 2.0, 3.0], [0.0, 1.0, 2.0]]), time=2.0))
    run.tell(type="events", events=[[0.5, "relay", "mode", "on", ""], [1.5, "relay", "mode", "off", ""]])
    expect(tab.locator(".events tbody tr")).to_have_count(2)
    run.tell(type="truncate", time=1.0)
    run.tell(**state(time=1.0, computed=1.0, touched=[[1.0, "kp", 3.5]]))
    expect(tab.locator(".events tbody tr")).to_have_count(1)
    expect(legend(tab, "Place")).to_have_text("2")
    run.show(frame(2, np.array([2.0]), np.array([[-4.0], [np.nan]]), time=2.0))
    expect(legend(tab, "Place")).to_have_text("-4")
    expect(tab.locator(".touched tbody tr")).to_have_text("1kp3.5")


def test_many_events_of_one_kind_are_one_row_until_they_are_asked_for(tab: Any, run: Run) -> None:
    noise = [[0.1 * k, "noise", "time", "", ""] for k in range(25)]
    run.show(frame(1, np.array([0.0, 3.0]), np.zeros((2, 2)), time=3.0))
    run.tell(type="events", events=[*noise, [2.5, "relay", "mode", "on", ""]])
    rows = tab.locator(".events tbody tr")
    expect(rows).to_have_text(["2.5relaymodeon", "2.4noisetime25 times"])
    expect(tab.locator(".events h2")).to_have_text("Events (26)")
    rows.get_by_text("25 times").click()
    expect(rows).to_have_count(26)


def test_finer_samples_take_the_place_of_coarse_ones(tab: Any, run: Run) -> None:
    run.show(frame(1, np.array([0.0, 10.0]), np.array([[0.0, 0.0], [0.0, 0.0]]), time=10.0))
    tab.locator("h1").click()
    tab.keyboard.press("+")
    asked = run.heard("range")[-1]
    times, values = np.array([4.0, 5.0, 6.0]), np.array([[0.0, 6.0, 0.0], [0.0, 0.0, 0.0]])
    head = struct.pack("<4I3d", 2, 3, 2, asked["id"], 4.0, 6.0, 0.0)
    run.show(head + times.tobytes() + values.astype("<f4").tobytes())
    run.tell(**state(time=5.0, computed=10.0))
    expect(legend(tab, "Place")).to_have_text("6")


def test_what_is_moved_by_hand_is_asked_for(tab: Any, run: Run) -> None:
    tab.get_by_label("kp", exact=True).fill("3")
    assert run.heard("touch") == [{"type": "touch", "changes": {"kp": 3.0}}]
    tab.get_by_label("push force to").fill("4")
    tab.get_by_role("button", name="Push").hover()
    tab.mouse.down()
    assert run.heard("push") == [{"type": "push", "path": "force", "value": 4.0}]
    tab.mouse.up()
    assert run.heard("release") == [{"type": "release", "path": "force"}]
    tab.locator("h1").click()
    tab.keyboard.press("n")
    assert run.heard("next")
    tab.keyboard.press(" ")
    assert run.heard("pause")
    tab.get_by_label("pace:").select_option("")
    assert run.heard("pace") == [{"type": "pace", "pace": None}]
    tab.get_by_label("moment of the run").fill("0.5")
    assert run.heard("seek") == [{"type": "seek", "time": 0.5}]
    run.tell(**state(values={"kp": 6.0, "force": 1.0}))  # beyond the limits of its slider
    expect(tab.get_by_label("kp", exact=True)).to_have_value("6")
    end = tab.get_by_role("button", name="end the run")
    end.click()
    assert "end" not in {message["type"] for message in run.asked}
    end.click()
    assert run.heard("end")


def test_a_pad_pushes_two_elements_at_once(tab: Any) -> None:
    """By pointer as far as it is dragged, by keys fully; let go both return, unless the pad is to stay."""
    one = {"unit": "N", "kind": "input", "group": "", "value": 0.0, "low": -2.0, "high": 2.0}
    controls = [one | {"path": f"force[{k}]", "label": f"force[{k}]"} for k in (0, 1)]
    played = Run(tab, hello(controls=controls))
    played.open()
    pad = tab.locator(".pad")

    def heard(kind: str, least: int) -> list[dict[str, Any]]:
        """Messages of this kind, once there are as many."""
        for _ in range(500):
            if len(messages := played.heard(kind)) >= least:
                return messages
            tab.wait_for_timeout(10)
        raise AssertionError(f"{len(messages)} of {least} {kind}")

    box = pad.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    tab.mouse.move(x, y)
    tab.mouse.down()
    assert [(each["path"], each["value"]) for each in heard("push", 2)] == [
        ("force[0]", 0.0),
        ("force[1]", 0.0),
    ]
    tab.mouse.move(x + 27 * box["width"] / 128, y - 200)
    pushes = [(each["path"], each["value"]) for each in heard("push", 4)]
    assert pushes[2:] == [("force[0]", pytest.approx(1.0, abs=0.1)), ("force[1]", 2.0)]
    tab.mouse.up()
    assert [message["path"] for message in heard("release", 2)] == ["force[0]", "force[1]"]
    tab.get_by_label("largest push of force").fill("3")
    pad.focus()
    tab.keyboard.down("ArrowLeft")
    assert [message["value"] for message in heard("push", 6)[4:]] == [-3.0, 0.0]
    tab.keyboard.up("ArrowLeft")
    heard("release", 4)
    tab.get_by_label("springs back").uncheck()
    pad.focus()
    tab.keyboard.press("ArrowUp")
    changes = heard("touch", 1)[-1]["changes"]
    assert changes == {"force[0]": 0.0, "force[1]": pytest.approx(0.3)}
    assert len(played.heard("release")) == 4


def test_keys_act_where_the_pointer_has_been(tab: Any, run: Run) -> None:
    """A button takes Space and no letter, a slider its arrows, a number all keys."""
    run.show(frame(1, np.array([0.0, 9.0]), np.zeros((2, 2)), time=9.0))
    tab.get_by_role("button", name="zoom in (+)").click()
    tab.keyboard.press("n")
    assert run.heard("next")
    tab.get_by_label("moment of the run").fill("2")
    tab.keyboard.press(" ")
    assert run.heard("pause")
    seeks = len(run.heard("seek"))
    tab.get_by_label("kp, number").click()
    tab.keyboard.press("e")
    tab.keyboard.press("n")
    tab.wait_for_timeout(100)
    assert (len(run.heard("next")), len(run.heard("seek"))) == (1, seeks)


def test_a_lost_connection_is_told_and_comes_back(tab: Any, run: Run) -> None:
    run.sockets[-1].close()
    expect(tab.locator(".banner")).to_contain_text("connection to the run is lost")
    expect(tab.locator(".banner")).to_be_hidden()
    assert len(run.sockets) == 2
    run.tell(type="error", about="touch", text="kp = 9: expected at most 4")
    expect(tab.locator(".banner")).to_have_text("kp = 9: expected at most 4")
    run.tell(type="ended", text="the run was ended; its result is in run.nc")
    expect(tab.locator(".banner")).to_have_text("the run was ended; its result is in run.nc")
    run.sockets[-1].close()
    tab.wait_for_timeout(700)
    assert len(run.sockets) == 2  # what has ended is not asked for again


def test_a_run_that_was_killed_does_not_answer(tab: Any) -> None:
    """Nothing is claimed of a run that cannot be asked, and its page goes on trying."""
    kept: list[Any] = []
    answers = [True, False, False, True]

    def opened(socket: Any) -> None:
        kept.append(socket)
        if answers[len(kept) - 1]:
            socket.send(json.dumps(hello()))
        else:
            socket.close()

    Run(tab)
    tab.route_web_socket("**/socket", opened)
    tab.goto(ADDRESS)
    tab.wait_for_selector("[data-ready]")
    kept[-1].close()
    expect(tab.locator(".banner")).to_contain_text("lost; trying again")
    expect(tab.locator(".banner")).to_contain_text("does not answer: its process may have been killed")
    expect(tab.locator(".banner")).to_be_hidden()
    assert len(kept) == 4


def test_a_run_that_says_nothing_is_told_of_until_it_goes_on(tab: Any, run: Run) -> None:
    expect(tab.locator(".banner")).to_contain_text("Nothing has come from the run", timeout=20_000)
    run.show(frame(1, np.array([0.0]), np.zeros((2, 1)), time=0.0))
    expect(tab.locator(".banner")).to_be_hidden()


def test_nothing_can_be_asked_of_a_run_that_does_not_hear(tab: Any, run: Run) -> None:
    """What is shown can still be looked at."""
    reached = "[...document.querySelectorAll('.transport, .knobs')].map((part) => !part.inert)"
    assert tab.evaluate(reached) == [True, True]
    run.tell(type="ended", text="the run has ended")
    expect(tab.locator(".banner")).to_have_text("the run has ended")
    assert tab.evaluate(reached) == [False, False]
    tab.get_by_role("button", name="zoom in").click()


def test_touches_that_are_no_numbers_are_listed_as_they_are(tab: Any, run: Run) -> None:
    run.tell(
        **state(touched=[[0.5, "x.x", "[1.0, 2.0]"], [1.0, "kp", "inf"]], values={"kp": "inf", "force": 0.0})
    )
    expect(tab.locator(".touched tbody tr")).to_have_text(["1kpinf", "0.5x.x[1.0, 2.0]"])
    number = tab.get_by_label("kp, number")
    expect(number).to_have_value("")
    expect(number).to_have_attribute("placeholder", "inf")


def test_a_page_says_what_brings_the_drawing(tab: Any) -> None:
    Run(tab, hello(lacking='pip install "blockdyn[drawing]"')).open()
    expect(tab.locator(".live > .quiet")).to_contain_text('not drawn: pip install "blockdyn[drawing]"')


def test_names_are_shown_as_they_are(tab: Any) -> None:
    control = hello()["controls"][0] | {"label": HOSTILE, "group": HOSTILE, "unit": HOSTILE}
    scopes = [
        {"title": HOSTILE, "form": form, "unit": HOSTILE, "series": series, "labels": [HOSTILE] * len(series)}
        for form, series in (("time", [0]), ("xy", [0, 1]))
    ]
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(1)</script></svg>{HOSTILE}'
    )
    events = [[0.0, HOSTILE, HOSTILE, HOSTILE, ""]]
    told = hello(title=HOSTILE, controls=[control], scopes=scopes, drawable=True, events=events)
    opened: list[str] = []
    tab.on("dialog", lambda dialog: opened.append(dialog.message))
    run = Run(tab, told)
    run.open()
    expect(tab.locator("h1")).to_have_text(HOSTILE)
    expect(tab.locator(".events td").nth(1)).to_have_text(HOSTILE)
    tab.get_by_text("The diagram").click()
    assert run.heard("drawing") == [{"type": "drawing"}]
    run.tell(type="drawing", svg=svg)
    expect(tab.locator("main img")).to_have_count(1)  # the drawing, as an image
    assert opened == []


def test_a_notebook_has_the_same_page_by_its_messages(tab: Any) -> None:
    """What anywidget calls: a module whose render takes a model and an element, and returns what cleans up.

    Buffers are views into larger ones.
    """
    picture = frame(1, np.array([0.0, 1.0]), np.array([[0.0, 4.0], [0.0, 1.0]]), time=1.0)
    tab.goto("about:blank")
    tab.evaluate(
        """async ([source, hello, bytes]) => {
            const address = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
            const { default: widget } = await import(address);
            window.asked = [];
            let heard = null;
            const model = {
                send: (message) => window.asked.push(message),
                on: (name, call) => { heard = call; },
                off: () => { heard = null; },
            };
            const close = widget.render({ model, el: document.body });
            heard(hello, []);
            heard({ type: "binary" }, [new DataView(Uint8Array.from([0, ...bytes]).buffer, 1)]);
            window.finish = () => { close(); return heard; };
        }""",
        [widget(), hello(), list(picture)],
    )
    expect(legend(tab, "Place")).to_have_text("4")
    assert tab.evaluate("asked[0]") == {"type": "open"}
    assert (
        tab.locator(".blockdyn[data-lm-suppress-shortcuts=true]").count() == 1
    )  # keys are not the notebook's
    tab.evaluate("document.body.addEventListener('keydown', (event) => event.preventDefault())")  # JupyterLab
    tab.get_by_label("kp", exact=True).press("ArrowRight")
    assert tab.evaluate("asked.some(({ type }) => type === 'touch')")
    assert tab.evaluate("finish()") is None
