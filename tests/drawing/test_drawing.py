"""Drawings of diagrams: nothing lies on anything else, and what they say is what the diagram says."""

from __future__ import annotations

import math
import pickle
import random
import re
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import blockdyn as bd
from blockdyn.cli.command import main
from blockdyn.diagrams.yaml import dumps, load
from blockdyn.drawing.after_run import run_of
from blockdyn.drawing.drawing import draw, draw_block, labels_of
from blockdyn.drawing.elk import DrawingError
from blockdyn.drawing.facts import facts_of
from blockdyn.drawing.figure import outlines
from blockdyn.drawing.layout import SketchLayout, lay_out
from blockdyn.drawing.machine import machine_at
from blockdyn.drawing.paint import formula
from blockdyn.drawing.sketch import sketch

Point = tuple[float, float]


def crosses(start: Point, end: Point, box: tuple[float, float, float, float]) -> bool:
    """Whether a horizontal or vertical line passes through the inside of a box."""
    left, top, right, low = box
    (x0, x1), (y0, y1) = sorted((start[0], end[0])), sorted((start[1], end[1]))
    return x0 < right - 0.1 and x1 > left + 0.1 and y0 < low - 0.1 and y1 > top + 0.1


def assert_clear(laid: SketchLayout) -> None:
    blocks = [p for p in laid.parts if not p.part.open]
    boxes = [(p.x, p.y, p.x + p.width, p.y + p.height) for p in blocks]
    for number, box in enumerate(boxes):
        for other in boxes[:number]:
            assert box[2] <= other[0] or other[2] <= box[0] or box[3] <= other[1] or other[3] <= box[1]
        for _, points in laid.wires:
            for start, end in pairwise(points):
                assert abs(start[0] - end[0]) < 0.1 or abs(start[1] - end[1]) < 0.1
                assert not crosses(start, end, box)


def ways_from(at: Point, wires: list[list[Point]]) -> int:
    """In how many of four directions wires go on 1 px beside a point."""
    beside = [(at[0] + dx, at[1] + dy) for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1))]
    return sum(
        any(
            min(a[0], b[0]) - 0.3 <= x <= max(a[0], b[0]) + 0.3
            and min(a[1], b[1]) - 0.3 <= y <= max(a[1], b[1]) + 0.3
            for points in wires for a, b in pairwise(points)
        )
        for x, y in beside
    )  # fmt: skip


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


def test_dots_are_where_wires_part_also_where_some_lead_back_to_their_own_block() -> None:
    """Of three outputs that lead back to their block, the first leads back to another one too."""
    diagram = bd.Diagram("back")
    diagram.add("flat", bd.Flatness(vehicle="hummingbird"))
    diagram.connect(diagram.add("one", bd.Constant(1.0)), diagram.add("mux", bd.Mux(count=2))[0])
    diagram.connect("flat.quaternion", "mux[1]")
    diagram.connect("mux", ["flat.acceleration", "flat.yaw"])
    for source, target in (("quaternion", "velocity"), ("angular_acceleration", "jerk"), ("torque", "snap")):
        diagram.connect(f"flat.{source}", f"flat.{target}")
    laid = lay_out(sketch(diagram))
    wires = [points for line, points in laid.wires if line.source == "flat>quaternion"]
    (dot,) = (at for line, at in laid.junctions if line.source == "flat>quaternion")
    assert len(wires) == 2
    assert ways_from(dot, wires) == 3


@pytest.mark.parametrize(
    "name", ["kalman-cart", "quadrotor", "cruise-gears", "controllers", "sampled-cascade"]
)
def test_no_wire_runs_through_a_block_and_no_block_lies_on_another(name: str) -> None:
    assert_clear(lay_out(sketch(load(name))))


def test_neither_does_it_in_random_diagrams_and_in_open_subsystems() -> None:
    for seed in range(6):
        assert_clear(lay_out(sketch(random_diagram(seed, 12))))
    assert_clear(lay_out(sketch(random_diagram(7, 80))))
    assert_clear(lay_out(sketch(load("cruise-gears"), open=True)))


def test_nor_in_an_open_subsystem_that_is_a_loop_with_no_ports() -> None:
    inner, outer = bd.Diagram("inner"), bd.Diagram("outer")
    root, filter_ = (
        inner.add("root", bd.Sqrt()),
        inner.add("filter", bd.DiscreteFilter(sample_time=0.1, b=[1.0])),
    )
    inner.connect(filter_, root)
    inner.connect(root, filter_)
    outer.add("loop", inner)
    assert_clear(lay_out(sketch(outer, open=True)))


