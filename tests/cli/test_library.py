"""`blockdyn blocks`, `schema`, `version`: what this installation offers."""

from __future__ import annotations

import json
import os
from argparse import Namespace
from pathlib import Path
from typing import Any

import pytest

import blockdyn as bd
from blockdyn.blocks.contract.registry import block_type, families, library, names, type_name
from blockdyn.cli.blocks import blocks
from blockdyn.diagrams.yaml.finding import packaged

# the types that converted diagrams alone have
CONVERTED = [type_name(kind) for each in families() if each.package == "blockdyn" for kind in each.types]


def test_every_type_is_listed_once(command: Any) -> None:
    done = command("blocks")
    listed = [line.split()[0] for line in done.stdout.splitlines() if line.startswith("  ")]
    own = {"Subsystem", *packaged()}
    types = [block_type(name) for name in listed if name not in own]
    assert own <= set(listed)
    everything = {block_type(name) for name in names()}
    assert len(types) == len({*types})
    assert everything - {*types} == {block_type(name) for name in CONVERTED}


@pytest.mark.parametrize("name", CONVERTED)
def test_a_type_of_converted_diagrams_is_explained_and_not_found(command: Any, name: str) -> None:
    assert command("blocks", name).stdout.startswith(f"{name}: ")
    assert name not in command("blocks", "--search", name.removeprefix("blockdyn:")).stdout


@pytest.mark.parametrize("name", sorted([*library(), "Subsystem"]))
def test_every_type_can_be_explained(capsys: pytest.CaptureFixture[str], name: str) -> None:
    assert blocks(Namespace(name=name, search=None, json=False)) == 0
    text = capsys.readouterr().out
    assert text.startswith(f"{name}: ")
    assert "\nExample\n" in text


def test_one_type_with_equation_ports_parameters_and_example(command: Any) -> None:
    text = command("blocks", "PID").stdout
    assert "di/dt = ki u" in text
    lines = [line.split() for line in text.splitlines()]
    assert ["n", "100", "rad/s", ">", "0"] in [line[:5] for line in lines]
    assert any(line[:2] == ["anti_windup", "back-calculation"] for line in lines)
    assert "{type: PID," in text


@pytest.mark.parametrize(
    ("name", "port", "condition"),
    [
        ("Integrator", "trigger", "with reset: rising or falling or either"),
        ("Integrator", "value", "with reset: rising or falling or either"),
        ("FKine", "poses", "with link_poses: true"),
        ("IKine", "near", "with follow: true"),
        ("Integrator", "lower_limit", "with limit_inputs: true"),
        ("ExtendedKalmanFilter", "u", "with inputs_count: 1 or more"),
        ("ConstrainedFDyn", "Je", "with count: 1 or more"),
        ("SphericalImageJacobian", "distances", "with distance: none"),
    ],
)
def test_ports_that_an_option_brings_are_shown_with_it(
    capsys: pytest.CaptureFixture[str], name: str, port: str, condition: str
) -> None:
    blocks(Namespace(name=name, search=None, json=False))
    ports = capsys.readouterr().out.partition("\nParameters\n")[0].splitlines()
    assert [condition in line for line in ports if line.split()[:1] == [port]] == [True]


def test_the_schema_knows_every_type(command: Any) -> None:
    schema = json.loads(command("schema").stdout)
    assert schema["$schema"].startswith("https://json-schema.org/")
    assert {f"block.{name}" for name in library()} <= set(schema["$defs"])


@pytest.mark.parametrize("arguments", [("version",), ("--version",)])
def test_versions_in_one_line(command: Any, arguments: tuple[str, ...]) -> None:
    done = command(*arguments)
    assert done.returncode == 0
    assert done.stdout.startswith(f"blockdyn {bd.__version__} (Python 3.")
    assert done.stdout.count("\n") == 1


def test_without_a_command_there_is_help(command: Any) -> None:
    done = command()
    assert done.returncode == 0
    assert all(name in done.stdout for name in ("run", "check", "blocks", "gallery", "schema", "precompile"))


def test_a_subsystem_is_listed_among_the_blocks_and_its_example_runs(command: Any, folder: Path) -> None:
    assert "Subsystem  " in command("blocks").stdout
    text = command("blocks", "Subsystem").stdout
    rows = [line.split() for line in text.splitlines()]
    assert {"diagram", "file", "parameters"} <= {row[0] for row in rows if row}
    assert "Inport" in text
    assert "Outport" in text
    example = text.partition("\nExample\n")[2]
    (folder / "motor.yaml").write_text(
        f"blockdyn: 1\nblocks:\n  one: {{type: Constant}}\n{example}wires: [one -> motor]\n"
        "log: [motor]\nsimulate: {stop: 1}\n"
    )
    assert command("run", "motor.yaml").returncode == 0
    assert "did you mean `Subsystem`" in command("blocks", "Subsytem").stderr


def test_a_broken_package_is_told_in_one_line_of_its_own(process: Any, folder: Path) -> None:
    info = folder / "site" / "broken_blocks-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: broken-blocks\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[blockdyn.blocks]\nall = broken\n")
    path = os.pathsep.join(filter(None, [str(folder / "site"), os.environ.get("PYTHONPATH")]))
    done = process("blocks", PYTHONPATH=path)
    assert done.returncode == 0
    assert done.stderr.startswith("the blocks of package broken-blocks cannot be used")
    assert done.stderr.count("broken-blocks") == 1
    assert "return _plugins()" not in done.stderr
