"""Robots in YAML files, and the form in which a diagram names one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from blockdyn.robots import (
    InvalidRobot,
    RobotError,
    RobotFileError,
    UnknownRobot,
    from_file,
    from_tree,
    load,
    robot_from,
)
from blockdyn.robots.library.catalogue import catalogue

ARM = """\
robot: mine
units: {angle: deg}
parameters: {l1: 0.5, l2: =l1/2}
dh:
  - {a: =l1, alpha: 90, mass: 2, com: [=-l1/2, 0, 0], limits: [-90, 90]}
  - {a: =l2, mass: 1}
  - {kind: prismatic, theta: 90, limits: [0, 0.3]}
tool: Tz(0.1)
gravity: [0, 0, -1.62]
poses:
  home: [0, 45, 0.2]
"""
TREE = """\
robot: pair
tree:
  - {name: torso, mass: 5}
  - {name: left, place: Ty(0.2), axis: [0, 1, 0], mass: 1, com: [0, 0, -0.3], damping: 1}
"""


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str], Path]:
    def write(text: str, name: str = "arm.yaml") -> Path:
        (tmp_path / name).write_text(text, encoding="utf-8")
        return tmp_path / name

    return write


def test_a_file_of_ones_own(write: Callable[..., Path]) -> None:
    robot = from_file(write(ARM), l1=1.0)
    assert robot.structure == "2RP"
    assert robot.named["home"].tolist() == pytest.approx([0, 0.785398163, 0.2])
    assert robot.link("link1").com == (-0.5, 0, 0)
    assert robot.upper.tolist()[::2] == pytest.approx([1.570796327, 0.3])
    assert robot.gravity == (0, 0, -1.62)


@pytest.mark.parametrize(
    ("change", "line", "message"),
    [
        (("robot: mine", "robt: mine"), 1, "no robot"),
        (("units:", "unit:"), 2, "unknown key `unit`, did you mean `units`"),
        (("angle: deg", "angle: grad"), 2, "the angle unit 'grad'"),
        (("=l1/2", "=l3/2"), 3, "there is no `l3`"),
        (("mass: 2", "mass: -2"), 5, "link `link1`: the mass is -2 kg"),
        (("mass: 1}", "mas: 1}"), 6, "mine, row 2: the key `mas`, did you mean `mass`"),
        (("kind: prismatic", "kind: sliding"), 7, "the kind 'sliding'"),
        (("limits: [0, 0.3]", "limits: 0.3"), 7, "limits is 0.3"),
        (("Tz(0.1)", "Tz(0.1"), 8, "not closed"),
        (("[0, 0, -1.62]", "[0, -1.62]"), 9, "gravity: found"),
        (("45, 0.2]", "45]"), 11, "3 numbers, one for each moving joint"),
        (("[0, 45, 0.2]", "[0, 45, far]"), 11, "3 finite numbers"),
        (("tool:", "dh: []\ntool:"), 8, "key `dh` is repeated"),
        (("robot: mine", "robot: !!python/name:os.system"), 1, "the tag"),
        (("  - {a: =l2", "  - {repeat: 1.5, a: =l2"), 6, "repeat is 1.5"),
        (("home:", "home: :"), 11, "not YAML"),
        (("dh:", "screws: {}\ndh:"), 1, "the forms dh, screws"),
        (("tool:", "links: []\ntool:"), 8, "`links` beside `dh`"),
        (("tool:", "tip: link1\ntool:"), 8, "`tip` beside `dh`"),
    ],
)
def test_mistakes_name_their_line(
    change: tuple[str, str], line: int, message: str, write: Callable[..., Path]
) -> None:
    path = write(ARM.replace(*change))
    with pytest.raises(RobotFileError) as caught:
        from_file(path)
    assert str(caught.value).startswith(f"{path}:{line}:{caught.value.column}: ")
    assert message in str(caught.value)
    assert "\nexpected: " in str(caught.value)


def test_a_tree_in_a_file(write: Callable[..., Path]) -> None:
    with pytest.raises(RobotFileError, match="the key `damping`"):
        from_file(write(TREE))
    robot = from_file(write(TREE.replace("damping", "viscous")))
    assert robot.joint("joint2").viscous == 1
    assert robot.joint("joint2").parent == "torso"
    with pytest.raises(RobotFileError, match=r"arm\.yaml:5:1: pair has no frame `right`"):
        from_file(write(TREE.replace("damping", "viscous") + "tip: right\n"))


def test_a_missing_file() -> None:
    with pytest.raises(RobotFileError, match=r"nowhere\.yaml: the file cannot be read: No such file"):
        from_file("nowhere.yaml")


def test_what_a_diagram_writes(write: Callable[..., Path]) -> None:
    puma = load("puma560")
    path = write(ARM)
    for spec, robot in (
        ("puma560", puma),
        (puma, puma),
        ({"name": "puma560"}, puma),
        ({"name": "hyper2d", "parameters": {"n": 20}}, load("hyper2d", n=20)),
        ({"file": "arm.yaml", "parameters": {"l1": 2}}, from_file(path, l1=2)),
        ({"name": "puma560", "without_friction": True}, puma.without_friction()),
        ({"name": "puma560", "without_friction": "coulomb"}, puma.without_friction("coulomb")),
        ({"name": "puma560", "payload": {"mass": 2, "at": [0, 0, 0.1]}}, puma.payload(2, [0, 0, 0.1])),
        (
            {"name": "puma560", "gravity": [0, 0, 0], "perturb": {"fraction": 0.1, "seed": 1}},
            puma.with_gravity([0, 0, 0]).perturb(0.1, 1),
        ),
        (
            {"name": "puma560", "base": "Tz(1)", "tool": [0, 0, 0.1]},
            puma.with_base("Tz(1)").with_tool("Tz(0.1)"),
        ),
        ({"name": "puma560", "links": {"link2": {"mass": 5}}}, puma.with_link("link2", mass=5)),
        ({"name": "puma560", "joints": {"joint1": {"viscous": 0}}}, puma.with_joint("joint1", viscous=0)),
    ):
        assert robot_from(spec, path.parent) == robot


def test_a_payload_is_known_exactly_whatever_the_error_of_the_model() -> None:
    both = robot_from({"name": "puma560", "payload": {"mass": 2}, "perturb": {"fraction": 0.5, "seed": 3}})
    assert both == load("puma560").perturb(0.5, 3).payload(2)


@pytest.mark.parametrize(
    ("spec", "error", "message"),
    [
        (560, InvalidRobot, "robot: found 560"),
        ("puma", UnknownRobot, "did you mean `puma560`"),
        ("r.yaml", UnknownRobot, r'robots\.from_file\("r\.yaml"\), in a diagram \{file: r\.yaml\}'),
        ("r.urdf", UnknownRobot, r'robots\.from_urdf\("r\.urdf"\), in a diagram \{urdf: r\.urdf\}'),
        ({"payload": {"mass": 1}}, InvalidRobot, "none of name, file, urdf"),
        ({"name": "puma560", "file": "a.yaml"}, InvalidRobot, "name and file together"),
        ({"name": "puma560", "paylaod": {}}, InvalidRobot, "unknown key `paylaod`, did you mean `payload`"),
        ({"name": "puma560", "payload": {"at": [0, 0, 0]}}, InvalidRobot, "robot, payload: no `mass`"),
        ({"name": "puma560", "payload": {"mass": 1, "where": 0}}, InvalidRobot, "unknown key `where`"),
        ({"name": "puma560", "payload": 2}, InvalidRobot, "robot, payload: found 2"),
        ({"name": "puma560", "perturb": {"fraction": 0.1}}, InvalidRobot, "no `seed`"),
        ({"name": "puma560", "without_friction": "dry"}, InvalidRobot, "coulomb or viscous"),
        ({"name": "puma560", "links": {"link7": {}}}, RobotError, "did you mean `link1`|no frame `link7`"),
        ({"name": "puma560", "links": {"link1": {"weight": 1}}}, InvalidRobot, "unknown key `weight`"),
        ({"name": "puma560", "parameters": {"n": 3}}, RobotFileError, "there is no parameter `n`"),
        ({"name": "puma560", "locked": {}}, InvalidRobot, "unknown key `locked`"),
    ],
)
def test_mistakes_of_a_diagram(spec: Any, error: type[RobotError], message: str) -> None:
    with pytest.raises(error, match=message):
        robot_from(spec)


def test_the_files_of_the_manual_are_robots() -> None:
    from blockdyn.robots.library.description import describe
    from blockdyn.robots.library.files import parse

    page = Path(__file__).parents[3] / "docs" / "robots.md"
    texts = [part.partition("```")[0] for part in page.read_text(encoding="utf-8").split("```yaml\n")[1:]]
    found = [describe(parse(text, "page")) for text in texts if not text.startswith("robot:\n")]
    assert [robot.structure for robot in found] == ["3R", "2R", "2R", "3R"]
    assert found[0].named["work"][1] == pytest.approx(0.785398163)
    spec = parse(next(text for text in texts if text.startswith("robot:\n")), "page").values["robot"]
    assert robot_from(spec).link("link6").mass != load("puma560").link("link6").mass


@pytest.mark.parametrize("name", sorted(catalogue()))
def test_a_robot_that_is_saved_is_read_again_to_the_last_digit(name: str, tmp_path: Path) -> None:
    robot = load(name).with_gravity([0.1, -0.2, -3.7]).with_tool("Tz(0.1) Rx(31deg)")
    robot.save(tmp_path / "arm.yaml")
    again = from_file(tmp_path / "arm.yaml")
    assert again == robot
    assert (again.title, again.source, again.notes) == (robot.title, robot.source, robot.notes)


def test_axes_that_are_saved_are_read_again_to_the_last_digit(tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    rows = [{"name": f"link{i}", "axis": rng.normal(size=3), "kind": "revolute"} for i in range(200)]
    robot = from_tree(rows)
    robot.save(tmp_path / "arm.yaml")
    assert from_file(tmp_path / "arm.yaml") == robot
