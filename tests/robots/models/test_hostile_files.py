"""A robot's file is read as a diagram's is: the same meaning, limits and errors, whatever stands in it."""

from __future__ import annotations

import contextlib
import math
import re
import warnings
from pathlib import Path

import pytest

import blockdyn as bd
from blockdyn.robots import InvalidRobot, RobotError, RobotFileError, from_dh, from_file
from blockdyn.robots.library.description import describe
from blockdyn.robots.library.files import parse

ROWS = """\
robot: mine
parameters: {l1: 0.5}
dh:
  - {name: body, a: 1, d: 0.1, alpha: 0.3, mass: 2, com: [0.1, 0, 0], inertia: [1, 1, 1], lower: -9, upper: 9,
     viscous: 1, coulomb: 0.1, gear: 2, motor_inertia: 0.1, speed: 1, effort: 3, offset: 4, kind: revolute,
     flip: false, accepted: true, repeat: 1}
  - {a: 1, limits: [-1, 1]}
tool: Tz(0.1)
base: [0, 0, 1]
gravity: [0, 0, -1.62]
poses:
  home: [0, 0.5]
"""
TREE = """\
robot: pair
tree:
  - {name: torso, mass: 5}
  - {name: left, parent: torso, place: [0, 0.2, 0], axis: [0, 1, 0], kind: revolute, com: [0, 0, -0.3]}
tip: left
"""
SCREWS = """\
robot: screws
screws:
  M: Tx(0.5)
  S: [[0, 0, 1, 0, 0, 0], [0, 1, 0, -0.3, 0, 0]]
  Mlist: [Tx(0.25), Tx(0.25), Tx(0)]
  Glist: [[1, 1, 1, 1, 1, 1], [1, 1, 1, 1, 1, 1]]
"""
ODD = (
    ".inf", "-.INF", ".NaN", "0b11", '"\\U99999999"', "!!int x", "1_000", "2020-01-01", "1e999", "1e308",
    "9" * 400, "~", "true", "[1]", "{a: 1}", "[]", '"="', '"=1/0"', '"=x"',
    "[.nan, 1, 2]", "[[1]]", "[[1, 2, 3], [1, 2]]",
    "*a", '""', "-1", '"\\0"', "[1e308, 1e308, 1e308]", "text",
)  # fmt: skip


@pytest.mark.parametrize("odd", ODD)
@pytest.mark.parametrize("text", [ROWS, TREE, SCREWS], ids=["rows", "tree", "screws"])
def test_any_value_anywhere_gives_a_robot_or_an_error_of_robots(text: str, odd: str, tmp_path: Path) -> None:
    path = tmp_path / "arm.yaml"
    for value in re.finditer(r"(?<=: )[\w.()-]+|(?<=: )\[.*?\](?=[,\n}])", text):
        path.write_text(text[: value.start()] + odd + text[value.end() :], encoding="utf-8")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with contextlib.suppress(RobotError):
                from_file(path)


@pytest.mark.parametrize(
    ("written", "number"), [("012", 12), ("0x10", 16), ("0o17", 15), ("1e3", 1000), ("+.5", 0.5), ("7.", 7)]
)
def test_a_number_is_the_same_in_robots_and_in_diagrams(written: str, number: float) -> None:
    """YAML 1.2.2, section 10.3.2: decimal with leading zeros, 0x and 0o, and no binary."""
    robot = describe(parse(f"robot: mine\ndh:\n  - {{mass: {written}}}\n", "arm"))
    diagram = bd.load(f"blockdyn: 1\nblocks: {{gain: {{type: Gain, k: {written}}}}}\n")
    assert robot.links[0].mass == diagram.blocks["gain"].k == number


@pytest.mark.parametrize("written", ["1_000", "0b11", "2020-01-01", '"12"', "yes"])
def test_what_is_text_is_no_number(written: str) -> None:
    with pytest.raises(RobotFileError, match=r"^arm:3:7: .*mass: found ") as caught:
        describe(parse(f"robot: mine\ndh:\n  - {{mass: {written}}}\n".replace("- {", "-  {"), "arm"))
    assert caught.value.line == 3


def test_infinity_and_anchors_are_read() -> None:
    robot = describe(parse("robot: mine\ndh:\n  - &row {lower: -.INF, upper: .inf, a: 1}\n  - *row\n", "arm"))
    assert robot.lower.tolist() == [-math.inf, -math.inf]
    assert robot.upper.tolist() == [math.inf, math.inf]


def test_an_alias_bomb_and_a_deep_file_are_refused() -> None:
    bomb = "a0: &a0 [x, x]\n" + "".join(f"a{i}: &a{i} [*a{i - 1}, *a{i - 1}]\n" for i in range(1, 40))
    with pytest.raises(RobotFileError, match="more than 250000 values"):
        parse(bomb, "arm")
    with pytest.raises(RobotFileError, match="more than 100 levels of nesting"):
        parse("robot: " + "[" * 5000, "arm")


def test_a_row_of_theta_and_d_says_which_one_moves() -> None:
    with pytest.raises(InvalidRobot, match=r"row 1: theta and d, and no `kind`: which of them moves\?"):
        from_dh([{"theta": 0.3, "d": 0.2}])
    turning, sliding = (
        from_dh([{"theta": 0.3, "d": 0.2, "kind": kind}]) for kind in ("revolute", "prismatic")
    )
    assert [robot.joints[0].kind for robot in (turning, sliding)] == ["revolute", "prismatic"]


@pytest.mark.parametrize("key", ["flip", "accepted"])
def test_true_and_false_are_not_guessed(key: str) -> None:
    with pytest.raises(InvalidRobot, match=f"{key}: found 'no'"):
        from_dh([{"a": 1.0, key: "no"}])
