"""Drawings of diagrams: nothing lies on anything else, and what they say is what the diagram says."""

from __future__ import annotations

import random
import re
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest

import blockdyn as bd
from blockdyn.diagrams.yaml import load
from blockdyn.drawing.drawing import draw
from blockdyn.drawing.elk import DrawingError
from blockdyn.drawing.layout import Laid, lay_out
from blockdyn.drawing.machine import machine_at
from blockdyn.drawing.sketch import sketch

Point = tuple[float, float]


def crosses(start: Point, end: Point, box: tuple[float, float, float, float]) -> bool:
    """Whether a horizontal or vertical line passes through the inside of a box."""
    left, top, right, low = box
    (x0, x1), (y0, y1) = sorted((start[0], end[0])), sorted((start[1], end[1]))
    return x0 < right - 0.1 and x1 > left + 0.1 and y0 < low - 0.1 and y1 > top + 0.1


def assert_clear(laid: Laid) -> None:
    blocks = [p for p in laid.parts if not p.part.open]
    boxes = [(p.x, p.y, p.x + p.width, p.y + p.height) for p in blocks]
    for number, box in enumerate(boxes):
        for other in boxes[:number]:
            assert box[2] <= other[0] or other[2] <= box[0] or box[3] <= other[1] or other[3] <= box[1]
        for _, points in laid.wires:
            for start, end in pairwise(points):
                assert abs(start[0] - end[0]) < 0.1 or abs(start[1] - end[1]) < 0.1
                assert not crosses(start, end, box)


def random_diagram(seed: int, count: int) -> bd.Diagram:
    choice = random.Random(seed)
    diagram = bd.Diagram(f"random{seed}")
    names = []
    for number in range(count):
        kinds = (bd.Gain(k=2.0), bd.Sum(signs="+-"), bd.Integrator(), bd.Mux(count=3))
        block = choice.choice([*kinds, bd.UnitDelay(sample_time=0.1)])
        diagram.add(f"b{number}", block)
        names.append(f"b{number}")
    for name in names:
        for port in diagram.blocks[name].input_ports():
            diagram.connect(choice.choice(names), f"{name}.{port.name}")
    return diagram


@pytest.mark.parametrize(
    "name", ["kalman-cart", "quadrotor", "cruise-gears", "controllers", "sampled-cascade"]
)
def test_no_wire_runs_through_a_block_and_no_block_lies_on_another(name: str) -> None:
    assert_clear(lay_out(sketch(load(name))))


def test_neither_does_it_in_random_diagrams_and_in_open_subsystems() -> None:
    for seed in range(6):
        assert_clear(lay_out(sketch(random_diagram(seed, 12))))
    assert_clear(lay_out(sketch(load("cruise-gears"), open=True)))


def test_each_block_is_a_group_with_its_path_and_text_is_escaped() -> None:
    diagram = load("thermostat-delay")
    diagram.name = "<b>&"
    root = ElementTree.fromstring(draw(diagram).svg)
    paths = {group.get("data-path") for group in root.iter("{http://www.w3.org/2000/svg}g")}
    assert set(diagram.blocks) <= paths
    assert root[0].text == "<b>&"


def test_the_same_diagram_gives_the_same_picture() -> None:
    assert draw(load("battery")).svg == draw(load("battery")).svg


def test_inputs_and_outputs_stand_in_their_order() -> None:
    laid = lay_out(sketch(load("quadrotor")))
    for placed in laid.parts:
        for side in ("WEST", "EAST"):
            heights = [placed.pins[pin.key][1] for pin in placed.part.pins if pin.side == side]
            assert heights == sorted(heights)


def loop(**view: list[float]) -> bd.Diagram:
    diagram = bd.Diagram("loop")
    diagram.add("a", bd.Constant(value=1.0))
    diagram.add("b", bd.Gain(k=2.0))
    diagram.add("c", bd.Gain(k=3.0))
    diagram.connect("a", "b")
    diagram.connect("a", "c")
    diagram.view.update(view)
    return diagram


def test_positions_of_the_file_order_the_blocks() -> None:
    for first, second in (("b", "c"), ("c", "b")):
        laid = lay_out(sketch(loop(**{"a": [0, 0], first: [100, -60], second: [100, 60]})))
        heights = {placed.part.name: placed.y for placed in laid.parts}
        assert heights[first] < heights[second]


def test_a_faulty_diagram_is_drawn_and_told() -> None:
    diagram = loop()
    diagram.add("d", bd.Sum(signs="+-"))
    diagram.connect("b", "d.nothing")
    svg = draw(diagram).svg
    assert "bd-open" in svg
    assert "nothing" in svg


def test_what_is_no_subsystem_cannot_be_open() -> None:
    with pytest.raises(DrawingError, match="no subsystem"):
        draw(loop(), open=["b"])


def test_the_kinds_of_files(tmp_path: Path) -> None:
    drawing = loop().draw(units=True, sizes=True)
    starts = {"svg": b"<svg", "png": b"\x89PNG", "pdf": b"%PDF", "mmd": b"flowchart LR"}
    for kind, start in starts.items():
        assert drawing.save(tmp_path / f"loop.{kind}").read_bytes().startswith(start)
    with pytest.raises(DrawingError, match=r"\.svg"):
        drawing.save(tmp_path / "loop.gif")


def boxes(svg: str) -> dict[str, tuple[float, float, float, float]]:
    """The frame of the first path of each named group: left, top, right, low."""
    frames = {}
    for group in ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}g"):
        if name := group.get("data-path"):
            steps = group.find("{http://www.w3.org/2000/svg}path").get("d")  # type: ignore[union-attr]
            numbers = [float(each) for each in re.findall(r"[\d.]+", str(steps))]
            xs, ys = numbers[::2], numbers[1::2]
            frames[name] = (min(xs), min(ys), max(xs), max(ys))
    return frames


def test_states_stand_in_their_states_and_beside_one_another(tmp_path: Path) -> None:
    machine = load("cruise-gears").blocks["machine"]
    assert isinstance(machine, bd.StateMachine)
    frames = boxes(machine.draw().svg)
    assert set(frames) == {"driving", "driving/first", "driving/second", "driving/third", "braking"}
    for name, (left, top, right, low) in frames.items():
        for other, (x0, y0, x1, y1) in frames.items():
            if other.startswith(name + "/"):
                assert left < x0 < x1 < right
                assert top < y0 < y1 < low
            elif name != other and not name.startswith(other + "/"):
                assert right < x0 or x1 < left or low < y0 or y1 < top
    text = machine.draw().mermaid
    assert text.startswith("stateDiagram-v2")
    assert text.count("-->") == 2 + 6  # two beginnings, six transitions
    with pytest.raises(DrawingError, match="no StateMachine\nexpected: `machine`"):
        machine_at(load("cruise-gears"), "controller")


def test_a_notebook_shows_the_picture_and_the_tables() -> None:
    html = loop()._repr_html_()
    assert "<svg" in html
    assert "<table" in html


def test_a_process_that_has_drawn_ends_by_itself() -> None:
    code = "import blockdyn as bd; d = bd.Diagram('d'); d.add('a', bd.Constant(1.0)); d.draw()"
    subprocess.run([sys.executable, "-c", code], check=True, timeout=120)
