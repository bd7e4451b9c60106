"""A package from outside adds a key to diagram files: read, checked with lines, published, written back."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import jsonschema
import pytest
from ruamel.yaml import YAML

from blockdyn.base.plugins import PluginWarning
from blockdyn.diagrams.model.errors import DiagramError
from blockdyn.diagrams.yaml import dumps, json_schema, loads, sections
from blockdyn.diagrams.yaml.errors import YamlError

PLUGIN = """\
from blockdyn.diagrams.model.section import Section
from blockdyn.diagrams.yaml.errors import YamlError
from blockdyn.diagrams.yaml.sections import FileSection

def read(node, source):
    for name, entry in node.entries["channels"].node.entries.items():
        with source.errors:
            if not 0 <= entry.node.value < 8:
                found = f"channel {entry.node.value} of `{name}`"
                raise YamlError(found, "a channel from 0 to 7", key=name, location=entry.node.at)
    return Section.of(node)

SCHEMA = {
    "type": "object",
    "description": "Channels of a board.",
    "properties": {
        "board": {"type": "string", "enum": ["dac8", "adc8"]},
        "rate": {"type": "number", "exclusiveMinimum": 0},
        "channels": {"type": "object", "additionalProperties": {"type": "integer"}},
    },
    "required": ["channels"],
    "additionalProperties": False,
}
HARDWARE = FileSection("hardware", SCHEMA, read)
"""
TEXT = """\
blockdyn: 1
name: d
blocks:
  a: {type: Constant}
"""
HARDWARE = "hardware: {board: dac8, rate: 1000, channels: {a: 3}}\n"


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of installed packages, one of which offers a section."""
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "board.py").write_text(PLUGIN)
    info = tmp_path / "board-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: board\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[blockdyn.sections]\nhardware = board:HARDWARE\n")
    sections._of_others.cache_clear()
    yield tmp_path
    sections._of_others.cache_clear()
    sys.modules.pop("board", None)


def test_a_section_is_read_with_places_and_written_back(site: Path) -> None:
    diagram = loads(TEXT + HARDWARE)
    section = diagram.sections["hardware"]
    assert section.data == {"board": "dac8", "rate": 1000, "channels": {"a": 3}}
    at = section.at("channels", "a")
    assert at is not None
    assert (at.line, at.column) == (5, HARDWARE.index("3}") + 1)
    assert dumps(diagram).endswith(HARDWARE)
    assert loads(dumps(diagram)).sections["hardware"].data == section.data
    assert loads(TEXT).sections == {}


@pytest.mark.parametrize(
    ("text", "kind", "at", "said"),
    [
        ("hardwear: {}", YamlError, (5, 1), "did you mean `hardware`"),
        ("hardware: 3", YamlError, (5, 11), "`hardware` is the number 3"),
        ("hardware: {channel: {a: 3}}", YamlError, (5, 12), "did you mean `channels`"),
        ("hardware: {board: dac9, channels: {}}", YamlError, (5, 19), "did you mean `dac8`"),
        ("hardware: {rate: 0, channels: {}}", YamlError, (5, 18), "a number greater than zero"),
        ("hardware: {channels: {a: one}}", YamlError, (5, 26), "a whole number"),
        ("hardware:\n  channels:\n    a: 9", YamlError, (7, 8), "a channel from 0 to 7"),
        ("hardware: {}", YamlError, (5, 11), "no key `channels`"),
    ],
)
def test_what_is_wrong_with_it_is_told_with_its_place(
    site: Path, text: str, kind: type[YamlError], at: tuple[int, int], said: str
) -> None:
    with pytest.raises(kind) as caught:
        loads(f"{TEXT}{text}\n")
    assert said in str(caught.value)
    assert (caught.value.line, caught.value.column) == at


def test_its_errors_are_told_with_those_of_the_diagram(site: Path) -> None:
    with pytest.raises(DiagramError) as caught:
        loads("blockdyn: 1\nblocks: {a: {type: Gian}}\nhardware: {board: x, rate: y, channels: {a: 3}}\n")
    assert [(error.line, error.column) for error in caught.value.errors] == [(2, 20), (3, 19), (3, 28)]


def test_the_published_schema_has_it(site: Path) -> None:
    validator = jsonschema.Draft202012Validator(json_schema())
    data = YAML(typ="safe", pure=True).load
    validator.validate(data(TEXT + HARDWARE))
    assert not validator.is_valid(data(TEXT + HARDWARE.replace("1000", "0")))


def test_without_the_package_the_key_is_unknown() -> None:
    with pytest.raises(YamlError, match="unknown key `hardware`"):
        loads(TEXT + HARDWARE)


def test_a_package_that_fails_is_left_out_with_a_warning(site: Path) -> None:
    (site / "board.py").write_text("HARDWARE = 3\n")
    with pytest.warns(PluginWarning, match="hardware"), pytest.raises(YamlError):
        loads(TEXT + HARDWARE)
    assert list(loads(TEXT).blocks) == ["a"]
