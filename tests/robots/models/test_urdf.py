"""URDF: a double pendulum whose mechanics is known in closed form, and files that are broken."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from blockdyn.robots import RobotFileError, from_urdf, robot_from
from blockdyn.robots.model import table

LINK = """\
  <link name="{name}">
    <inertial>
      <origin xyz="0 0 -0.5" rpy="{rpy}"/>
      <mass value="{mass}"/>
      <inertia ixx="{ixx}" iyy="{iyy}" izz="0.1" ixy="0" ixz="0" iyz="0"/>
    </inertial>
    <visual><geometry><mesh filename="package://nowhere/link.stl"/></geometry></visual>
  </link>
"""
PENDULUM = (
    """<?xml version="1.0"?>
<robot name="pendulum">
  <link name="world"/>
"""
    + LINK.format(name="upper", mass=2, rpy="0 0 0", ixx=0.1, iyy=0.2)
    + LINK.format(name="lower", mass=1, rpy="0 0 1.5707963267948966", ixx=0.3, iyy=0.25)
    + """\
  <link name="hand"/>
  <joint name="shoulder" type="revolute">
    <parent link="world"/>
    <child link="upper"/>
    <origin xyz="0 0 2"/>
    <axis xyz="0 2 0"/>
    <limit lower="-1" upper="1.5" effort="10" velocity="2"/>
    <dynamics damping="0.1" friction="0.2"/>
  </joint>
  <joint name="elbow" type="continuous">
    <parent link="upper"/>
    <child link="lower"/>
    <origin xyz="0 0 -1"/>
    <axis xyz="0 1 0"/>
  </joint>
  <joint name="wrist" type="fixed">
    <parent link="lower"/>
    <child link="hand"/>
    <origin xyz="0 0 -1" rpy="0 1.5707963267948966 0"/>
  </joint>
