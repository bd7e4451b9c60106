"""A run that a test plays by hand: the other end of the socket of a live page."""

from __future__ import annotations

import json
import struct
from typing import Any

import numpy as np

from blockdyn.pages.document import document, script

ADDRESS = "http://127.0.0.1:9/token/"
START = 'blockdynLive.start(document.querySelector("main"));'


def page() -> str:
    return document("live", "", [script("live"), START], connect="*")


def hello(**changes: Any) -> dict[str, Any]:
    controls = [
        {"path": "kp", "label": "kp", "unit": "1/s", "kind": "parameter", "group": "", "value": 2.0}
        | {"low": 0.0, "high": 4.0},
        {"path": "force", "label": "force", "unit": "N", "kind": "input", "group": "cart", "value": 0.0}
        | {"low": -5.0, "high": 5.0},
    ]
    return {
        "type": "hello", "version": 1, "title": "cart", "start": 0.0, "stop": 60.0,
        "series": [
            {"name": "cart.x", "label": "cart.x", "unit": "m", "held": False},
            {"name": "clock.k", "label": "clock.k", "unit": "", "held": True},
        ],
        "scopes": [
            {"title": "Place", "form": "time", "unit": "m", "series": [0], "labels": ["x"]},
            {"title": "Clock", "form": "time", "unit": "", "series": [1], "labels": ["k"]},
        ],
        "controls": controls, "scene": None, "drawable": False, "lacking": "", "events": [], "state": state(),
    } | changes  # fmt: skip


def state(**changes: Any) -> dict[str, Any]:
    return {
        "type": "state", "playing": True, "pace": 1.0, "behind": False, "time": 0.0, "computed": 0.0,
        "viewers": 1, "status": "running", "message": "", "touched": [], "values": {"kp": 2.0, "force": 0.0},
    } | changes  # fmt: skip


def frame(number: int, times: np.ndarray, values: np.ndarray, *, time: float, poses: Any = ()) -> bytes:
    """One picture: values (series, rows)."""
    body = np.asarray(poses, "<f4")
    head = struct.pack("<4I3d", 1, len(times), len(values), body.size, float(number), time, time)
    return head + times.astype("<f8").tobytes() + values.astype("<f4").tobytes() + body.tobytes()


class Run:
    """Answers a page's socket with hello, and keeps what the page asks."""

    def __init__(self, tab: Any, greeting: dict[str, Any] | None = None) -> None:
        self.tab, self.greeting = tab, greeting or hello()
        self.asked: list[dict[str, Any]] = []
        self.sockets: list[Any] = []
        tab.route(ADDRESS, lambda route: route.fulfill(body=page(), content_type="text/html"))
        tab.route_web_socket("**/socket", self._open)

    def open(self) -> None:
        self.tab.goto(ADDRESS)
        self.tab.wait_for_selector("[data-ready]")

    def _open(self, socket: Any) -> None:
        self.sockets.append(socket)
        socket.on_message(lambda text: self.asked.append(json.loads(text)))
        socket.send(json.dumps(self.greeting))

    def tell(self, **message: Any) -> None:
        self.sockets[-1].send(json.dumps(message))

    def show(self, picture: bytes) -> None:
        self.sockets[-1].send(picture)

    def heard(self, kind: str) -> list[dict[str, Any]]:
        """What was asked of this kind, once something was."""
        for _ in range(200):
            if found := [message for message in self.asked if message["type"] == kind]:
                return found
            self.tab.wait_for_timeout(10)
        return []