def leftward(points: list[Point]) -> float:
    """The height of the longest way to the left, in px from the top."""
    return max(pairwise(points), key=lambda ends: ends[0][0] - ends[1][0])[0][1]


@pytest.mark.parametrize("name", ["battery", "quadrotor", "cruise-gears", "sampled-cascade", "controllers"])
def test_feedback_runs_below_what_it_joins(name: str) -> None:
    drawn = [lay_out(sketch(load(name))), *(lay_out(sketch(random_diagram(s, 12))) for s in range(4))]
    for laid in drawn:
        for _, points in laid.wires:
            (x, y), (to_x, to_y) = points[0], points[-1]
            if to_x < x:
                assert leftward(points) >= max(y, to_y) - 0.1


def test_the_sum_that_subtracts_feedback_is_the_first_of_its_loop() -> None:
    """A disturbance that the file tells before the reference turns nothing around."""
    diagram = bd.Diagram("loop")
    blocks = {"d": bd.Step(), "push": bd.Sum(signs="++"), "plant": bd.Integrator(), "r": bd.Step()}
    blocks |= {"error": bd.Sum(signs="+-"), "k": bd.Gain(k=2.0)}
    for name, block in blocks.items():
        diagram.add(name, block)
    ends = [("d", "push[1]"), ("k", "push[0]"), ("push", "plant"), ("plant", "error[1]"), ("r", "error[0]")]
    for source, target in [*ends, ("error", "k")]:
        diagram.connect(source, target)
    laid = lay_out(sketch(diagram))
    places = {placed.part.name: placed for placed in laid.parts}
    order = [places[name].x for name in ("r", "error", "k", "push", "plant")]
    assert order == sorted(order)
    error, push = places["error"], places["push"]
    assert [error.pins[f"error<u{i}"][1] > error.y + error.height / 2 for i in (0, 1)] == [False, True]
    assert push.pins["push<u1"][1] == push.y  # a disturbance comes from above


def test_each_block_is_a_group_with_its_path_and_text_is_escaped() -> None:
    diagram = load("thermostat-delay")
    diagram.name = "<b>&"
    root = ElementTree.fromstring(draw(diagram).svg)
    paths = {group.get("data-path") for group in root.iter("{http://www.w3.org/2000/svg}g")}
    assert set(diagram.blocks) <= paths
    assert root[0].text == "<b>&"


def test_no_text_begins_or_ends_with_a_space_which_svg_does_not_draw() -> None:
    d = bd.Diagram("powers")
    d.add("plant", bd.TransferFunction([1.0, 2.0], [1.0, 1.0, 0.5]))
    d.add("step", bd.Step())
    d.connect("step", "plant")
    texts = re.findall(r"<text[^>]*>([^<]*)</text>", d.draw().svg)
    assert "+ s + 0.5" in texts
    assert texts == [text.strip() for text in texts]


def test_the_parts_of_a_formula_do_not_overlap() -> None:
    """Type of other fonts is wider than the places that a formula has for its parts."""
    parts = [*formula("1 - 0.3z^-1 + 0.125z^-2", 0.0, 0.0)]
    boxes = [outlines(part).get_extents() for part in parts]
    assert len(parts) == 4
    assert all(left.x1 < right.x0 for left, right in pairwise(boxes))


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
    diagram.positions.update(view)
    return diagram


def test_positions_of_the_file_order_the_blocks() -> None:
    for first, second in (("b", "c"), ("c", "b")):
        laid = lay_out(sketch(loop(**{"a": [0, 0], first: [100, -60], second: [100, 60]})))
        heights = {placed.part.name: placed.y for placed in laid.parts}
        assert heights[first] < heights[second]


def of_rate(drawing: Any, path: str) -> bool:
    marks = [mark for group in drawing.picture.groups if group.path == path for mark in group.marks]
    return any(getattr(mark, "kind", "").startswith("block") and mark.kind != "block" for mark in marks)


