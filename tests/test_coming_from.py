"""The page of foreign names says what the one table of synonyms says, and a word finds the same blocks."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from blockdyn.blocks.contract.registry import library, names
from blockdyn.blocks.contract.synonyms import counterpart, normal
from blockdyn.cli import main

PAGE = Path(__file__).parents[1] / "docs" / "coming-from.md"
ROW = re.compile(r"^\| (\S+) \|.*\|$", re.MULTILINE)


def row(match: re.Match[str]) -> str:
    """A row of a table, from the foreign name in its first cell; headings stay."""
    name = match[1]
    if name == "there":
        return match[0]
    ours = {normal(kind): kind for kind in (*names(), "Subsystem")}
    if normal(name) in ours:
        return f"| {name} | {ours[normal(name)]} | |"
    entry = counterpart(name)
    assert entry is not None, f"{name} of {PAGE.name} is neither a block nor in blocks/contract/synonyms.txt"
    here, how = ("none" if entry.type == "-" else entry.type), entry.how.replace("|", "\\|")
    return f"| {name} | {here} | {how} |".replace("|  |", "| |")


def rendered(page: str) -> str:
    return ROW.sub(row, page)


def test_the_page_is_that_of_the_table() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert len(ROW.findall(page)) > 250
    assert page == rendered(page), "run: python tests/test_coming_from.py"


@pytest.mark.parametrize(
    ("word", "first"),
    [
        ("Lookup", "Lookup1D"), ("mux", "Mux"), ("From Workspace", "Table"), ("LTI_SS", "StateSpace"),
        ("pulse generator", "Pulse"), ("limiter", "RateLimiter"), ("xor", "Logic"),
        ("quadrotor", "Quadrotor"), ("edge detection", "EdgeDetector"),
        ("sampled PID", "DiscretePID"),
        ("autopilot", "blockdyn/FlightCascade"),
        ("SignalExtrema", "Statistics"),
        ("waypoints", "MinimumSnap"),
        ("LTI System", "StateSpace"), ("DC motor", "MotorVoltage"),
        ("recorded results", "Recorded"), ("if else", "If"), ("mask", "Subsystem"),
    ],
)  # fmt: skip
def test_a_word_finds_blocks_by_what_they_are_called_elsewhere(
    word: str, first: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["blocks", "--search", word, "--json"]) == 0
    hits = json.loads(capsys.readouterr().out)
    assert first in [hit["type"] for hit in hits[:3]]
    assert main(["blocks", "--search", word]) == 0
    assert first in capsys.readouterr().out


def test_what_is_not_there_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    main(["blocks", "--search", "wind"])
    found = capsys.readouterr().out
    assert 0 < found.index("WindShear") < found.index("Gust") < found.index("MotorVoltage")  # of windings
    main(["blocks", "--search", "Goto"])
    assert "signals" in capsys.readouterr().out
    main(["blocks", "--search", "banana"])
    assert "no block matches `banana`" in capsys.readouterr().out
    main(["blocks", "--json"])
    facts = json.loads(capsys.readouterr().out)
    assert {"type", "family", "title", "text"} == set(facts[0])
    assert {fact["type"] for fact in facts} >= {"Gain", "Lookup2D", "Quadrotor"}


def test_what_differs_under_the_same_name_is_of_blocks_with_such_parameters_and_ports() -> None:
    part = PAGE.read_text(encoding="utf-8").split("### What differs under the same name")[1].split("###")[0]
    items = [" ".join(item.split()) for item in part.split("\n- ")[1:]]
    assert len(items) > 15
    for item in items:
        words = re.findall(r"`([\w]+)(?:: \w+)?`", item)
        kinds = [library()[word] for word in words if word in library()]
        known = {name for kind in kinds for name in (*kind.rules(), *(port.name for port in kind.inputs))}
        assert {word for word in words if word not in library()} <= known | {"sample_time"}, item


if __name__ == "__main__":
    PAGE.write_text(rendered(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
