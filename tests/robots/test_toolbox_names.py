"""Names of the Robotics Toolbox: errors and the manual's page are one table, and what it says exists."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

import pytest

import blockdyn as bd
from blockdyn import robots
from blockdyn.base.hints import words
from blockdyn.robots import InvalidRobot, RobotFileError, from_dh, functions
from blockdyn.robots.library.description import describe
from blockdyn.robots.library.files import parse
from blockdyn.robots.toolbox import SECTIONS, answer

KEYS = (
    "m", "r", "I", "Jm", "G", "B", "Tc", "qlim", "sigma", "jointtype", "theta_i", "d_i", "a_i", "alpha_i",
)  # fmt: skip
PAGE = Path(__file__).parents[2] / "docs" / "robotics-toolbox.md"
MODULES = (
    "blockdyn",
    *(
        f"blockdyn.robots{name}"
        for name in ("", ".functions", ".lie", ".inverse", ".trajectories", ".planning")
    ),
)


def equivalents(key: str) -> list[str]:
    """The names of a number of links in this library."""
    meanings = words("keywords")[key]
    name: str = meanings if isinstance(meanings, str) else meanings[-1]
    return name.split("+")


@pytest.mark.parametrize("section", SECTIONS)
def test_the_page_holds_the_table(section: str) -> None:
    text = PAGE.read_text(encoding="utf-8")
    page = text.split(f"## {section}\n")[1].split("\n## ")[0]
    lines = [line for line in page.splitlines() if line.startswith("| `")]
    rows: dict[str, list[str]] = {}
    for name, text in words(f"Robotics Toolbox: {section}").items():
        rows.setdefault(text, []).append(f"`{name}`")
    assert lines == [f"| {', '.join(names)} | {text} |" for text, names in rows.items()]


def test_the_page_holds_the_keys() -> None:
    page = PAGE.read_text(encoding="utf-8")
    for key in KEYS:
        assert f"| `{key}` | {', '.join(f'`{name}`' for name in equivalents(key))} |" in page


def test_what_the_table_names_exists() -> None:
    pattern = r"\b(robots|functions|lie|inverse|planning|trajectories)\.(\w+)"
    for name in (name for section in SECTIONS for name in words(f"Robotics Toolbox: {section}")):
        for module, attribute in re.findall(pattern, answer(name)):
            home = "blockdyn.robots" if module == "robots" else f"blockdyn.robots.{module}"
            assert hasattr(importlib.import_module(home), attribute), name


@pytest.mark.parametrize("module", MODULES)
@pytest.mark.parametrize(
    ("name", "ours"),
    [
        ("jacob0", "functions.jacobian(robot, q)"),
        ("jacobe", 'frame="body"'),
        ("jtraj", "trajectories.quintic"),
        ("ctraj", "trajectories.cartesian_motion"),
        ("lspb", "trajectories.trapezoidal"),
        ("tpoly", "trajectories.quintic"),
        ("mstraj", "trajectories.via_points"),
        ("ikine6s", "inverse.ikine_closed"),
        ("ikunc", "limits=False"),
        ("SerialLink", "robots.from_dh"),
        ("fkine_all", "functions.link_poses"),
        ("transl", "lie.pose"),
        ("trotx", "lie.rotx"),
        ("trplot", "lie.pose_text"),
        ("rpy2tr", "lie.rotation_rpy"),
        ("mdl_stanford", "robots.load"),
    ],
)
def test_a_name_of_the_toolbox_tells_ours(module: str, name: str, ours: str) -> None:
    with pytest.raises(AttributeError, match=re.escape(ours)):
        getattr(importlib.import_module(module), name)


def test_a_robot_tells_where_its_functions_are() -> None:
    puma = robots.load("puma560")
    for name, ours in (
        ("jacob0", "functions.jacobian"),
        ("fkine", "functions.fkine"),
        ("qlim", "robot.lower"),
        ("qn", 'robot.named["qn"]'),
        ("qz", 'robot.named["qz"]'),
    ):
        with pytest.raises(AttributeError, match=re.escape(ours)):
            getattr(puma, name)
    with pytest.raises(AttributeError, match=r"module 'blockdyn' has no attribute 'nonsense'$"):
        bd.nonsense  # type: ignore[attr-defined]  # noqa: B018


@pytest.mark.parametrize("key", KEYS)
def test_a_key_of_the_toolbox_tells_ours(key: str) -> None:
    said = "did you mean " + " and ".join(f"`{name}`" for name in equivalents(key))
    with pytest.raises(InvalidRobot, match=rf"the key `{key}`, {said}\?"):
        from_dh([{key: 1.0}])
    with pytest.raises(RobotFileError, match=rf"^arm:3:7: .*the key `{key}`, {said}\?"):
        describe(parse(f"robot: mine\ndh:\n  - {{{key}: 1}}\n".replace("- {", "-  {"), "arm"))


def test_a_joint_and_a_link_know_them_too() -> None:
    puma = robots.load("puma560")
    with pytest.raises(InvalidRobot, match="did you mean `mass`"):
        puma.with_link("link1", m=1.0)
    with pytest.raises(InvalidRobot, match="did you mean `viscous`"):
        robots.robot_from({"name": "puma560", "joints": {"joint1": {"B": 0.1}}})


def test_the_name_of_a_pose_is_no_configuration() -> None:
    zero = [0.0] * 6
    with pytest.raises(
        robots.RobotError, match=r'puma560, q: found \'qn\'\nexpected: .*robot\.named\["qn"\]'
    ):
        functions.rne("puma560", "qn", zero, zero)
    with pytest.raises(robots.RobotError, match=r"expected: shape \(6,\)"):
        functions.rne("puma560", "nowhere", zero, zero)
