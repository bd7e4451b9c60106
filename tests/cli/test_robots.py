"""`blockdyn robots`: the library listed and searched, one robot shown and drawn."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from blockdyn.cli import main
from blockdyn.robots.library.catalogue import catalogue

Call = Callable[..., "Done"]


class Done(NamedTuple):
    status: int
    out: str
    err: str


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str]) -> Call:
    """`blockdyn ARGUMENTS` in this process."""

    def call(*arguments: str) -> Done:
        try:
            status = main(arguments)
        except SystemExit as end:
            status = int(end.code or 0)
        return Done(status, *capsys.readouterr())

    return call


def listed(text: str) -> list[str]:
    return [line.split()[0] for line in text.splitlines() if line.startswith("  ")]


def test_every_robot_is_listed_once(command: Any) -> None:
    done = command("robots")
    assert done.returncode == 0
    assert sorted(listed(done.stdout)) == sorted(catalogue())


def test_words_search_structure_name_maker_and_data(call: Call) -> None:
    assert listed(call("robots", "6R", "dynamics").out) == ["puma560", "puma560akb", "ur10", "ur3", "ur5"]
    assert set(listed(call("robots", "kinova").out)) == {"jaco", "mico"}
    assert set(listed(call("robots", "friction").out)) == {"p8", "puma560"}
    assert "puma560akb" in listed(call("robots", "mdh").out)


def test_one_robot_with_parameters_and_poses(call: Call) -> None:
    lines = [line.split() for line in call("robots", "puma560").out.splitlines()]
    assert ["joint3", "revolute", "q3", "0.15005", "0.0203", "-90", "-225", "..", "45", "deg"] in lines
    assert any(line[:2] == ["link2", "17.4"] for line in lines)
    assert any(line[:2] == ["joint1", "-62.6111"] for line in lines)
    assert ["qn", "0,", "45,", "180,", "0,", "45,", "0"] in lines
    assert any(line[:6] == ["workspace", "of", "the", "tool:", "reach", "0.877"] for line in lines)


@pytest.mark.parametrize("name", sorted(catalogue()))
def test_every_robot_can_be_shown(call: Call, name: str) -> None:
    done = call("robots", name)
    assert done.status == 0
    assert done.out.startswith(f"{name}: ")
    assert "Denavit-Hartenberg parameters" in done.out or "Joints, in their parent frames" in done.out


def test_json_holds_the_numbers(call: Call) -> None:
    facts = json.loads(call("robots", "ur5", "--json").out)
    assert [link["mass"] for link in facts["links"]] == [3.7, 8.393, 2.33, 1.219, 1.219, 0.1897]
    assert facts["poses"]["qr"][4] == pytest.approx(1.5707963)
    assert [robot["name"] for robot in json.loads(call("robots", "scara", "--json").out)] == ["cobra600"]


@pytest.mark.parametrize("suffix", ["png", "pdf", "svg"])
def test_a_picture_in_a_named_pose(call: Call, tmp_path: Path, suffix: str) -> None:
    file = tmp_path / f"arm.{suffix}"
    done = call("robots", "stanford", "--plot", str(file), "--pose", "qz")
    assert (done.status, done.err) == (0, "")
    assert f"picture in pose qz: {file}" in done.out
    assert file.stat().st_size > 5000


def test_a_file_of_ones_own(call: Call, tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text("robot: mine\ndh:\n  - {a: 1, mass: -1}\n", encoding="utf-8")
    done = call("robots", str(file))
    assert done.status == 2
    assert done.err.startswith(f"{file}:3:12: link `link1`: the mass is -1 kg\nexpected: at least 0 kg")
    file.write_text("robot: mine\ndh:\n  - {a: 1, mass: 1}\n", encoding="utf-8")
    assert call("robots", str(file)).out.startswith("mine: robot, 1R\n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("ur5", "spong"), "no robot matches `ur5` and `spong` together (1 with `ur5`, none with `spong`)"),
        (("pumma560",), "there is no robot `pumma560`, did you mean `puma560`?"),
        (("puma560", "--pose", "qready"), "puma560 has no pose `qready`"),
        (("puma560", "--pose", "1,2,3"), "or 6 numbers with commas"),
        (("puma560", "--plot", "arm.bmp"), "is not a known image format"),
        (("6R", "--plot", "arm.png"), "--plot: `6R` is not the name of a robot"),
        (("nowhere.urdf",), "nowhere.urdf: cannot read it"),
        (("puma560", "--plt", "arm.png"), "unknown option `--plt`, did you mean `--plot`?"),
    ],
)
def test_mistakes_are_told(call: Call, arguments: tuple[str, ...], message: str) -> None:
    done = call("robots", *arguments)
    assert done.status == 2
    assert message in done.err
