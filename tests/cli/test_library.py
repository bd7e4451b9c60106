"""`blockdyn blocks`, `schema`, `version`: what this installation offers."""

from __future__ import annotations

import json
from argparse import Namespace
from typing import Any

import pytest

import blockdyn as bd
from blockdyn.blocks.registry import library, names
from blockdyn.cli.blocks import blocks


def test_every_type_is_listed_once(command: Any) -> None:
    done = command("blocks")
    listed = [line.split()[0] for line in done.stdout.splitlines() if line.startswith("  ")]
    assert sorted(listed) == sorted(names())


@pytest.mark.parametrize("name", sorted(library()))
def test_every_type_can_be_explained(capsys: pytest.CaptureFixture[str], name: str) -> None:
    assert blocks(Namespace(name=name)) == 0
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
