"""The studio in a browser: diagrams are drawn by pointer and keys, and the file holds what was drawn."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from blockdyn.diagrams.yaml import loads

from .studio_tab import LOOP, Page, middle

pytestmark = pytest.mark.xdist_group("browser")  # the modules share a worker


def test_a_loop_drawn_by_pointer_is_the_one_written_by_hand(tab: Any, studio: Callable[[str], Page]) -> None:
    """Blocks come from the palette, from words, and onto a wire; undone, the text is what it was."""
    page = studio("")
    begin = page.draft.text
    for family, kind, x in (("sources", "Step", 60), ("continuous", "Integrator", 420)):
        tab.locator("summary", has_text=family).first.click()
        entry = tab.locator("button.kind").filter(has=tab.get_by_text(kind, exact=True)).first
        entry.scroll_into_view_if_needed()
        page.drag(middle(entry), page.at(x, 300))
        expect(page.block(kind.lower())).to_be_visible()
        tab.locator("summary", has_text=family).first.click()
    tab.mouse.dblclick(*page.at(180, 300))
    tab.keyboard.type("+-")
    tab.keyboard.press("Enter")
    expect(page.block("sum")).to_be_visible()
    page.wire("step", "sum", 0)
    page.wire("integrator", "sum", 1)
    tab.get_by_role("searchbox", name="search blocks").fill("gain")
    page.wire("sum", "integrator")
    page.drag(page.port("integrator", "inputs"), page.at(330, 420))  # taken off again
    expect(tab.locator("g.wire")).to_have_count(2)
    page.wire("sum", "integrator")
    gain = tab.locator("button.kind").filter(has=tab.get_by_text("Gain", exact=True)).first
    start, stop = page.port("sum", "outputs"), page.port("integrator", "inputs")
    page.drag(middle(gain), (start[0] + 12, start[1]))
    expect(tab.locator("g.wire")).to_have_count(4)
    assert stop[0] > start[0]
    tab.get_by_label("k of gain").fill("3")
    tab.get_by_label("k of gain").press("Enter")
    page.block("step").dblclick()
    tab.get_by_label("new name of step").fill("reference")
    tab.keyboard.press("Enter")
    page.block("reference").click()
    tab.get_by_label("time of reference").fill("0.5")
    tab.get_by_label("time of reference").press("Enter")
    expect(tab.locator(".cm-content")).to_contain_text("time: 0.5")
    tab.keyboard.press("Control+s")
    expect(tab.locator(".file")).to_have_text("loop.yaml")
    drawn, written = loads(page.file.read_text(encoding="utf-8")), loads(LOOP)
    assert {name: str(block) for name, block in drawn.blocks.items()} == {
        name: str(block) for name, block in written.blocks.items()
    }
    assert {str(wire) for wire in drawn.wires} == {str(wire) for wire in written.wires}
    undo = tab.get_by_role("button", name="Undo")
    while page.draft.can_undo:
        version = page.draft.version
        expect(undo).to_be_enabled()
        undo.click()
        while page.draft.version == version:
            tab.wait_for_timeout(20)
    assert page.draft.text == begin


def test_text_and_canvas_are_one(tab: Any, studio: Callable[[str], Page]) -> None:
    """A place typed moves the block, a block dragged changes its place; an error is seen in both."""
    page = studio(LOOP + "view:\n  gain: [300, 100]\n")
    where = page.block("gain").get_attribute("transform")
    assert where == "translate(300 100)"
    content = tab.locator(".cm-content")
    page.write("[300, 100]", back=6, take=2, text="40")
    expect(page.block("gain")).to_have_attribute("transform", "translate(340 100)")
    x, y = middle(page.block("gain").locator(".area"))
    zoom = page.block("gain").locator(".area").bounding_box()["width"] / float(
        page.block("gain").locator(".area").get_attribute("width")
    )
    page.drag((x, y), (x + 50 * zoom, y + 200 * zoom))
    expect(content).to_contain_text("gain: [390, 300]")
    expect(tab.locator(".cm-line.t-block")).to_contain_text("gain")
    page.write("k: 3", back=4, take=0, text="k")
    expect(tab.locator(".cm-lintRange-error").first).to_be_visible()
    expect(page.block("gain")).to_have_class("block wrong on")
    tab.locator(".problems").click()
    expect(tab.locator(".problem").first).to_contain_text("kk")
    tab.keyboard.press("Control+z")
    expect(page.block("gain")).to_have_class("block")


def test_keys_alone_add_wire_run_and_delete(tab: Any, studio: Callable[[str], Page]) -> None:
    page = studio(LOOP)
    keys = tab.keyboard
    page.tab.locator(".sheet").focus()
    keys.press("a")
    keys.type("scope")
    keys.press("Enter")
    expect(page.block("scope")).to_have_class("block on")
    keys.press("Control+k")
    keys.type("wire two")
    keys.press("Enter")
    keys.type("integrator")
    keys.press("Enter")
    keys.type("scope")
    keys.press("Enter")
    expect(tab.locator("g.wire")).to_have_count(5)
    assert "integrator -> scope" in page.draft.text
    keys.press("Control+Enter")
    expect(tab.locator(".run .u-over").first).to_be_visible()
    expect(tab.locator(".run .legend output").first).to_have_text(re.compile("[0-9]"))
    keys.press("Control+d")
    expect(page.block("scope2")).to_have_class("block on")
    keys.press("Delete")
    keys.press("Shift+N")
    expect(page.block("scope2")).to_have_count(0)
    keys.press("Control+z")
    expect(page.block("scope2")).to_have_count(1)


def test_an_error_is_mended_by_its_button_and_words_are_completed(
    tab: Any, studio: Callable[[str], Page]
) -> None:
    page = studio(LOOP.replace("gain -> integrator", "gain -> integratr").replace("signs:", "sings:"))
    page.block("sum").hover()
    tab.locator(".card .mend").click()
    expect(tab.locator(".inspector .problem")).to_have_count(1)
    tab.locator(".inspector .mend").click()
    expect(tab.locator(".inspector .problem")).to_have_count(0)
    assert page.draft.text == LOOP
    page.write("{type: Integrator}", back=1, take=0, text=", ini")
    expect(tab.locator(".cm-tooltip-autocomplete")).to_contain_text("initial")
    tab.wait_for_timeout(150)  # the editor takes no key for a list that has just appeared
    tab.keyboard.press("Enter")
    tab.keyboard.type("2.5")
    expect(tab.get_by_label("initial of integrator")).to_have_value("2.5")


def test_a_change_runs_again_and_signals_are_seen_on_wires(tab: Any, studio: Callable[[str], Page]) -> None:
    """The loop settles where its reference goes; a wire that is dragged to the results has a scope."""
    page = studio(LOOP)
    tab.keyboard.press("Control+Enter")
    scope = tab.locator(".run .scope", has_text="integrator.y").first
    scope.scroll_into_view_if_needed()
    expect(scope.locator("output").first).to_have_text("1")
    expect(page.block("integrator").locator(".spark path")).to_have_count(1)
    page.block("reference").click()
    tab.get_by_label("final of reference").fill("2.5")
    tab.get_by_label("final of reference").press("Enter")
    expect(scope.locator("output").first).to_have_text("2.5")
    tab.get_by_label("time shown").press("Home")  # before the step
    expect(page.block("integrator").locator(".spark text")).to_have_text("0")
    wire = (
        tab.locator("g.wire .line")
        .nth(2)
        .evaluate(
            "p => { const q = p.getPointAtLength(p.getTotalLength() / 2), m = p.getScreenCTM();"
            " return [q.x * m.a + m.e, q.y * m.d + m.f]; }"
        )
    )
    page.drag((wire[0], wire[1]), middle(tab.locator(".run .controls")))
    expect(tab.locator(".run .scope h3", has_text="●")).to_have_count(1)


def test_a_subsystem_is_made_edited_inside_and_dissolved(tab: Any, studio: Callable[[str], Page]) -> None:
    """By pointer and keys; a second browser stays at the diagram around it; the wires are those of before."""
    page = studio(LOOP)
    other = tab.context.new_page()
    other.goto(tab.url)
    page.block("sum").click()
    page.block("gain").click(modifiers=["Shift"])
    tab.keyboard.press("Control+g")
    expect(page.block("subsystem")).to_be_visible()
    page.block("subsystem").locator(".area").dblclick()
    expect(page.block("out")).to_be_visible()
    expect(other.locator('g.block[data-name="subsystem"]')).to_be_visible()
    page.block("gain").click()
    tab.get_by_label("k of gain").fill("7")
    tab.get_by_label("k of gain").press("Enter")
    expect(tab.locator(".cm-content")).to_contain_text("k: 7")
    tab.locator(".sheet").focus()
    tab.keyboard.press("Escape")
    tab.keyboard.press("Escape")
    expect(page.block("subsystem")).to_have_class("block on")
    tab.keyboard.press("Control+Shift+g")
    expect(page.block("gain")).to_be_visible()
    assert {str(wire) for wire in loads(page.draft.text).wires} == {str(wire) for wire in loads(LOOP).wires}
    other.close()


def test_a_field_tells_its_error_while_one_writes_and_slides(tab: Any, studio: Callable[[str], Page]) -> None:
    page = studio(LOOP)
    page.block("gain").click()
    field = tab.get_by_label("k of gain")
    field.fill("3x")
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(tab.locator(".wrong:not(:empty)")).to_contain_text("expected")
    other = tab.context.new_page()
    other.goto(tab.url)
    other.locator(".cm-line", has_text="time: 0.5").click()
    for key in ("End", "ArrowLeft"):
        other.keyboard.press(key)
    other.keyboard.type(", tyme: 1")
    expect(tab.locator(".cm-content")).to_contain_text("tyme")
    expect(field).to_have_value("3x")
    expect(field).to_be_focused()
    assert "3x" not in page.draft.text
    expect(page.block("reference")).to_have_class(re.compile("wrong"))
    expect(field).to_have_value("3x")
    expect(other.locator('g.block[data-name="reference"]')).to_have_class(re.compile("wrong"))
    other.keyboard.press("Control+z")
    expect(tab.locator(".cm-content")).not_to_contain_text("tyme")
    other.close()
    field.fill("3")
    expect(field).to_have_attribute("aria-invalid", "false")
    assert page.draft.text == LOOP
    tab.get_by_label("slide gain.k").focus()
    for _ in range(3):
        tab.keyboard.press("End")
    expect(tab.locator(".cm-content")).to_contain_text("k: 6")
    expect(tab.locator(".inspector .help")).to_contain_text("Ports, parameters, example")
    tab.keyboard.press("Control+z")
    expect(tab.locator(".cm-content")).to_contain_text("k: 3")
    page.block("integrator").click()
    expect(tab.locator(".inspector math").first).to_be_visible()
    tab.get_by_role("searchbox", name="search blocks").fill("transfer")
    tab.locator("button.kind").filter(has=tab.get_by_text("TransferFunction", exact=True)).first.hover()
    expect(tab.locator(".response img")).to_be_visible()


CONTRAST = """
() => {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const colours = new Map();
  const rgb = (text) => {
    if (!colours.has(text)) {
      canvas.clearRect(0, 0, 1, 1);
      canvas.fillStyle = text;
      canvas.fillRect(0, 0, 1, 1);
      const parts = [...canvas.getImageData(0, 0, 1, 1).data];
      colours.set(text, parts.map((part, k) => (k < 3 ? part : part / 255)));
    }
    return colours.get(text);
  };
  const light = ([r, g, b]) => [r, g, b].map((part) => part / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
    .reduce((sum, part, k) => sum + part * [0.2126, 0.7152, 0.0722][k], 0);
  const over = (top, low) => low.map((part, k) => top[3] * top[k] + (1 - top[3]) * part);
  const ground = (node) => {
    const layers = [];
    for (let at = node; at; at = at.parentElement) layers.push(rgb(getComputedStyle(at).backgroundColor));
    return layers.reduceRight((low, top) => over(top, low), [255, 255, 255]);
  };
  const poor = [];
  for (const node of document.querySelectorAll(".studio *")) {
    if (!node.checkVisibility({ opacityProperty: true })) continue;
    if (node.closest(".u-wrap, :disabled, svg svg")) continue;
    const own = [...node.childNodes].some((child) => child.nodeType === 3 && child.data.trim());
    if (!own || node.matches("option, title, script, style")) continue;
    const style = getComputedStyle(node), drawn = node instanceof SVGElement;
    const low = ground(drawn ? node.closest(".canvas") : node);
    const ink = over(rgb(drawn ? style.fill : style.color), low);
    const [a, b] = [light(ink), light(low)].sort((p, q) => q - p), ratio = (a + 0.05) / (b + 0.05);
    const place = `${node.tagName}.${node.getAttribute("class")} ${node.textContent.slice(0, 30)}`;
    if (ratio < 4.5) poor.push(`${place}: ${ratio.toFixed(2)}`);
  }
  return poor;
}
"""
NAMELESS = """
() => [...document.querySelectorAll(".studio :is(button, input, select, summary, [role], [tabindex])")]
  .filter((node) => node.checkVisibility())
  .filter((node) => !node.matches("[role=presentation], [aria-hidden=true] *"))
  .filter((node) => !["aria-label", "aria-labelledby", "title"].some((name) => node.getAttribute(name)))
  .filter((node) => !(node.textContent.trim() || node.labels?.length))
  .map((node) => node.outerHTML.slice(0, 120))
"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_all_text_has_contrast_and_every_control_a_name(
    tab: Any, studio: Callable[[str], Page], scheme: str
) -> None:
    """WCAG 2.2, success criteria 1.4.3 (4.5 to 1), 4.1.2, 2.4.7, 2.3.3."""
    tab.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    page = studio(LOOP.replace("signs:", "sings:"))
    tab.keyboard.press("Control+Enter")
    tab.locator("summary", has_text="control").first.click()
    page.block("sum").click()
    expect(tab.locator(".inspector .mend")).to_be_visible()
    assert tab.evaluate(CONTRAST) == []
    assert tab.evaluate(NAMELESS) == []
    tab.locator(".inspector .mend").click()
    tab.keyboard.press("Control+Enter")
    expect(tab.locator(".run .u-over").first).to_be_visible()
    page.block("gain").click()
    tab.get_by_label("k of gain").fill("3x")
    expect(tab.locator(".wrong:not(:empty)")).to_be_visible()
    assert tab.evaluate(CONTRAST) == []
    assert tab.evaluate(NAMELESS) == []
    tab.keyboard.press("Escape")
    tab.keyboard.press("Control+k")
    assert tab.evaluate(CONTRAST) == []
    tab.keyboard.press("Escape")
    moving = (
        "() => document.getAnimations().filter((each) => each.effect.getComputedTiming().duration > 1).length"
    )
    assert tab.evaluate(moving) == 0
    tab.get_by_role("button", name="Save").focus()
    tab.keyboard.press("Shift+Tab")
    tab.keyboard.press("Tab")
    outline = tab.evaluate("() => parseFloat(getComputedStyle(document.activeElement).outlineWidth)")
    assert outline >= 1
