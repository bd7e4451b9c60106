"""URDF: a double pendulum whose mechanics is known in closed form, and files that are broken."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from blockdyn.robots import RobotFileError, RobotWarning, from_urdf, robot_from
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


def test_a_joint_that_mimics_itself_by_others_is_refused_by_name(write: Callable[[str], Path]) -> None:
    text = PENDULUM.replace('<axis xyz="0 1 0"/>', '<axis xyz="0 1 0"/><mimic joint="shoulder"/>')
    assert from_urdf(write(text)).n == 1
    assert from_urdf(write(text), locked={"elbow": 0.0}).n == 1
    text = text.replace('<axis xyz="0 2 0"/>', '<axis xyz="0 2 0"/><mimic joint="elbow"/>')
    with pytest.raises(RobotFileError, match="joints mimic each other: shoulder -> elbow -> shoulder"):
        from_urdf(write(text))
    with pytest.raises(RobotFileError, match="no joint `elbo`, did you mean `elbow`"):
        from_urdf(write(text.replace('mimic joint="elbow"', 'mimic joint="elbo"')))


@pytest.mark.parametrize(
    ("change", "line", "message"),
    [
        (("</robot>", ""), 41, 'not XML: no element found; <robot name="pendulum"> of line 2 is still open'),
        (('<link name="world"/>', '<link name="world">'), 40, "not XML: mismatched tag"),
        (('<parent link="upper"/>', '<parent link="uper"/>'), 30, "no link `uper`, did you mean `upper`"),
        (('type="continuous"', 'type="screw"'), 29, '<joint name="elbow"> is screw'),
        (('type="continuous"', 'type="floating"'), 29, 'locked={"elbow": 0.0}'),
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
            ('<link name="hand"/>', '<link name="hand"/><link name="upper"/>'),
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


def test_all_mistakes_of_the_tree_are_reported_together(write: Callable[[str], Path]) -> None:
    text = PENDULUM.replace('<link name="hand"/>', '<link name="upper"/>').replace("world", "ground", 1)
    with pytest.raises(RobotFileError) as caught:
        from_urdf(write(text.replace('<parent link="upper"/>', '<parent link="uper"/>')))
    assert [each.line for each in caught.value.errors] == [20, 30, 37]


def test_calls_of_macros_in_an_expanded_file_are_left_out(write: Callable[[str], Path]) -> None:
    """Generated files hold calls of macros that the expansion did not have; urdfdom ignores them."""
    robot = from_urdf(write(PENDULUM))
    with pytest.warns(RobotWarning, match="xacro:grey"):
        left = from_urdf(write(PENDULUM.replace("</robot>", "<xacro:grey/></robot>")))
    assert left == robot


@pytest.mark.parametrize("prefix", ["drake", "sensor", "controller"])
def test_elements_of_other_programs_are_ignored(prefix: str, write: Callable[[str], Path]) -> None:
    """Drake's iiwa14 declares xacro and has elements of its own; they change nothing, as in pinocchio."""
    names = f'xmlns:xacro="http://www.ros.org/wiki/xacro" xmlns:{prefix}="http://a.b/{prefix}"'
    group = f'<{prefix}:group name="g"><{prefix}:member link="rod"/></{prefix}:group>'
    text = PENDULUM.replace('name="pendulum">', f'name="pendulum" {names}>{group}')
    assert from_urdf(write(text)) == from_urdf(write(PENDULUM))


def test_rounding_of_a_moment_is_no_moment(write: Callable[[str], Path]) -> None:
    """A thin rod whose smallest moment came out of a subtraction; one that is truly negative is refused."""
    inertia = '<inertia ixx="1e-12" iyy="1e-12" izz="{}" ixy="0" ixz="0" iyz="0"/>'
    rod = '<robot name="a"><link name="b"/><link name="c"><inertial><mass value="1"/>' + inertia
    rod += '</inertial></link><joint name="j" type="continuous"><parent link="b"/><child link="c"/></joint>'
    rod += "</robot>"
    assert from_urdf(write(rod.format("-1e-20"))).links[1].inertia[2][2] == -1e-20
    with pytest.raises(RobotFileError, match="principal moments"):
        from_urdf(write(rod.format("-1e-12")))


def test_text_in_the_place_of_a_file_is_told_in_a_line() -> None:
    with pytest.raises(RobotFileError, match="write the text into one") as error:
        from_urdf("\n<robot name='a'>\n" + 100 * "<link name='b'/>\n" + "</robot>")
    assert len(str(error.value)) < 200


