"""Text of an untrusted file cannot steer the terminal, nor the page of a report: it is shown with escapes."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from blockdyn.cli.command import main

HOSTILE = "\x1b]0;owned\x07\x1b[2J\x9b31m\u202ereversed\u2066<script>alert(1)</script>\r\x08"
# ECMA-48: C0 but line feed and tab, DEL, C1; Unicode UAX #9: embeddings, overrides, isolates, marks
STEERING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\u2028\u2029]")


def quoted(text: str) -> str:
    return json.dumps(text).replace("\x7f", "\\u007f")


def write(folder: Path, text: str, name: str = "d.yaml") -> str:
    path = folder / name
    path.write_text(text.replace("EVIL", quoted(HOSTILE)))
    return str(path)


SOUND = """\
blockdyn: 1
name: EVIL
doc: EVIL
blocks:
  one: {type: Constant}
  x: {type: Integrator}
  shown: {type: Scope, title: EVIL, labels: [EVIL]}
  kept: {type: Record, name: EVIL}
  port:
    type: Subsystem
    diagram:
      name: EVIL
      blocks: {u: {type: Inport, unit: EVIL}, y: {type: Outport, unit: EVIL}}
      wires: [u -> y]
wires:
  - one -> x -> [port, kept]
  - port -> shown
simulate: {stop: 1}
"""
WRONG = [
    "EVIL: 1",
    "blockdyn: 1\nname: [EVIL]",
    "blockdyn: 1\nEVIL: 1",
    "blockdyn: EVIL",
    "blockdyn: 1\nblocks: {EVIL: {type: Gain}}",
    "blockdyn: 1\nblocks: {g: {type: EVIL}}",
    "blockdyn: 1\nblocks: {g: {type: Gain, EVIL: 1}}",
    "blockdyn: 1\nblocks: {g: {type: Gain, k: EVIL}}",
    "blockdyn: 1\nblocks: {g: {type: Sum, signs: EVIL}}",
    "blockdyn: 1\nblocks: {g: EVIL}",
    "blockdyn: 1\nblocks: {g: {type: Expression, formula: EVIL}}",
    "blockdyn: 1\nblocks: {g: {type: FKine, robot: EVIL}}",
    "blockdyn: 1\nblocks: {g: {type: Subsystem, file: EVIL}}",
    "blockdyn: 1\nblocks: {g: {type: Function, function: EVIL}}",
    "blockdyn: 1\nblocks: {g: {type: Clock}}\nwires: [EVIL]",
    "blockdyn: 1\nblocks: {g: {type: Clock}}\nlog: [EVIL]",
    "blockdyn: 1\nblocks: {g: {type: Clock}}\nwires: [{from: EVIL, to: g}]",
    "blockdyn: 1\nblocks: {g: {type: Clock}}\nsignals: {EVIL: g}",
    "blockdyn: 1\nparameters: {EVIL: 1}",
    "blockdyn: 1\nparameters: {k: EVIL}",
    "blockdyn: 1\nblocks: {g: {type: Clock}}\nsimulate: {stop: 1, method: EVIL}",
]


def told(capfd: pytest.CaptureFixture[str], *argv: str) -> str:
    main([*argv])
    out, err = capfd.readouterr()
    return out + err


@pytest.mark.parametrize("command", [["check"], ["run"], ["check", "--json"], ["run", "--json"]])
def test_names_titles_and_units_of_a_sound_diagram(
    command: list[str], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    text = told(capfd, command[0], write(tmp_path, SOUND), *command[1:])
    assert "owned" in text
    assert STEERING.findall(text) == []


@pytest.mark.parametrize("number", range(len(WRONG)))
def test_what_an_error_quotes(number: int, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    text = told(capfd, "check", write(tmp_path, WRONG[number]))
    assert text
    assert STEERING.findall(text) == []


def test_the_name_of_a_file(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    for command in (["check"], ["run"], ["robots"], ["animate"], ["sweep"], ["blocks"], ["gallery"]):
        text = told(capfd, *command, str(tmp_path / "a\x1b[2J\u202eb.yaml"))
        assert text
        assert STEERING.findall(text) == []


def test_a_name_with_a_line_feed_writes_no_line_of_its_own(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    fake = "d\nthe file is signed and safe"
    text = f"blockdyn: 1\nname: {quoted(fake)}\nblocks: {{c: {{type: Clock}}}}\nsimulate: {{stop: 1}}\n"
    (tmp_path / "d.yaml").write_text(text)
    for command in ("check", "run"):
        assert "\nthe file" not in told(capfd, command, str(tmp_path / "d.yaml"))
    (tmp_path / "e.yaml").write_text(f"blockdyn: 1\n{quoted(fake)}: 1\n")
    assert "\nthe file" not in told(capfd, "check", str(tmp_path / "e.yaml"))


def test_the_robot_of_a_file(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    text = told(capfd, "robots", write(tmp_path, "blockdyn_robot: 1\nname: EVIL\ndoc: EVIL\n"))
    assert text
    assert STEERING.findall(text) == []


def test_the_page_of_a_report(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    text = (
        "blockdyn: 1\nname: EVIL\nblocks:\n  one: {type: Constant}\n  g: {type: Gain}\n"
        "  x: {type: Integrator}\nwires: [one -> g -> x]\nsimulate: {stop: 1}\n"
        "sweep:\n  number: 3\n  axes: {g.k: {uniform: {low: 1, high: 2}}}\n"
        "  measures: {last: {final: x}}\n"
    )
    page = tmp_path / "page.html"
    shown = told(capfd, "sweep", write(tmp_path, text), "--report", str(page))
    assert STEERING.findall(shown) == []
    assert "owned" in page.read_text()
    assert "<script>alert(1)" not in page.read_text()
    assert STEERING.findall(page.read_text()) == []


@pytest.mark.parametrize(
    "arguments",
    [
        ["EVIL"],
        ["run", "d.yaml", "--EVIL"],
        ["run", "d.yaml", "--stop", "EVIL"],
        ["run", "d.yaml", "--trust", "EVIL"],
        ["blocks", "Gain", "EVIL"],
    ],
)
def test_an_argument_that_is_refused(arguments: list[str], capfd: pytest.CaptureFixture[str]) -> None:
    steering = "\x1b[2J\x1b]0;owned\x07\u202e"
    with pytest.raises(SystemExit):
        main([text.replace("EVIL", steering) for text in arguments])
    out, err = capfd.readouterr()
    assert "owned" in err
    assert STEERING.findall(out + err) == []
