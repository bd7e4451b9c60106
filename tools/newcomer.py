"""`python -m tools.newcomer` rebuilds the README's motor loop in the studio by pointer, at a human pace.

The pointer moves at 500 px/s, five characters are typed in a second, and every action is preceded by half a
second of thought. The saved file must hold the blocks, wires, parameters and settings of the README's.
"""

from __future__ import annotations

import math
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from blockdyn.diagrams.yaml import loads
from blockdyn.diagrams.yaml.editing import DiagramText
from blockdyn.diagrams.yaml.source import Source
from blockdyn.pages.studio_scene import Scene, read

README = Path(__file__).parents[1] / "README.md"
WIDTH, HEIGHT = 1600, 900  # px of the page
PATIENCE = 30.0  # s
FRAME = 1 / 60  # s from one position of the pointer to the next
BLOCKS = {  # name: the words that make it, and its place on the sheet, in px from the canvas's corner
    "reference": ("step time=0.1 final=100.0", 60, 200),
    "error": ("+-", 180, 200),
    "control": ("pid kp ki=4.0 lower=-24.0 upper=24.0", 300, 200),
    "voltage": ("+-", 420, 200),
    "armature": ("transferfunction num=[0.05] den=[0.002,1.0]", 540, 200),
    "torque": ("+-", 660, 200),
    "rotor": ("transferfunction num=[1.0] den=[=inertia,0.002]", 780, 200),
    "scope": ("scope title=Speed labels=[reference,actual] units=[rad/s,rad/s]", 910, 200),
    "load": ("step time=1.0 final=0.3", 540, 80),
    "induced": ("gain 0.05", 540, 360),
}
SETTINGS = [
    ("new parameter", "kp = 0.8"), ("new parameter", "inertia = 0.01"), ("new setting", "stop = 3.0"),
    ("new setting", "rtol = 1e-8"), ("logged signals", "rotor, control"),
]  # fmt: skip
WIRES = [
    ("reference", "error", 0), ("reference", "scope", 0), ("rotor", "error", 1), ("rotor", "induced", 0),
    ("rotor", "scope", 1), ("error", "control", 0), ("control", "voltage", 0), ("induced", "voltage", 1),
    ("voltage", "armature", 0), ("armature", "torque", 0), ("load", "torque", 1), ("torque", "rotor", 0),
]  # fmt: skip


class Pace(NamedTuple):
    """Speeds of a hand: of the pointer in px/s, of typing in characters/s; s of thought before an action."""

    pointer: float = 500.0
    typing: float = 5.0
    thought: float = 0.5


class Hand:
    """A pointer and a keyboard at a pace; without one, as fast as the page takes it."""

    def __init__(self, tab: Any, pace: Pace | None = None) -> None:
        self.tab, self.pace = tab, pace
        self.at = (0.0, 0.0)

    def think(self) -> None:
        """Look for what comes next."""
        if self.pace is not None:
            self.tab.wait_for_timeout(1e3 * self.pace.thought)

    def move(self, x: float, y: float) -> None:
        """Move the pointer on a straight line."""
        far = math.dist(self.at, (x, y))
        steps = 2 if self.pace is None else max(2, round(far / self.pace.pointer / FRAME))
        begin, start = time.perf_counter(), self.at
        for k in range(1, steps + 1):
            self.tab.mouse.move(start[0] + (x - start[0]) * k / steps, start[1] + (y - start[1]) * k / steps)
            late = begin + k * FRAME - time.perf_counter()
            if self.pace is not None and late > 0.0:
                time.sleep(late)
        self.at = (x, y)

    def click(self, x: float, y: float, count: int = 1) -> None:
        """Think, go there and click."""
        self.think()
        self.move(x, y)
        self.tab.mouse.click(x, y, click_count=1)
        if count == 2:
            self.tab.mouse.click(x, y, click_count=2)

    def drag(self, start: tuple[float, float], stop: tuple[float, float]) -> None:
        """Think, press the button there and let go here."""
        self.think()
        self.move(*start)
        self.tab.mouse.down()
        self.move(*stop)
        self.tab.mouse.up()

    def write(self, text: str) -> None:
        """Type, and press Enter."""
        self.tab.keyboard.type(text, delay=0 if self.pace is None else 1e3 / self.pace.typing)
        self.tab.keyboard.press("Enter")