</robot>
"""
)


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str], Path]:
    def write(text: str) -> Path:
        (tmp_path / "arm.urdf").write_text(text, encoding="utf-8")
        return tmp_path / "arm.urdf"

    return write


def test_a_double_pendulum(write: Callable[[str], Path], mechanics: Any) -> None:
    """Masses 2 and 1 kg at the middle of links of 1 m, 0.2 and 0.3 kg m2 about the axes."""
    robot = from_urdf(write(PENDULUM))
    q = np.array([0.3, -0.8])
    c = np.cos(q[1])
    m22 = 1 * 0.25 + 0.3
    m12 = m22 + 0.5 * c
    m11 = 2 * 0.25 + 0.2 + 1 * (1 + 0.25 + c) + 0.3
    arm = robot.table()
    np.testing.assert_allclose(mechanics.mass_matrix(arm, q), [[m11, m12], [m12, m22]], atol=1e-12)
    height = -2 * 0.5 * np.cos(q[0]) - np.cos(q[0]) - 0.5 * np.cos(q.sum()) + 3 * 2
    assert mechanics.energy(arm, q) == pytest.approx(9.81 * height)
    hand = mechanics.tool(arm, q)
    assert hand[0, 3] == pytest.approx(-np.sin(q[0]) - np.sin(q.sum()))
    np.testing.assert_allclose(hand[:3, 0], [-np.sin(q.sum()), 0, -np.cos(q.sum())], atol=1e-12)


def test_names_limits_and_friction(write: Callable[[str], Path]) -> None:
    robot = from_urdf(write(PENDULUM))
    assert (robot.name, robot.structure, robot.tip) == ("pendulum", "2R", "hand")
    assert [joint.name for joint in robot.moving] == ["shoulder", "elbow"]
    assert robot.frames == ("base", "world", "upper", "lower", "hand", "tool")
    assert robot.lower.tolist() == [-1, -np.inf]
    shoulder = robot.joint("shoulder")
    assert (shoulder.speed, shoulder.effort) == (2, 10)
    arm = robot.table("upper")
    assert arm[0, [table.VISCOUS, table.COULOMB_PLUS, table.COULOMB_MINUS]].tolist() == [0.1, 0.2, 0.2]
    assert arm[-1, table.TIP] == 0


def test_links_may_be_called_base_and_tool(write: Callable[[str], Path]) -> None:
    """As many are; a robot has frames of these names already."""
    plain = from_urdf(write(PENDULUM))
    text = PENDULUM.replace('"world"', '"base"').replace('"hand"', '"tool"')
    robot = from_urdf(write(text.replace('"upper"', '"tool_frame"')))
    assert robot.frames == ("base", "base_frame", "tool_frame", "lower", "tool_frame_", "tool")
    assert robot.tip == "tool_frame_"
    assert from_urdf(write(text), tip="tool").tip == "tool_frame"
    np.testing.assert_array_equal(robot.table(), plain.table())


def test_a_locked_joint_is_part_of_its_parent(write: Callable[[str], Path], mechanics: Any) -> None:
    path = write(PENDULUM)
    free, locked = from_urdf(path), robot_from({"urdf": path.name, "locked": {"elbow": 0.4}}, path.parent)
    assert locked.n == 1
    T = mechanics.tool(free.table(), np.array([0.7, 0.4]))
    np.testing.assert_allclose(mechanics.tool(locked.table(), np.array([0.7])), T, atol=1e-14)


def test_a_coupled_joint_must_be_locked(write: Callable[[str], Path]) -> None:
    text = PENDULUM.replace('<axis xyz="0 1 0"/>', '<axis xyz="0 1 0"/><mimic joint="shoulder"/>')
    with pytest.raises(RobotFileError, match=r'<joint name="elbow"> mimics `shoulder`\nexpected: lock it'):
        from_urdf(write(text))
    assert from_urdf(write(text), locked={"elbow": 0.0}).n == 1


@pytest.mark.parametrize(
    ("change", "line", "message"),
    [
        (("</robot>", ""), 41, 'not XML: no element found; <robot name="pendulum"> of line 2 is still open'),
        (('<link name="world"/>', '<link name="world">'), 40, "not XML: mismatched tag"),
        (('<parent link="upper"/>', '<parent link="uper"/>'), 30, "no link `uper`, did you mean `upper`"),
        (('type="continuous"', 'type="planar"'), 29, '<joint name="elbow"> is planar'),
        (('<child link="hand"/>', '<child link="lower"/>'), 35, "carries `lower`, as `elbow` of line 29"),
        (
            ('<parent link="world"/>', '<parent link="hand"/>'),
            21,
            '<joint name="shoulder"> is attached to itself',
        ),
        (
            ('  <link name="hand"/>', '  <link name="hand"/><link name="spare"/>'),
            20,
            "2 links without a joint",
        ),
        (('xyz="0 0 2"', 'xyz="0 0 2 1"'), 24, "<origin> has xyz"),
        (('xyz="0 2 0"', 'xyz="0 zero 0"'), 25, "<axis> has xyz"),
        (('xyz="0 2 0"', 'xyz="0 0 0"'), 21, "a vector of length 0"),
        (('lower="-1" upper="1.5"', 'lower="2" upper="1.5"'), 21, "the lower limit 2 lies above"),
        (('<mass value="2"/>', '<mass value="-2"/>'), 5, "link `upper`: the mass is -2 kg"),
        (('<mass value="2"/>', ""), 5, "<inertial> has no <mass>"),
        (('<child link="upper"/>', ""), 21, '<joint name="shoulder"> has no <child>'),
        (('<robot name="pendulum">', "<!DOCTYPE robot>\n<robot>"), 2, "a DOCTYPE"),
        (('<robot name="pendulum">', '<machine name="pendulum">'), 40, "mismatched tag"),
        (
            ('<link name="hand"/>', '<link name="upper"/>'),
            20,
            "a second link `upper`, the first is in line 4",
        ),
    ],
)
def test_broken_files_name_their_line(
    change: tuple[str, str], line: int, message: str, write: Callable[[str], Path]
) -> None:
    path = write(PENDULUM.replace(*change))
    with pytest.raises(RobotFileError) as caught:
        from_urdf(path)
    assert message in str(caught.value)
    assert str(caught.value).startswith(f"{path}:{line}: "), str(caught.value)


@pytest.mark.parametrize("prefix", ["drake", "sensor", "controller"])
def test_elements_of_other_programs_are_ignored(prefix: str, write: Callable[[str], Path]) -> None:
    """Drake's iiwa14 declares xacro and has elements of its own; they change nothing, as in pinocchio."""
    names = f'xmlns:xacro="http://www.ros.org/wiki/xacro" xmlns:{prefix}="http://a.b/{prefix}"'
    group = f'<{prefix}:group name="g"><{prefix}:member link="rod"/></{prefix}:group>'
    text = PENDULUM.replace('name="pendulum">', f'name="pendulum" {names}>{group}')
    assert from_urdf(write(text)) == from_urdf(write(PENDULUM))


def test_a_macro_deep_inside_is_found(write: Callable[[str], Path]) -> None:
    text = PENDULUM.replace("<inertial>", '<inertial><xacro:insert_block name="origin"/>', 1)
    with pytest.raises(RobotFileError, match="a xacro file"):
        from_urdf(write(text))


def test_rounding_of_a_moment_is_no_moment(write: Callable[[str], Path]) -> None:
    """A thin rod whose smallest moment came out of a subtraction; one that is truly negative is refused."""
    inertia = '<inertia ixx="1e-12" iyy="1e-12" izz="{}" ixy="0" ixz="0" iyz="0"/>'
    rod = '<robot name="a"><link name="b"/><link name="c"><inertial><mass value="1"/>' + inertia
    rod += '</inertial></link><joint name="j" type="continuous"><parent link="b"/><child link="c"/></joint>'
    rod += "</robot>"
    assert from_urdf(write(rod.format("-1e-20"))).links[1].inertia[2][2] == -1e-20
    with pytest.raises(RobotFileError, match="principal moments"):
        from_urdf(write(rod.format("-1e-12")))


def test_xacro_is_told(write: Callable[[str], Path]) -> None:
    text = PENDULUM.replace(
        'name="pendulum">', 'name="p" xmlns:xacro="http://ros.org/wiki/xacro"><xacro:arm/>'
    )
    with pytest.raises(RobotFileError, match="a xacro file"):
        from_urdf(write(text))


def test_text_in_the_place_of_a_file_is_told_in_a_line() -> None:
    with pytest.raises(RobotFileError, match="write the text into one") as error:
        from_urdf("\n<robot name='a'>\n" + 100 * "<link name='b'/>\n" + "</robot>")
    assert len(str(error.value)) < 200
