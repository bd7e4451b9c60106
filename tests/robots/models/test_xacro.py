"""xacro: files expanded as ROS's own program does, and files that would take too much or read too far."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from blockdyn.robots import RobotFileError, from_urdf, robot_from
from blockdyn.robots.construct.element import Element, read_root
from blockdyn.robots.construct.xacro import Expansion

NAMESPACE = 'xmlns:xacro="http://www.ros.org/wiki/xacro"'
ARM = f"""<?xml version="1.0"?>
<robot name="arm" {NAMESPACE}>
  <xacro:arg name="joints" default="2"/>
  <xacro:arg name="prefix" default=""/>
  <xacro:property name="length" value="0.5"/>
  <xacro:property name="half" value="${{length / 2}}"/>
  <xacro:property name="n" value="$(arg joints)"/>
  <xacro:include filename="parts/link.xacro"/>
  <link name="$(arg prefix)link0"/>
  <xacro:macro name="chain" params="i last">
    <xacro:if value="${{i &lt;= last}}">
      <xacro:part name="link${{i}}" mass="${{0.5 * i}}">
        <origin xyz="0 0 ${{half}}" rpy="0 0 ${{radians(90) * i}}"/>
      </xacro:part>
      <joint name="$(arg prefix)joint${{i}}" type="${{'continuous' if i % 2 else 'revolute'}}">
        <parent link="$(arg prefix)link${{i - 1}}"/><child link="$(arg prefix)link${{i}}"/>
        <origin xyz="0 0 ${{length}}"/><axis xyz="0 ${{i % 2}} ${{1 - i % 2}}"/>
        <xacro:unless value="${{i % 2 == 1}}">
          <limit lower="-1" upper="1" effort="9" velocity="2"/>
        </xacro:unless>
      </joint>
      <xacro:chain i="${{i + 1}}" last="${{last}}"/>
    </xacro:if>
  </xacro:macro>
  <xacro:chain i="1" last="${{n}}"/>
</robot>
"""
PART = f"""<robot {NAMESPACE}>
  <xacro:macro name="part" params="name mass:=1 *origin">
    <link name="$(arg prefix)${{name}}">
      <inertial><xacro:insert_block name="origin"/><mass value="${{mass}}"/>
        <inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial>
    </link>
  </xacro:macro>
