"""The JSON Schema says what the reader does: it takes what loads, and rejects what does not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import jsonschema
import pytest
from ruamel.yaml import YAML

import blockdyn
from blockdyn.blocks.contract.registry import library
from blockdyn.cli.specimen import SAMPLES
from blockdyn.diagrams.model.errors import DiagramError
from blockdyn.diagrams.yaml import json_schema, loads

HEAD = "blockdyn: 1\nblocks:\n  a: {type: Constant}\n  z: {type: ZeroOrderHold, sample_time: =0.1}\n"
WRONG = [
    "wire: []", "log: a", "log: [3]", "simulate: {stopp: 1}", "simulate: {rtol: -1}",
    "simulate: {stop: ten}",
    "wires: [a > z]", "wires: [3]", "wires: [{from: a}]", "signals: [a]", "parameters: {k: text}",
    "  b: {type: Gian}", "  b: {k: 2}", "  b: Gain", "  b: {type: Gain, gain: 2}",
    "  b: {type: Gain, k: two}",
    "  b: {type: ZeroOrderHold}", "  b: {type: ZeroOrderHold, sample_time: 0}", "  b: {type: Sum, signs: 3}",
    "  b: {type: ZeroOrderHold, sample_time: [1]}", "  b: {type: Integrator, reset: rise}",
    "sweep: [a.value]", "sweep: {nmber: 4}", "sweep: {number: 0}", "sweep: {number: 1.5}",
    "sweep: {sampling: sobl}", "sweep: {axes: {a.value: {normall: {mean: 0}}}}", "sweep: {chunk: none}",
    "sweep: {axes: {a.value: {normal: {mean: 0, sdd: 1}}}}", "sweep: {zip: [a.value]}",
    "sweep: {keep: {every: 0}}", "sweep: {keep: {signal: [a]}}", "sweep: {measures: [a]}",
    "  b: {type: Subsystem, diagramm: {}}", "  b: {type: Subsystem, diagram: {block: {}}}",
]  # fmt: skip


@pytest.fixture(scope="module")
def validator() -> Any:
    schema = json_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def data(text: str) -> Any:
    return YAML(typ="safe", pure=True).load(text)


@pytest.mark.parametrize("extra", WRONG)
def test_schema_and_reader_reject_the_same(extra: str, validator: Any) -> None:
    text = f"{HEAD}{extra}\n"
    assert not validator.is_valid(data(text))
    with pytest.raises(DiagramError):
        loads(text)


def test_schema_takes_every_form_of_an_axis(validator: Any) -> None:
    page = (Path(__file__).parents[2] / "docs" / "declaring-sweeps.md").read_text(encoding="utf-8")
    validator.validate(data(page.partition("```yaml\n")[2].partition("```")[0]))
    axes = """
sweep:
  number: 4
  axes:
    a: [1, two, [3, 4], {name: puma560}]
    b: {values: [1, 2]}
    c: {linspace: [0, 1, 3]}
    d: {logspace: [1, 10, 3], paths: [a.value]}
    e: {count: 4}
    f: {truncated: {mean: 0, sd: 1, low: -1, high: 1}}
    g: {gaussian: {mean: [0, 0], covariance: [[1, 0], [0, 1]]}, paths: [h, i]}
"""
    validator.validate(data(HEAD + axes))
    assert "sweep" in loads(HEAD + axes).sections


def test_schema_takes_the_gallery(validator: Any) -> None:
    folder = Path(next(iter(blockdyn.__path__))) / "diagrams" / "gallery"
    for path in [*folder.glob("*.yaml")]:
        validator.validate(data(path.read_text(encoding="utf-8")))


def test_every_block_of_the_library_is_in_the_schema() -> None:
    schema = json_schema()
    assert {*library(), "Subsystem"} <= {*schema["$defs"]["Block"]["properties"]["type"]["anyOf"][0]["enum"]}
    for name, kind in library().items():
        entry = schema["$defs"][f"block.{name}"]
        assert {*entry["properties"]} == {"type", *kind.rules()}


def test_a_parameter_carries_what_an_editor_shows() -> None:
    found = json_schema()["$defs"]["block.ZeroOrderHold"]["properties"]
    assert found["offset"]["default"] == 0.0
    assert found["sample_time"]["description"] == "period [s]"
    assert json_schema()["$defs"]["block.Integrator"]["properties"]["reset"]["enum"][0] == "none"


def test_examples_of_the_library_load_and_fit_the_schema(validator: Any) -> None:
    for name, kind in library().items():
        example = (kind.__doc__ or "").partition("Example:")[2].strip()
        assert example.startswith(f"{{type: {name}"), f"{name} has no example"
        text = f"blockdyn: 1\nblocks:\n  b: {example}\n"
        validator.validate(data(text))
        assert loads(text, folder=SAMPLES, trust=True).blocks["b"].kind() == name
