"""Descriptions that are accepted with a warning: where it points, and that it comes once."""

import re
import warnings
from pathlib import Path

import numpy as np
import pytest

from blockdyn.robots import (
    InvalidRobot,
    Link,
    RobotWarning,
    from_screws,
    from_urdf,
    functions as f,
    load,
    to_screws,
)

FLAT = (0.1, 0.1, 0.5)  # no body: 0.5 > 0.1 + 0.1


def test_the_triangle_inequality_warns_at_the_callers_line() -> None:
    ur5 = load("ur5")
    with pytest.warns(RobotWarning, match="triangle inequality") as direct:
        Link("link1", 1.0, inertia=FLAT)
    with pytest.warns(RobotWarning, match="triangle inequality") as changed:
        ur5.with_link("link2", inertia=FLAT)
    assert [warning.filename for warning in (*direct, *changed)] == [__file__] * 2


def test_screws_carry_what_is_accepted() -> None:
    with pytest.warns(RobotWarning):
        robot = load("ur5").with_link("link2", inertia=FLAT)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        again = from_screws(**to_screws(robot))
    q = np.array([0.1, -0.4, 0.5, 0.3, -0.2, 0.7])
    assert np.allclose(f.rne(again, q, q, q), f.rne(robot.without_friction(), q, q, q, armature=False))


def test_two_sets_of_screws_have_to_be_the_same_axes() -> None:
    data = to_screws(load("ur5"))
    with pytest.raises(InvalidRobot, match="S and B are different axes"):
        from_screws(**{**data, "B": data.S})


def test_urdf_warns_with_file_and_line(tmp_path: Path) -> None:
    path = tmp_path / "arm.urdf"
    path.write_text(
        '<robot name="arm"><link name="ground"/>\n'
        '<joint name="hinge" type="revolute">\n'
        '<parent link="ground"/><child link="bar"/></joint>\n'
        '<link name="bar"><inertial><mass value="1"/>\n'
        '<inertia ixx="0.1" iyy="0.1" izz="0.5"/></inertial></link></robot>'
    )
    with pytest.warns(RobotWarning) as seen:
        robot = from_urdf(path)
    texts = sorted(str(warning.message) for warning in seen)
    assert re.search(r'arm\.urdf:2: <joint name="hinge"> is revolute and has no <limit>', texts[0])
    assert re.search(r"arm\.urdf:5: link `bar`: .*triangle inequality", texts[1])
    assert len(texts) == 2
    assert robot.upper.tolist() == [np.inf]


@pytest.mark.parametrize(
    ("method", "part", "key", "said"),
    [
        ("with_link", "link2", "mas", "did you mean `mass`?\nexpected: one of name, mass"),
        ("with_joint", "joint2", "viscus", "did you mean `viscous`?\nexpected: one of name, kind"),
    ],
)
def test_unknown_fields_are_named(method: str, part: str, key: str, said: str) -> None:
    place = f"puma560, {part.rstrip('2')} `{part}`: the key `{key}`, {said}"
    with pytest.raises(InvalidRobot, match=re.escape(place)):
        getattr(load("puma560"), method)(part, **{key: 5})