</robot>
"""


@pytest.fixture
def arm(tmp_path: Path) -> Path:
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "link.xacro").write_text(PART, encoding="utf-8")
    (tmp_path / "arm.urdf.xacro").write_text(ARM, encoding="utf-8")
    return tmp_path / "arm.urdf.xacro"


def expanded(tmp_path: Path, inside: str, **options: Any) -> Element:
    path = tmp_path / "a.xacro"
    path.write_text(f'<robot name="a" {NAMESPACE}>{inside}</robot>', encoding="utf-8")
    return Expansion(path, options.get("arguments", {}), options.get("packages")).expand(read_root(path))


def text_of(element: Element) -> str:
    attributes = "".join(
        f' {key}="{value}"' for key, value in element.attributes.items() if not key.startswith("xmlns")
    )
    inside = "".join(map(text_of, element.children)) + " ".join(element.words.split())
    return f"<{element.tag}{attributes}>{inside}</{element.tag}>"


def test_a_loop_by_a_macro_makes_an_arm(arm: Path) -> None:
    robot = from_urdf(arm, arguments={"joints": 3, "prefix": "a_"})
    assert [joint.name for joint in robot.moving] == ["a_joint1", "a_joint2", "a_joint3"]
    assert [link.mass for link in robot.links] == [0.0, 0.5, 1.0, 1.5]
    assert robot.link("a_link2").com == (0.0, 0.0, 0.25)
    assert robot.upper[1] == 1.0
    assert from_urdf(arm).n == 2
    assert robot_from({"urdf": arm.name, "arguments": {"joints": 4}}, arm.parent).n == 4


CASES = {
    "arithmetic": '<a x="${2**3 + 7 // 2}" y="${pi}" z="${max(1, len(str(10.50)))}" w="${-sin(0.5)}"/>',
    "escapes": '<a x="$${b} $$(c) 5$"/>',
    "texts": "<xacro:property name='s' value='Left'/><a x='${s.lower()[0:2] + s[-1]}_${[1, 2][1]}'/>",
    "types": "<xacro:property name='a' value='007'/><xacro:property name='b' value='1_0'/>"
    "<xacro:property name='c' value='true'/><x a='${a + 1}' b='${b}' c='${c}' d='${not c}'/>",
    "quoted": "<xacro:property name='a' value=\"'12'\"/><x a='${a * 2}'/>",
    "lazy": "<xacro:property name='a' value='${b}'/><xacro:property name='b' value='1'/><x a='${a}'/>",
    "greedy": "<xacro:property name='b' value='1'/><xacro:property name='a' value='${b}' lazy_eval='false'/>"
    "<xacro:property name='b' value='2'/><x a='${a}'/>",
    "default": "<xacro:property name='a' value='1'/><xacro:property name='a' default='2'/>"
    "<xacro:property name='c' default='3'/><x a='${a}' c='${c}'/>",
    "scopes": "<xacro:macro name='m' params=''><xacro:property name='g' value='1' scope='global'/>"
    "<xacro:property name='p' value='2' scope='parent'/><xacro:property name='l' value='3'/><x l='${l}'/>"
    "</xacro:macro><xacro:property name='l' value='0'/><xacro:m/><x g='${g}' p='${p}' l='${l}'/>",
    "defaults": "<xacro:macro name='m' params=\"a b:=${a * 2} c=^|7 d:='x y'  e:=^\">"
    "<x a='${a}' b='${b}' c='${c}' d='${d}' e='${e}'/></xacro:macro><xacro:property name='e' value='5'/>"
    "<xacro:property name='a' value='9'/><xacro:m a='1'/>",
    "blocks": "<xacro:macro name='m' params='*one **many'><in><xacro:insert_block name='many'/></in>"
    "<xacro:insert_block name='one'/></xacro:macro><xacro:property name='p' value='4'/>"
    "<xacro:m><a x='${p}'/><b><c/><d/></b></xacro:m>",
    "property block": "<xacro:property name='b'><c x='${1 + 1}'/><d/></xacro:property>"
    "<xacro:insert_block name='b'/>",
    "conditions": "<xacro:if value='0'><a/></xacro:if><xacro:unless value='false'><b/></xacro:unless>"
    "<xacro:if value='${3 in [1, 3] and None is None}'><c/></xacro:if>",
    "elements": "<xacro:element xacro:name='n${1}' y='2'><xacro:attribute name='x' value='${3}'/>"
    "</xacro:element>",
    "call": "<xacro:macro name='m1' params='a'><x a='${a}'/></xacro:macro><xacro:call macro='m${1}' a='2'/>",
    "local macro": "<xacro:macro name='o' params=''><xacro:macro name='i' params=''><x/></xacro:macro>"
    "<xacro:i/></xacro:macro><xacro:o/>",
    "dictionary": "<xacro:property name='d' value='${dict(a=1, b=[2, dict(c=3)])}'/>"
    '<x a=\'${d["a"]}\' c=\'${d["b"][1]["c"]}\'/>',
    "lists": "<x a='${[2 * i for i in range(4) if i != 2]}' b='${python.sum([1, 2])}'/>",
    "yaml": "<xacro:property name='y' value=\"${xacro.load_yaml('values.yaml')}\"/>"
    "<x a='${y.angle}' b=\"${y['list'][1]}\" c='${y.y}'/>",
    "text": "<x>a ${1 + 1} <b/></x>",
    "argument": "<xacro:arg name='a' default='${1 + 1}'/>"
    "<x a='$(arg a)' b=\"${xacro.arg('a')}\" c='$(eval 2 * a)'/>",
    "namespace": "<xacro:include filename='inc.xacro' ns='s'/><x v='${s.v}'/><xacro:s.m/>",
}


@pytest.mark.parametrize("case", CASES)
def test_ros_makes_the_same_of_it(case: str, tmp_path: Path) -> None:
    ros: Any = pytest.importorskip("xacro")
    (tmp_path / "values.yaml").write_text("angle: !degrees 90\nlist: [1, 2.5]\ny: 3\n", encoding="utf-8")
    inside = "<xacro:property name='v' value='6'/><xacro:macro name='m'><z/></xacro:macro>"
    (tmp_path / "inc.xacro").write_text(f"<robot {NAMESPACE}>{inside}</robot>", encoding="utf-8")
    ours = expanded(tmp_path, CASES[case])

    def text(node: Any) -> str:
        attributes = "".join(
            f' {key}="{value}"' for key, value in node.attributes.items() if not key.startswith("xmlns")
        )
        inside = "".join(text(child) for child in node.childNodes if child.nodeType == 1)
        words = " ".join("".join(child.data for child in node.childNodes if child.nodeType == 3).split())
        return f"<{node.tagName}{attributes}>{inside}{words}</{node.tagName}>"

    assert text_of(ours) == text(ros.process_file(str(tmp_path / "a.xacro")).documentElement)


def test_numbers_written_out(tmp_path: Path) -> None:
    """The same facts without ROS's program: 2^3 + 7 // 2 = 11."""
    assert "x='11'" in text_of(expanded(tmp_path, CASES["arithmetic"])).replace('"', "'")
    assert text_of(expanded(tmp_path, CASES["scopes"])).endswith('<x g="1" p="2" l="0"></x></robot>')
    assert '<x a="1" b="18" c="7" d="x y" e="5">' in text_of(expanded(tmp_path, CASES["defaults"]))
    assert '<in><c></c><d></d></in><a x="4"></a>' in text_of(expanded(tmp_path, CASES["blocks"]))


