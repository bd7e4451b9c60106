"""The skill file is true: its loop runs by each command that it names, to the values of the closed form."""

from __future__ import annotations

import csv
import re
import shlex
from pathlib import Path

import pytest
import yaml

from tests.cli.conftest import Command


def test_the_commands_of_the_skill_file_run_on_its_loop(command: Command, folder: Path) -> None:
    text = command("mcp", "--skill").stdout
    _, heading, body = text.split("---\n", 2)
    about = yaml.safe_load(heading)
    assert (about["name"], len(about["description"]) <= 1024) == ("blockdyn", True)
    loop = re.search(r"```yaml\n(.*?)```", body, re.DOTALL)
    assert loop is not None
    (folder / "loop.yaml").write_text(loop[1] + "sweep: {axes: {gain.k: [1, 2]}}\n", encoding="utf-8")
    table = [line for line in body.splitlines() if line.startswith("| `")]
    commands = re.findall("`blockdyn ([^`]+)`", "\n".join(table))
    assert len(commands) > 10
    for each in commands:
        done = command(*shlex.split(each))
        assert done.returncode == 0, (each, done.stderr)
    with open(folder / "loop.csv", encoding="utf-8") as file:
        rows = [row for row in csv.reader(file) if row and not row[0].startswith("#")]
    end = dict(zip(rows[0], rows[-1]))
    motor = next(value for name, value in end.items() if name.startswith("motor"))
    assert float(motor) == pytest.approx(2 / 3, abs=1e-6)  # k / (1 + k) with k = 2
