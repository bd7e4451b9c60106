"""Text of an untrusted file is shown with escapes in Python too: errors, warnings, all that prints."""

from __future__ import annotations

import json
import re
import traceback
import warnings
from pathlib import Path
from typing import Any

import pytest

import blockdyn as bd
from blockdyn import robots
from blockdyn.base.errors import BlockdynError, PrintableText

HOSTILE = "\x1b]0;owned\x07\x1b[31m\x9b2J\x7f\u202ereversed\u2066<b>\r\x08"
# ECMA-48: C0 but line feed and tab, DEL, C1; Unicode UAX #9: embeddings, overrides, isolates, marks
STEERING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\u2028\u2029]")
TEXT = """\
blockdyn: 1
name: EVIL
doc: EVIL
blocks:
  one: {type: Constant, unit: m}
  g: {type: Gain}
  x: {type: Integrator}
  shown: {type: Scope, title: EVIL, labels: [EVIL]}
  inner:
    type: Subsystem
    diagram:
      name: EVIL
      blocks: {u: {type: Inport, unit: m}, y: {type: Outport}}
      wires: [u -> y]
wires: [one -> g -> x, one -> inner -> shown]
simulate: {stop: 1}
sweep:
  number: 3
  axes: {g.k: {uniform: {low: 1, high: 2}}}
  measures: {last: {final: x}}
"""
ROBOT = """\
robot: EVIL
title: EVIL
source: EVIL
notes: EVIL
dh: [{a: 1}]
"""


def file(folder: Path, text: str) -> Path:
    path = folder / "d.yaml"
    path.write_text(text.replace("EVIL", json.dumps(HOSTILE).replace("\x7f", "\\u007f")))
    return path


def faces(value: Any) -> list[str]:
    """Everything that a prompt, print or a notebook shows of a value."""
    return [str(value), repr(value), *([value._repr_html_()] if hasattr(value, "_repr_html_") else [])]


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    path = file(tmp_path_factory.mktemp("shown"), TEXT)
    diagram = bd.load(path)
    result = diagram.simulate()
    sweep = bd.load_sweep(path)
    ensemble = sweep.run(progress=False)
    return {
        "diagram": diagram,
        "handle": diagram["inner"],
        "port": diagram["inner"]["u"],
        "subsystem": diagram["inner"].block,
        "scope": diagram["shown"].block,
        "result": result,
        "trace": result.trace("one"),
        "xarray": result["one"],
        "dataset": result.to_dataset(),
        "provenance": result.provenance,
        "sweep": sweep,
        "ensemble": ensemble,
        "summary": ensemble.summary(),
    }


@pytest.mark.parametrize(
    "kind",
    ["diagram", "handle", "port", "subsystem", "scope", "result", "trace", "xarray", "dataset", "provenance",
     "sweep", "ensemble", "summary"],
)  # fmt: skip
def test_what_is_printed_of_a_diagram_and_its_results(shown: dict[str, Any], kind: str) -> None:
    for text in faces(shown[kind]):
        assert STEERING.findall(text) == []


def test_names_are_still_there_with_escapes(shown: dict[str, Any]) -> None:
    escaped = r"\u001b]0;owned\u0007\u001b[31m\u009b2J\u007f\u202ereversed\u2066<b>"
    assert f"<Diagram {escaped}" in repr(shown["diagram"])
    assert escaped in str(shown["result"])
    assert shown["diagram"].name == HOSTILE  # the value itself is what the file says


def test_a_unit_with_control_characters_is_refused_in_plain_characters(tmp_path: Path) -> None:
    with pytest.raises(BlockdynError, match="owned") as refused:
        bd.load(file(tmp_path, TEXT.replace("unit: m", "unit: EVIL"))).simulate()
    assert STEERING.findall(str(refused.value)) == []


def test_what_is_printed_of_a_robot(tmp_path: Path) -> None:
    robot = robots.from_file(file(tmp_path, ROBOT))
    for value in (robot, robot.joints[0], robot.links[0], robot.dh()):
        for text in faces(value):
            assert STEERING.findall(text) == []
    assert str(robot).count("owned") == 4
    assert "<b>" not in robot._repr_html_()


@pytest.mark.parametrize(
    "text",
    [
        "blockdyn: 1\nblocks: {a: {type: EVIL}}",
        "blockdyn: 1\nblocks: {EVIL: {type: Gain}}",
        "blockdyn: 1\nblocks: {g: {type: Gain, EVIL: 1}}",
        "blockdyn: 1\nEVIL: 1\nblocks: {g: {type: EVIL}}",
        "blockdyn: 1\nblocks: {g: {type: Clock}}\nwires: [EVIL]",
        "blockdyn: 1\nblocks: {k: {type: Constant, value: 0}, a: {type: Assert, message: EVIL}}"
        "\nwires: [k -> a]\nsimulate: {stop: 1}",
    ],
)
def test_an_error_and_its_traceback(text: str, tmp_path: Path) -> None:
    with pytest.raises(BlockdynError) as caught:
        bd.load(file(tmp_path, text)).simulate()
    error = caught.value
    shown = [*faces(error), *traceback.format_exception(error), *error._render_traceback_()]
    assert STEERING.findall("".join(shown)) == []
    assert "owned" in str(error)
    assert "\n" in str(error) or "expected" not in str(error)  # the lines of our own stay


def test_the_name_of_a_file_in_an_error(tmp_path: Path) -> None:
    path = tmp_path / "a\x1b[2J\u202eb.yaml"
    path.write_text(
        "blockdyn: 1\nblocks: {k: {type: Constant, value: 0}, a: {type: Assert}}\nwires: [k -> a]"
    )
    with pytest.raises(BlockdynError) as caught:
        bd.load(path).simulate(stop=1)
    assert STEERING.findall(str(caught.value)) == []
    assert r"a\u001b[2J\u202eb.yaml" in str(caught.value)


def subclasses(kind: type) -> list[type]:
    return [kind, *(each for sub in kind.__subclasses__() for each in subclasses(sub))]


def test_no_error_has_a_text_that_goes_around_the_rule() -> None:
    own = [kind for kind in subclasses(PrintableText) if kind.__module__.startswith("blockdyn.")]
    assert len(own) > 50
    assert [kind for kind in own if kind.__str__ is not PrintableText.__str__] == []


def test_a_warning() -> None:
    with warnings.catch_warnings(record=True) as met:
        warnings.simplefilter("always")
        warnings.warn(f"{HOSTILE} has no mass", robots.RobotWarning, stacklevel=1)
    assert STEERING.findall(str(met[0].message)) == []
