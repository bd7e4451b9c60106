"""A live run in a notebook speaks with its cell as with a page, by the widget's messages."""

from __future__ import annotations

import asyncio
import math
import struct
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

import blockdyn as bd
from blockdyn.pages.live import widget as widgets
from blockdyn.pages.serving import LiveError


def decay() -> bd.Diagram:
    d = bd.Diagram("decay", parameters={"rate": 1.0})
    x, slope = d.add("x", bd.Integrator(1.0)), d.add("slope", bd.Gain(bd.expression("-rate")))
    d.connect(x, slope, x)
    return d


def test_a_cell_plays_touches_and_goes_back() -> None:
    shown = decay().live(stop=3.0, pace=math.inf)
    told: list[Any] = []

    def sent(content: Any, buffers: Any = None) -> None:
        told.append(content)
        if buffers:
            number = struct.unpack_from("<3d", buffers[0], 16)[0]
            asyncio.get_running_loop().call_soon(ask, {"type": "shown", "frame": number})

    def ask(message: dict[str, Any]) -> None:
        shown._handle_custom_msg(message, [])

    async def look() -> None:
        ask({"type": "open"})
        while not any(message.get("status") == "complete" for message in told):
            await asyncio.sleep(0.01)
        ask({"type": "seek", "time": 1.0})
        ask({"type": "touch", "changes": {"rate": 2.0}})
        ask({"type": "play"})
        while shown.live.time < 3.0:
            await asyncio.sleep(0.01)

    shown.send = sent
    with ThreadPoolExecutor(1) as thread:  # in this one the browser of other tests runs a loop
        thread.submit(asyncio.run, look()).result()
    kinds = [message["type"] for message in told]
    assert kinds[0] == "hello"
    assert {"binary", "state", "truncate"} <= {*kinds}
    assert shown.result().final("x") == pytest.approx(math.exp(-1.0 - 2.0 * 2.0), rel=1e-5)
    assert "blockdynLive" in shown._esm


def test_a_run_that_was_ended_in_its_cell_does_not_go_on() -> None:
    shown, told = decay().live(stop=3.0), list[Any]()
    shown.send = lambda content, buffers=None: told.append(content)

    async def look() -> None:
        for kind in ("open", "end", "play"):
            shown._handle_custom_msg({"type": kind}, [])

    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, look()).result()
    assert told[-1]["type"] == "ended"
    assert not shown.live.playing
    states = [message for message in told if message["type"] == "state"]
    assert (states[-1]["status"], states[-1]["playing"]) == ("ended", False)


def test_without_its_package_the_command_that_brings_it_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(widgets, "remedy", lambda _package: 'pip install "blockdyn[live]"')
    with pytest.raises(LiveError, match="pip install"):
        decay().live(stop=1.0)


def test_a_studio_in_a_cell_returns_the_edited_diagram() -> None:
    """dx/dt = -3 x after the edit; the diagram that was shown is as before."""
    d = decay()
    shown, told = d.studio(), list[Any]()
    shown.send = lambda content, buffers=None: told.append(content)

    async def work() -> None:
        for message in (
            {"type": "open"},
            {"type": "edit", "version": 1, "edits": [["set", "parameters", "rate", 3.0]]},
            {"type": "live", "begin": True, "stop": 1.0},
            {"type": "live", "message": {"type": "seek", "time": 1.0}},
            {"type": "run", "stop": 1.0},
        ):
            shown._handle_custom_msg(message, [])
        while not any(message["type"] == "result" for message in told):
            await asyncio.sleep(0.01)

    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, work()).result()
    kinds = [message["type"] for message in told]
    assert kinds[0] == "state"
    assert {"live", "binary", "result"} <= {*kinds}
    assert shown.diagram.simulate(stop=1.0).final("x") == pytest.approx(math.exp(-3.0), rel=1e-5)
    assert d.parameters["rate"] == 1.0
    assert "blockdynStudio" in shown._esm
