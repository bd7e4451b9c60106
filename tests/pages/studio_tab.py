"""A tab with the studio of a file, and a small loop to begin with."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from blockdyn.cli.studio import Types, make_draft
from blockdyn.pages.studio import Studio
from blockdyn.pages.studio_server import StudioServer

LOOP = """\
blockdyn: 1
name: loop
blocks:
  reference: {type: Step, time: 0.5}
  sum: {type: Sum, signs: "+-"}
  gain: {type: Gain, k: 3}
  integrator: {type: Integrator}
wires:
  - reference -> sum.u0
  - integrator -> sum.u1
  - sum -> gain
  - gain -> integrator
"""


class Page:
    """A tab that shows the studio of a file."""

    def __init__(self, tab: Any, file: Path, server: StudioServer) -> None:
        self.tab, self.file, self.draft = tab, file, server.studio.draft
        tab.goto(server.url)
        tab.wait_for_selector("[data-ready]")
        expect(tab.locator(".families summary").first).to_be_visible()

    def block(self, name: str) -> Any:
        return self.tab.locator(f'g.block[data-name="{name}"]')

    def port(self, name: str, side: str, index: int = 0) -> tuple[float, float]:
        return middle(self.block(name).locator(f'.grip[data-port="{side}:{index}"]'))

    def drag(self, start: tuple[float, float], stop: tuple[float, float]) -> None:
        mouse = self.tab.mouse
        mouse.move(*start)
        mouse.down()
        mouse.move((start[0] + stop[0]) / 2, (start[1] + stop[1]) / 2, steps=2)
        mouse.move(*stop, steps=2)
        mouse.up()

    def wire(self, source: str, destination: str, index: int = 0) -> None:
        count = self.tab.locator("g.wire").count()
        self.drag(self.port(source, "outputs"), self.port(destination, "inputs", index))
        expect(self.tab.locator("g.wire")).to_have_count(count + 1)

    def at(self, x: float, y: float) -> tuple[float, float]:
        """A point of the canvas, from its corner."""
        box = self.tab.locator(".sheet").bounding_box()
        return box["x"] + x, box["y"] + y

    def write(self, line: str, *, back: int, take: int, text: str) -> None:
        """Write in a line, so many characters before its end, in place of some."""
        self.tab.locator(".cm-line", has_text=line).first.click()
        for key in ("End", *["ArrowLeft"] * back, *["Backspace"] * take):
            self.tab.keyboard.press(key)
        self.tab.keyboard.type(text)


def middle(place: Any) -> tuple[float, float]:
    box = place.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


@pytest.fixture
def studio(tab: Any, tmp_path: Path) -> Iterator[Callable[[str], Page]]:
    servers: list[tuple[StudioServer, threading.Thread]] = []

    def start(text: str) -> Page:
        file = tmp_path / "loop.yaml"
        if text:
            file.write_text(text, encoding="utf-8")
        ready = threading.Event()
        server = StudioServer(Studio(make_draft(str(file), tmp_path), Types()), opened=lambda _: ready.set())
        thread = threading.Thread(target=server.run, daemon=True)
        thread.start()
        servers.append((server, thread))
        assert ready.wait(20.0)
        return Page(tab, file, server)

    yield start
    for server, thread in servers:
        server.ended = True
        thread.join(20.0)