def test_a_folded_subsystem_has_the_colour_of_its_only_rate_and_the_key_no_other() -> None:
    inner = bd.Diagram("inner")
    chain = [inner.add("u", bd.Inport()), inner.add("slow", bd.UnitDelay(sample_time=0.5))]
    fast = inner.add("fast", bd.UnitDelay(sample_time=0.25))
    inner.connect(*chain, inner.add("y", bd.Outport()))
    outer = bd.Diagram("outer")
    outer.connect(outer.add("r", bd.Constant(1.0)), outer.add("sub", inner), outer.add("k", bd.Gain(2.0)))
    inner.connect("slow", fast)
    both = outer.draw()
    assert not of_rate(both, "sub")
    assert [text.text for text in drawn_texts(both) if text.text.endswith(" s")] == ["0.5 s"]  # its wire
    single = bd.Diagram("single")
    single.connect(single.add("u", bd.Inport()), single.add("slow", bd.UnitDelay(sample_time=0.5)))
    single.connect("slow", single.add("y", bd.Outport()))
    outer = bd.Diagram("outer")
    outer.connect(outer.add("r", bd.Constant(1.0)), outer.add("sub", single), outer.add("k", bd.Gain(2.0)))
    assert of_rate(outer.draw(), "sub")


def test_a_faulty_diagram_is_drawn_and_told() -> None:
    diagram = loop()
    diagram.add("d", bd.Sum(signs="+-"))
    diagram.connect("b", "d.nothing")
    svg = draw(diagram).svg
    assert "bd-open" in svg
    assert "nothing" in svg


def test_every_open_input_is_marked_and_none_of_what_is_only_near() -> None:
    diagram = bd.Diagram("two")
    diagram.add("a", bd.Gain(2.0))
    diagram.add("b", bd.Gain(3.0))
    assert diagram.draw().svg.count('class="bd-open"') == 2
    with pytest.raises(bd.DiagramError) as caught:
        diagram.compile()
    assert caught.value.draw().svg.count('class="bd-open"') == 2
    mixed = bd.Diagram("mixed")
    mixed.connect(mixed.add("clock", bd.Clock()), mixed.add("sum", bd.Sum("++"))[0])
    mixed.connect("clock", "sum[1]")
    mixed.connect("sum", mixed.add("gain", bd.Gain(1.0)))
    mixed.add("alone", bd.Gain(1.0))
    mixed.connect("alone", mixed.add("both", bd.Sum("++"))[0])
    mixed.connect("sum", "both[1]")
    with pytest.raises(bd.DiagramError) as caught:
        mixed.compile()
    assert caught.value.draw().svg.count('class="bd-open"') == 1


def test_what_is_no_subsystem_cannot_be_open() -> None:
    with pytest.raises(DrawingError, match="not a subsystem"):
        draw(loop(), open=["b"])


def test_the_kinds_of_files(tmp_path: Path) -> None:
    drawing = loop().draw(units=True, sizes=True)
    starts = {"svg": b"<svg", "png": b"\x89PNG", "pdf": b"%PDF"}
    for kind, start in starts.items():
        assert drawing.save(tmp_path / f"loop.{kind}").read_bytes().startswith(start)
    with pytest.raises(DrawingError, match=r"\.svg"):
        drawing.save(tmp_path / "loop.gif")


def test_draw_writes_the_file_that_it_is_given(tmp_path: Path) -> None:
    d = loop()
    file = tmp_path / "loop.svg"
    assert d.draw(file).svg == file.read_text(encoding="utf-8") == d.draw().svg
    r = d.simulate(stop=1.0)
    assert r.draw(file=file).svg == file.read_text(encoding="utf-8")
    with pytest.raises(DrawingError, match="`file` names the image file"):
        r.draw("loop.svg")
    with pytest.raises(DrawingError, match="the name of a picture"):
        d.draw(3)


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
    with pytest.raises(DrawingError, match="not a StateMachine\nexpected: `machine`"):
        machine_at(load("cruise-gears"), "controller")


def thermostat() -> bd.Diagram:
    """A room that cools to 0 and is heated to 40, between 18 and 22, in time constants of 1 s."""
    diagram = bd.Diagram("thermostat")
    diagram.add("relay", bd.Relay(switch_on=22.0, switch_off=18.0, on=0.0, off=40.0))
    diagram.add("room", bd.TransferFunction(num=[1.0], den=[1.0, 1.0]))
    diagram.connect("relay", "room")
    diagram.connect("room", "relay")
    diagram.log("room", "relay")
    return diagram


