"""Twenty states of the studio look as their reference pictures do, at a tenth of the resolution.

The pictures are in `states/`. A state may differ from its picture in a few cells: fonts and browsers draw a
little differently. `BLOCKDYN_STATES=write pytest tests/pages/test_studio_states.py` writes them anew; look at
them before they are committed.
"""

from __future__ import annotations

import io
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import expect

from .studio_tab import LOOP, Page

pytestmark = pytest.mark.xdist_group("browser")
FOLDER = Path(__file__).with_name("states")
SIZE, CELL = (250, 200), 5  # px of a reference picture, and of a square whose mean is compared
FAR, SHARE = 0.15, 0.06  # of white: a cell that differs; the share of such cells that is allowed
PLACES = "view:\n  reference: [0, 40]\n  sum: [110, 44]\n  gain: [210, 42]\n  integrator: [320, 40]\n"


def picture_of(page: bytes) -> Any:
    return Image.open(io.BytesIO(page)).convert("L").resize(SIZE, Image.Resampling.BOX)


def cells(picture: Any) -> Any:
    small = picture.convert("L").resize((SIZE[0] // CELL, SIZE[1] // CELL), Image.Resampling.BOX)
    return np.asarray(small, float) / 255.0


class Gallery:
    """Compares states of a tab with their pictures, and remembers those that differ."""

    def __init__(self, tab: Any) -> None:
        self.tab, self.different, self.seen = tab, dict[str, float](), set[str]()

    def look(self, name: str) -> None:
        """Compare the state that is shown with a picture; it may need a moment to be so."""
        file = FOLDER / f"{name}.png"
        assert name not in self.seen
        self.seen.add(name)
        share = 1.0
        for patience in (0, 300, 1500, 5000):
            self.tab.wait_for_timeout(patience)
            now = picture_of(self.tab.screenshot())
            if os.environ.get("BLOCKDYN_STATES") == "write":
                self.tab.wait_for_timeout(1500)
                FOLDER.mkdir(exist_ok=True)
                picture_of(self.tab.screenshot()).quantize(16).save(file, optimize=True)
                return
            share = float(np.mean(np.abs(cells(now) - cells(Image.open(file))) > FAR))
            if share <= SHARE:
                return
        self.different[name] = share


def test_twenty_states_look_as_their_pictures(tab: Any, studio: Callable[[str], Page]) -> None:
    page, gallery = studio(LOOP + PLACES), Gallery(tab)
    keys, look = tab.keyboard, gallery.look
    tab.emulate_media(color_scheme="light", reduced_motion="reduce")
    look("diagram")
    page.block("gain").click()
    expect(tab.get_by_label("k of gain")).to_be_visible()
    look("block-selected")
    keys.press("Control+i")
    expect(tab.locator(".cm-content")).to_contain_text("flip: true")
    look("block-flipped")
    keys.press("Control+z")
    expect(tab.locator(".cm-content")).not_to_contain_text("flip: true")
    keys.press("F2")
    look("renaming")
    keys.press("Escape")
    keys.press("Control+a")
    look("all-selected")
    keys.press("Control+g")
    expect(page.block("subsystem")).to_be_visible()
    look("subsystem-made")
    keys.press("o")
    expect(tab.locator(".levels")).to_be_visible()
    expect(page.block("integrator")).to_be_visible()
    look("subsystem-open")
    keys.press("Escape")
    keys.press("Escape")
    expect(page.block("subsystem")).to_be_visible()
    keys.press("Control+z")
    expect(page.block("gain")).to_be_visible()
    keys.press("Escape")
    keys.press("Control+k")
    look("commands")
    keys.type("bode")
    look("commands-search")
    keys.press("Escape")
    keys.press("a")
    keys.type("pid")
    expect(tab.locator(".chooser li", has_text="PID").first).to_be_visible()
    look("insert")
    keys.press("Escape")
    tab.locator("summary", has_text="sources").first.click()
    look("palette-open")
    tab.get_by_role("searchbox", name="search blocks").fill("transfer")
    expect(tab.locator("button.kind").first).to_be_visible()
    look("palette-search")
    tab.locator("button.kind").filter(has=tab.get_by_text("TransferFunction", exact=True)).first.hover()
    expect(tab.locator(".response img")).to_be_visible()
    look("response")
    tab.get_by_role("searchbox", name="search blocks").fill("")
    expect(tab.locator(".response")).to_be_hidden()
    tab.locator("summary", has_text="sources").first.click()
    page.block("gain").click()
    tab.get_by_label("k of gain").fill("3x")
    expect(tab.locator(".wrong:not(:empty)")).to_be_visible()
    look("value-refused")
    keys.press("Escape")
    page.write("k: 3", back=4, take=0, text="k")
    expect(tab.locator(".problems")).to_be_visible()
    look("error")
    page.block("gain").hover()
    expect(tab.locator(".card")).to_be_visible()
    look("error-card")
    keys.press("Control+z")
    expect(tab.locator(".problems")).to_be_hidden()
    tab.locator(".sheet").focus()
    keys.press("Escape")
    keys.press("Control+Enter")
    expect(tab.locator(".run .u-over").first).to_be_visible()
    expect(page.block("integrator").locator(".spark path")).to_have_count(1)
    look("results")
    tab.emulate_media(color_scheme="dark", reduced_motion="reduce")
    look("dark")
    tab.emulate_media(color_scheme="light", reduced_motion="reduce")
    keys.press("r")
    keys.press("p")
    keys.press("t")
    look("canvas-alone")
    keys.press("Control+a")
    keys.press("Delete")
    expect(tab.locator(".empty")).to_be_visible()
    look("empty")
    assert len(gallery.seen) == 20
    assert gallery.different == {}, "these states differ in so many of their cells"