def test_a_refusal_names_all_culprits(write: Callable[[str], Path]) -> None:
    text = PENDULUM.replace('lower="-1" upper="1.5"', 'lower="0" upper="-1"')
    text = text.replace('<mass value="2"/>', '<mass value="-2"/>').replace("continuous", "floating")
    with pytest.raises(RobotFileError) as caught:
        from_urdf(write(text))
    assert [error.line for error in caught.value.errors] == [5, 21, 29]
    assert 'limits="none"' in str(caught.value)
    with pytest.warns(RobotWarning, match="the mass is -2 kg"):
        robot = from_urdf(write(text), locked={"elbow": 0.1}, impossible="warn", limits="none")
    assert robot.link("upper").mass == -2.0
    assert robot.upper.tolist() == [np.inf]


def test_digits_of_a_file_leave_room_for_rounding(write: Callable[[str], Path]) -> None:
    """A rod along (1, 1, 0): its smallest moment is 0, and below 0 with elements rounded to 3 digits."""
    inertia = '<inertia ixx="0.{0}" iyy="0.{0}" izz="0.667" ixy="-0.334" ixz="0" iyz="0"/>'
    rod = '<robot name="a"><link name="b"/><link name="c"><inertial><mass value="1"/>' + inertia
    rod += '</inertial></link><joint name="j" type="continuous"><parent link="b"/><child link="c"/></joint>'
    rod += "</robot>"
    assert from_urdf(write(rod.format("333"))).link("c").inertia[0][1] == -0.334
    with pytest.raises(RobotFileError, match=r"(?s)principal moments.*impossible=.warn."):
        from_urdf(write(rod.format("300")))


def test_a_planar_and_a_spherical_joint_are_products(write: Callable[[str], Path], mechanics: Any) -> None:
    """T = Ty(x) Tz(y) Rx(theta) about the axis x; T = Rx(x) Ry(y) Rz(z)."""
    text = PENDULUM.replace('name="elbow" type="continuous"', 'name="elbow" type="{}"')
    text = text.replace('<axis xyz="0 1 0"/>', '<axis xyz="0 0 1"/>')
    robot = from_urdf(write(text.format("planar")))
    assert [joint.name for joint in robot.moving[1:]] == ["elbow_x", "elbow_y", "elbow_theta"]
    T = mechanics.tool(robot.with_tool([0, 0, 0], tip="lower").table(), np.array([0.0, 0.2, -0.3, 0.5]))
    c, s = np.cos(0.5), np.sin(0.5)
    np.testing.assert_allclose(T[:3], [[c, -s, 0, 0.2], [s, c, 0, -0.3], [0, 0, 1, 1]], atol=1e-14)
    robot = from_urdf(write(text.format("spherical")))
    T = mechanics.tool(robot.with_tool([0, 0, 0], tip="lower").table(), np.array([0.0, 0.0, np.pi / 2, 0.5]))
    np.testing.assert_allclose(T[:3, :3], [[0, 0, 1], [s, c, 0], [-c, s, 0]], atol=1e-14)


def test_gears_and_rotors_of_drake(write: Callable[[str], Path]) -> None:
    """Damping acts at the joint, whatever the gear; the rotor counts with the square of its ratio."""
    drive = '<drake:gear_ratio value="-100"/><drake:rotor_inertia value="2e-5"/>'
    transmission = (
        f'<transmission><joint name="shoulder"/><actuator name="m">{drive}</actuator></transmission>'
    )
    robot = from_urdf(write(PENDULUM.replace("</robot>", transmission + "</robot>")))
    assert (robot.joint("shoulder").gear, robot.joint("shoulder").motor_inertia) == (-100, 2e-5)
    row = robot.table()[0, [table.ARMATURE, table.VISCOUS, table.COULOMB_PLUS]]
    np.testing.assert_allclose(row, [0.2, 0.1, 0.2], rtol=1e-15)


def test_the_link_world_may_be_left_out(write: Callable[[str], Path]) -> None:
    plain, implicit = (
        from_urdf(write(text)) for text in (PENDULUM, PENDULUM.replace('<link name="world"/>', ""))
    )
    np.testing.assert_array_equal(plain.table(), implicit.table())
    assert plain.frames == implicit.frames
