"""Robots in YAML: by name, with transforms, from files, with expressions; written back, and refused."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import jsonschema
import numpy as np
import pytest

import blockdyn as bd
from blockdyn.diagrams.model.errors import BadParameter
from blockdyn.diagrams.yaml.errors import NotTrusted, NotWritable
from blockdyn.diagrams.yaml.schema import json_schema
from blockdyn.robots import load

HOLDS = """\
blockdyn: 1
parameters: {{m: 2.0}}
blocks:
  q:    {{type: Constant, value: [0, 0, 0, 0, 0, 0]}}
  hold: {{type: Gravload, robot: {robot}}}
wires: [q -> hold]
"""


def held(robot: str, **run: object) -> np.ndarray:
    """The gravity load at q = 0."""
    return bd.load(HOLDS.format(robot=robot)).simulate(stop=1.0, **run).final("hold")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "robot",
    [
        "puma560",
        "{name: puma560, without_friction: true, payload: {mass: 2, at: [0, 0, 0.1]}}",
        "{name: puma560, perturb: {fraction: 0.1, seed: 3}, gravity: [0, 0, -1.62]}",
        "{name: puma560, payload: {mass: =m, at: [0, 0, =m / 20]}, links: {link2: {mass: =m + 1}}}",
    ],
)
def test_what_is_written_reads_back_as_the_same(robot: str) -> None:
    diagram = bd.load(HOLDS.format(robot=robot))
    text = bd.dumps(diagram)
    assert f"robot: {robot}" in text
    again = bd.load(text)
    assert bd.dumps(again) == text
    assert again.blocks["hold"].robot == diagram.blocks["hold"].robot  # type: ignore[union-attr]


def test_a_payload_is_what_the_formula_says() -> None:
    """At q = 0 the tool of the Puma is 0.4521 m from the axes 2, and 0.0203 m from axis 3, horizontally."""
    bare = held("puma560")
    loaded = held("{name: puma560, payload: {mass: =m}}")
    twice = held("{name: puma560, payload: {mass: =m}}", parameters={"m": 4.0})
    arms = np.array([0.0, 0.4318 + 0.0203, 0.0203, 0.0, 0.0, 0.0])
    np.testing.assert_allclose(loaded - bare, 2.0 * 9.81 * arms, atol=1e-12)
    np.testing.assert_allclose(twice - bare, 4.0 * 9.81 * arms, atol=1e-12)


def test_a_robot_of_python_is_written_as_what_differs_from_the_library() -> None:
    for robot in (
        load("puma560"),
        load("puma560").without_friction("coulomb").payload(1.5, (0, 0, 0.2)),
        load("twolink").with_gravity((0, 0, 0)).perturb(0.2, 5),
    ):
        diagram = bd.Diagram("one")
        diagram.add("hold", bd.Gravload(robot))
        block = bd.load(bd.dumps(diagram)).blocks["hold"]
        assert block.model == robot  # type: ignore[union-attr]
    assert "hold: {type: Gravload, robot: twolink}" in bd.dumps(_with(load("twolink")))


def _with(robot: object) -> bd.Diagram:
    diagram = bd.Diagram("one")
    diagram.add("hold", bd.Gravload(robot))
    return diagram


def test_a_robot_that_the_library_has_not_is_written_to_a_file_of_its_own(tmp_path: Path) -> None:
    mine = replace(load("twolink"), name="mine")
    with pytest.raises(NotWritable, match=r'robot is a Robot made in Python: mine .*\n.*save\("arm\.yaml"\)'):
        bd.dumps(_with(mine))
    mine.save(tmp_path / "arm.yaml")
    (tmp_path / "d.yaml").write_text(bd.dumps(_with({"file": str(tmp_path / "arm.yaml")})))
    assert bd.load(tmp_path / "d.yaml").blocks["hold"].model == mine  # type: ignore[union-attr]


def test_a_robot_from_a_file_beside_the_diagram(tmp_path: Path) -> None:
    (tmp_path / "arms").mkdir()
    (tmp_path / "arms" / "one.yaml").write_text(
        "robot: one\ndh: [{a: 1.0, mass: 3.0, com: [-0.5, 0, 0], inertia: [0, 0, 0]}]\n", encoding="utf-8"
    )
    text = HOLDS.format(robot="{file: arms/one.yaml, gravity: [0, -9.81, 0]}").replace(
        "[0, 0, 0, 0, 0, 0]", "[0]"
    )
    path = tmp_path / "diagram.yaml"
    path.write_text(text, encoding="utf-8")
    diagram = bd.load(path)
    assert diagram.simulate(stop=1.0).final("hold")[0] == pytest.approx(3.0 * 9.81 * 0.5)
    bd.dump(diagram, tmp_path / "again.yaml")
    assert bd.dumps(bd.load(tmp_path / "again.yaml")) == bd.dumps(diagram)
    outside = tmp_path / "arms" / "diagram.yaml"
    outside.write_text(text.replace("arms/one.yaml", "../arms/one.yaml"), encoding="utf-8")
    bd.load(outside)  # a way round that ends in the folder
    outside.write_text(text.replace("arms/one.yaml", "../one.yaml"), encoding="utf-8")
    with pytest.raises(NotTrusted, match=r"diagram\.yaml:5:\d+: the file `\.\./one\.yaml` lies outside"):
        bd.load(outside)
    with pytest.raises(NotTrusted):
        bd.load(text)
    path.write_text(text.replace("one.yaml", "two.yaml"), encoding="utf-8")
    with pytest.raises(BadParameter, match=r"(?s)diagram\.yaml:5:.*two\.yaml: the file cannot be read"):
        bd.load(path)


def test_a_xacro_file_reads_no_file_outside_the_folder_of_the_diagram(tmp_path: Path) -> None:
    space = 'xmlns:xacro="http://www.ros.org/wiki/xacro"'
    arm = (
        '<link name="base_link"/><link name="a"><inertial><mass value="2"/><origin xyz="1 0 0"/><inertia'
        ' ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link><joint name="j" type="revolute">'
        '<parent link="base_link"/><child link="a"/><axis xyz="0 1 0"/><limit lower="-1" upper="1" effort="1"'
        ' velocity="1"/></joint>'
    )
    inner, parts = tmp_path / "inner", tmp_path / "parts"
    inner.mkdir()
    parts.mkdir()
    (parts / "arm.xacro").write_text(f"<robot {space}>{arm}</robot>", encoding="utf-8")
    path = inner / "diagram.yaml"
    for name in ("../parts/arm.xacro", "$(find parts)/arm.xacro"):
        (inner / "top.xacro").write_text(
            f'<robot name="top" {space}><xacro:include filename="{name}"/></robot>', encoding="utf-8"
        )
        packages = ", packages: ../parts/.." if "find" in name else ""
        text = HOLDS.format(robot=f"{{urdf: top.xacro{packages}}}").replace("[0, 0, 0, 0, 0, 0]", "[0]")
        path.write_text(text, encoding="utf-8")
        with pytest.raises((BadParameter, NotTrusted), match=r"lies outside the diagram's folder"):
            bd.load(path).simulate(stop=1.0)
        diagram = bd.load(path, trust="files")
        assert diagram.simulate(stop=1.0).final("hold")[0] == pytest.approx(-2.0 * 9.81)
    (inner / "arm.xacro").write_text(f"<robot {space}>{arm}</robot>", encoding="utf-8")
    (inner / "top.xacro").write_text(
        f'<robot name="top" {space}><xacro:include filename="arm.xacro"/></robot>', encoding="utf-8"
    )
    path.write_text(text.replace(packages, ""), encoding="utf-8")
    diagram = bd.load(path)
    assert diagram.simulate(stop=1.0).final("hold")[0] == pytest.approx(-2.0 * 9.81)
    assert "boundary:" not in bd.dumps(diagram)


@pytest.mark.parametrize(
    ("robot", "column", "message"),
    [
        ("puma56", 33, "there is no robot `puma56`, did you mean `puma560`"),
        ("{name: puma560, paylod: {mass: 2}}", 33, "unknown key `paylod`, did you mean `payload`"),
        ("{name: puma560, payload: {mas: 2}}", 58, "unknown key `mas`, did you mean `mass`"),
        ("{name: puma560, links: {link9: {mass: 2}}}", 33, "puma560 has no frame `link9`"),
        ("{payload: {mass: 2}}", 33, "one of name, file, urdf"),
        ("[puma560]", 33, "expected: a name, or a mapping"),
        ("=m", 33, "Gravload.robot is 2"),
    ],
)
def test_mistakes_are_shown_where_they_are(robot: str, column: int, message: str) -> None:
    with pytest.raises(BadParameter, match=message) as caught:
        bd.load(HOLDS.format(robot=robot)).simulate(stop=1.0)
    assert caught.value.location is not None
    assert (caught.value.location.line, caught.value.location.column) == (5, column)


def test_the_schema_knows_robots() -> None:
    schema = json_schema()
    check = jsonschema.Draft202012Validator({"$ref": "#/$defs/Robot", "$defs": schema["$defs"]})
    assert check.is_valid("puma560")
    assert check.is_valid({"name": "puma560", "payload": {"mass": "=m", "at": [0, "=m", 0]}})
    assert check.is_valid({"urdf": "arm.urdf", "locked": {"finger": 0.0}})
    assert not check.is_valid("puma")
    assert not check.is_valid({"name": "puma560", "paylod": {"mass": 2}})