def middle(place: Any) -> tuple[float, float]:
    """The middle of an element on the screen."""
    box = place.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def wait(tab: Any, condition: Callable[[], bool]) -> None:
    """Wait for what the page does. Raises TimeoutError."""
    end = time.perf_counter() + PATIENCE
    while not condition():
        if time.perf_counter() > end:
            raise TimeoutError("the page does not show it")
        tab.wait_for_timeout(20)


def draw_loop(hand: Hand) -> None:
    """Draw the README's motor loop on the empty sheet of a studio, and save it."""
    tab = hand.tab
    corner = tab.locator(".sheet").bounding_box()
    for label, entry in SETTINGS:
        before = tab.locator(".cm-content").inner_text()
        hand.click(*middle(tab.get_by_label(label)))
        hand.write(entry)
        wait(tab, lambda before=before: tab.locator(".cm-content").inner_text() != before)
    for name, (words, x, y) in BLOCKS.items():
        hand.click(corner["x"] + x, corner["y"] + y, 2)
        tab.locator("dialog[open] input, .chooser input").first.wait_for()
        hand.write(words)
        fresh = tab.locator("g.block.on")
        fresh.wait_for()
        hand.click(*middle(fresh.locator(".area")), 2)
        tab.locator("input.renaming").wait_for()
        hand.write(name)
        tab.locator(f'g.block.on[data-name="{name}"]').wait_for()
    for count, (source, destination, index) in enumerate(WIRES):
        ends = [
            middle(tab.locator(f'g.block[data-name="{name}"] .grip[data-port="{port}"]'))
            for name, port in ((source, "outputs:0"), (destination, f"inputs:{index}"))
        ]
        hand.drag(ends[0], ends[1])
        wait(tab, lambda count=count: tab.locator("g.wire").count() == count + 1)
    hand.click(*middle(tab.get_by_role("button", name="Save")))
    wait(tab, lambda: tab.locator(".file.unsaved").count() == 0)


def facts(text: str) -> dict[str, Any]:
    """What a diagram's text says, without the order of wires and the places of blocks."""
    diagram, document = loads(text), DiagramText(text)
    scene = Scene(read(text, lambda: Source("diagram.yaml")))
    return {
        "blocks": {name: str(block) for name, block in diagram.blocks.items()},
        "wires": {(*wire["from"], *wire["to"]) for wire in scene.wires},
        **{key: document.get(key) for key in ("name", "parameters", "log", "simulate")},
    }


def written_loop() -> str:
    """The loop as the README has it in YAML."""
    return next(
        text for text in re.findall(r"```yaml\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
        if "name: speed-loop" in text
    )  # fmt: skip


def main() -> int:
    """Draw the loop at a human pace; 0 if the file is the README's."""
    from playwright.sync_api import sync_playwright

    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        file = Path(folder) / "speed-loop.yaml"
        command = [sys.executable, "-m", "blockdyn", "studio", str(file), "--no-browser"]
        server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        try:
            assert server.stdout is not None
            url = server.stdout.readline().split()[-1]
            tab = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"]).new_page(
                viewport={"width": WIDTH, "height": HEIGHT}
            )
            tab.goto(url)
            tab.wait_for_selector("[data-ready]")
            begin = time.perf_counter()
            try:
                draw_loop(Hand(tab, Pace()))
            finally:
                seconds = time.perf_counter() - begin
                if len(sys.argv) > 1:
                    tab.screenshot(path=sys.argv[1])
        finally:
            server.terminate()
            server.wait()
        same = facts(file.read_text(encoding="utf-8")) == facts(written_loop())
        sys.stdout.write(f"{len(BLOCKS)} blocks, {len(WIRES)} wires in {seconds:.0f} s: {same}\n")
        if not same:
            sys.stdout.write(file.read_text(encoding="utf-8"))
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