def test_a_drawn_run_tells_final_values_and_counts_events() -> None:
    result = thermostat().simulate(stop=5.0)
    texts = [text.text for text in drawn_texts(result.draw())]
    assert f"{result.final('room.y'):.4g}" in texts
    switched = 1 + int((5.0 - math.log(40 / 18)) / math.log(22 / 18))  # up in ln(40/18), then ln(22/18) each
    assert str(switched) in texts


def drawn_texts(drawing: Any) -> list[Any]:
    return [mark for group in drawing.picture.groups for mark in group.marks if hasattr(mark, "text")]


def test_the_picture_of_a_run_is_that_of_its_file_to_the_byte(tmp_path: Path) -> None:
    result = thermostat().simulate(stop=5.0)
    result.save(tmp_path / "run.nc")
    assert main(["graph", str(tmp_path / "run.nc"), "--out", str(tmp_path / "run.svg")]) == 0
    assert (tmp_path / "run.svg").read_text(encoding="utf-8") == result.draw().svg


def test_curves_and_values_lie_on_no_block() -> None:
    result = load("cruise-gears").simulate()
    drawn = sketch(load("cruise-gears"))
    run = run_of(result, facts_of(load("cruise-gears"), units=False))
    sizes = labels_of(drawn.parts, run)
    assert len(sizes) == 6  # of the seven that are logged, one is seen only inside a subsystem
    laid = lay_out(drawn, sizes)
    assert_clear(laid)
    for key, (x, y) in laid.labels.items():
        width, height = sizes[key]
        for placed in laid.parts:
            apart = x + width <= placed.x or placed.x + placed.width <= x
            assert apart or y + height <= placed.y or placed.y + placed.height <= y


def test_a_notebook_shows_the_picture_and_the_tables() -> None:
    html = loop()._repr_html_()
    assert "<svg" in html
    assert "<table" in html


def test_a_process_that_has_drawn_ends_by_itself() -> None:
    code = "import blockdyn as bd; d = bd.Diagram('d'); d.add('a', bd.Constant(1.0)); d.draw()"
    subprocess.run([sys.executable, "-c", code], check=True, timeout=120)


def algebraic() -> bd.Diagram:
    """y = 2 (r - y) at once, and a lag and a gain behind it."""
    diagram = bd.Diagram("algebraic")
    blocks = {"r": bd.Step(), "error": bd.Sum(signs="+-"), "k": bd.Gain(k=2.0)}
    blocks |= {"lag": bd.Integrator(), "far": bd.Gain(k=1.0)}
    for name, block in blocks.items():
        diagram.add(name, block)
    for source, target in (
        ("r", "error[0]"),
        ("error", "k"),
        ("k", "error[1]"),
        ("k", "lag"),
        ("lag", "far"),
    ):
        diagram.connect(source, target)
    return diagram


def test_an_algebraic_loop_is_drawn_with_what_is_wired_to_it_pale() -> None:
    with pytest.raises(bd.DiagramError) as caught:
        algebraic().compile()
    drawn = {group.path: group.pale for group in caught.value.draw().picture.groups if group.path}
    assert drawn == {"r": True, "error": False, "k": False, "lag": True}
    marks = [mark for group in algebraic().draw().picture.groups for mark in group.marks]
    assert [getattr(mark, "kind", "") for mark in marks].count("loop") == 2


def test_a_check_that_fails_leaves_the_picture_and_its_status(tmp_path: Path) -> None:
    file = tmp_path / "loop.yaml"
    file.write_text(dumps(algebraic()), encoding="utf-8")
    assert main(["check", str(file), "--picture", str(tmp_path / "loop.svg")]) == 2
    assert "bd-loop" in (tmp_path / "loop.svg").read_text(encoding="utf-8")


def test_an_error_with_its_diagram_can_be_pickled() -> None:
    with pytest.raises(bd.DiagramError) as caught:
        algebraic().compile()
    with pytest.raises(DrawingError, match="holds no diagram"):
        pickle.loads(pickle.dumps(bd.DiagramError(str(caught.value)))).draw()


def test_a_block_by_itself_names_each_of_its_ports() -> None:
    block = bd.NRotor(vehicle="crazyflie")
    texts = [text.text for text in drawn_texts(draw_block(block))]
    names = [port.name for port in (*block.input_ports(), *block.output_ports())]
    assert sorted(set(names)) == sorted(texts)