def test_packages_are_folders_that_are_given_or_around_the_file(tmp_path: Path) -> None:
    folder = tmp_path / "arm_description" / "urdf"
    folder.mkdir(parents=True)
    (folder / "part.xacro").write_text(f"<robot {NAMESPACE}><link name='l'/></robot>", encoding="utf-8")
    for name in ("$(find arm_description)/urdf/part.xacro", "package://arm_description/urdf/part.xacro"):
        inside = f'<xacro:include filename="{name}"/>'
        for packages in ({"arm_description": folder.parent}, tmp_path):
            assert expanded(tmp_path, inside, packages=packages).children[0].attributes == {"name": "l"}
        assert expanded(folder, inside).children[0].attributes == {"name": "l"}
        with pytest.raises(RobotFileError, match=r"the package `arm_description` is not found"):
            expanded(tmp_path, inside)


def test_the_environment_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROBOT", "secret")
    with pytest.raises(
        RobotFileError, match=r'\$\(env ROBOT\) has no value\nexpected: arguments={"ROBOT": ...}'
    ):
        expanded(tmp_path, '<a x="$(env ROBOT)"/>')
    made = expanded(tmp_path, '<a x="$(env ROBOT) $(optenv OTHER 5)"/>', arguments={"ROBOT": "r2"})
    assert made.children[0].attributes == {"x": "r2 5"}


@pytest.mark.parametrize(
    ("inside", "message"),
    [
        ('<a x="${lenght}"/><xacro:property name="length" value="1"/>', "there is no `lenght`"),
        ('<xacro:arm/>', "there is no macro `arm`"),
        ('<xacro:macro name="m" params="a"><b/></xacro:macro><xacro:m/>', '<xacro:m> has no a'),
        ('<xacro:macro name="m" params=""/><xacro:m a="1"/>', "no parameter `a`"),
        ('<xacro:macro name="m" params=""/><xacro:m><b/></xacro:m>', "a block too many"),
        ('<xacro:macro name="m" params="*b"/><xacro:m/>', "no block for"),
        ('<xacro:insert_block name="b"/>', "there is no block `b`"),
        ('<xacro:if value="${2"><a/></xacro:if>', "does not end"),
        ('<xacro:if value="perhaps"><a/></xacro:if>', "'perhaps'"),
        ('<xacro:property name="a" value="${a}"/><x a="${a}"/>', "depend on each other: a -> a"),
        ('<xacro:macro name="m" params=""><xacro:m/></xacro:macro><xacro:m/>', "more than 300 levels"),
        ('<xacro:include filename="a.xacro"/>', "more than 300 levels"),
        ('<xacro:include filename="nowhere.xacro"/>', "cannot read it"),
        ('<x a="${2 ** 10 ** 9}"/>', "too large"),
        ('<x a="${[0] * 10 ** 9}"/>', "too long"),
        ('''<x a="${'%1000000000d' % 1}"/>''', "too wide"),
        ('<xacro:property name="f" value="{:>1000000000}"/><x a="${f.format(1)}"/>', "is not read"),
        ('<xacro:property name="f" value="{0.__class__}"/><x a="${f.format(1)}"/>', "is not read"),
        ('''<x a="${('a' * 90000).replace('a', 'b' * 90000)}"/>''', "too long"),
        ('<x a="${().__class__}"/>', "there is no `.__class__`"),
        ('''<x a="${open('a')}"/>''', "there is no `open`"),
        ('''<x a="${__import__('os')}"/>''', "there is no `__import__`"),
        ('<x a="${(lambda: 1)()}"/>', "is not read"),
        ('''<x a="${xacro.load_yaml('/dev/zero')}"/>''', "not a regular file"),
    ],
)  # fmt: skip
def test_mistakes_and_excesses_are_refused(inside: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(RobotFileError, match=r"a\.xacro:1: ") as caught:
        expanded(tmp_path, inside)
    assert message in str(caught.value)


def test_growth_is_bounded(tmp_path: Path) -> None:
    """Ten elements for each of ten, nine times over; a text that doubles sixty times; aliases of aliases."""
    macros = "".join(
        f'<xacro:macro name="m{i}" params="">{f"<xacro:m{i + 1}/>" * 10 if i < 9 else "<a/>"}</xacro:macro>'
        for i in range(10)
    )
    with pytest.raises(RobotFileError, match="more than 100000 elements"):
        expanded(tmp_path, macros + "<xacro:m0/>")
    doubling = "".join(f'<xacro:property name="p{i + 1}" value="${{p{i}}}${{p{i}}}"/>' for i in range(60))
    with pytest.raises(RobotFileError, match="too long"):
        expanded(tmp_path, f'<xacro:property name="p0" value="xy"/>{doubling}<x a="${{p60}}"/>')
    lines = ["a0: &a0 [1, 2]", *(f"a{i + 1}: &a{i + 1} [{', '.join([f'*a{i}'] * 9)}]" for i in range(12))]
    (tmp_path / "bomb.yaml").write_text("\n".join(lines), encoding="utf-8")
    with pytest.raises(RobotFileError, match="more than 200000 values"):
        expanded(tmp_path, """<x a="${xacro.load_yaml('bomb.yaml')}"/>""")
    (tmp_path / "b.xacro").write_text('<!DOCTYPE a [<!ENTITY b "c">]><a/>', encoding="utf-8")
    with pytest.raises(RobotFileError, match="a DOCTYPE"):
        expanded(tmp_path, '<xacro:include filename="b.xacro"/>')
