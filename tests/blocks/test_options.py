"""What a parameter's declaration says holds in Python as it does in YAML."""

from __future__ import annotations

import json
import math
from functools import cache
from typing import Any

import numpy as np
import pytest
from ruamel.yaml import YAML

import blockdyn as bd
from blockdyn.blocks.contract.registry import block_type, library
from blockdyn.cli.specimen import SAMPLES
from blockdyn.diagrams.model.errors import DiagramError
from blockdyn.diagrams.yaml import loads
from blockdyn.diagrams.yaml.errors import YamlError

WRONG: list[Any] = [True, 3, -1, 2.5, "no", "", [], [True], ["a"], [1], [0.5], None, {}, {"a": 1}]


@cache
def example(name: str) -> dict[str, Any]:
    """The parameters of the example in a block's docstring."""
    text = (block_type(name).__doc__ or "").partition("Example:")[2].strip()
    values: dict[str, Any] = YAML(typ="safe", pure=True).load(text)
    if "file" in values:
        values["file"] = str(SAMPLES / values["file"])
    own = {"function": math.sin} if "function" in values and name.endswith("Function") else {}
    plain = {key: value for key, value in values.items() if key != "type" and str(value)[0] != "="}
    return plain | own


def built_in_python(name: str, values: dict[str, Any]) -> bool:
    try:
        block_type(name)(**values)
    except bd.BlockdynError:
        return False
    return True


def built_in_yaml(name: str, values: dict[str, Any]) -> bool:
    text = json.dumps({"type": name} | values).replace("Infinity", ".inf")
    try:
        loads(f"blockdyn: 1\nblocks:\n  b: {text}\n", trust=True)
    except (DiagramError, YamlError):
        return False
    return True


@pytest.mark.parametrize("name", [name for name in library() if "Function" not in name])
def test_python_and_yaml_take_the_same_values(name: str) -> None:
    """Three of the values for each parameter, others for the next one and for the next block."""
    values = example(name)
    for k, parameter in enumerate(block_type(name).rules(), len(name)):
        for wrong in (WRONG + WRONG)[k % len(WRONG) :][:15:5]:
            tried = values | {parameter: wrong}
            assert built_in_python(name, tried) == built_in_yaml(name, tried), (parameter, wrong)


@pytest.mark.parametrize("name", library())
def test_numbers_are_no_truth_values(name: str) -> None:
    """Neither Python's nor NumPy's, alone or in a list."""
    numbers = [parameter for parameter, rule in block_type(name).rules().items() if rule.number]
    for parameter in numbers:
        for wrong in (True, np.True_, [1.0, True], np.array([True, False]), [[1.0, False]]):
            with pytest.raises(bd.ParameterError, match=parameter):
                block_type(name)(**example(name) | {parameter: wrong})


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: bd.FKine("puma560", link_poses="no"), "FKine.link_poses is 'no'\nexpected: true or false"),
        (lambda: bd.RNE("puma560", gravity=[0, 0, 0]), "RNE.gravity is .*\nexpected: true or false"),
        (lambda: bd.RNE("puma560", friction="none"), "RNE.friction is 'none'\nexpected: true or false"),
        (lambda: bd.Jacobian("puma560", frame=["world"]), "frame is .*\nexpected: one of 'world', 'body'"),
        (
            lambda: bd.Scope(labels=["a", ["b", True]]),
            r"^Scope\.labels\[1\]\[1\] is True\nexpected: text$",
        ),
        (
            lambda: bd.Scope(units=["m", 3]),
            r"^Scope\.units\[1\] is 3\nexpected: text$",
        ),
        (
            lambda: bd.Scope(labels="abc"),
            "Scope.labels is .*\nexpected: a list, each item text or a list of text",
        ),
        (lambda: bd.Reshape(shape=[2.0, 2]), r"^Reshape\.shape\[0\] is 2\.0\nexpected: a whole number$"),
        (lambda: bd.MatrixGain(), r"MatrixGain has no value for `K`\nexpected: MatrixGain\(K=\.\.\.\), "),
        (lambda: bd.Gain(True), "Gain.k is True\nexpected: a number"),
        (lambda: bd.Function(np.hypot, compiled="no"), "Function.compiled is 'no'"),
    ],
)
def test_what_an_error_says(make: Any, says: str) -> None:
    with pytest.raises(bd.BlockError, match=says):
        make()


def test_numbers_of_numpy_are_kept_as_those_of_python() -> None:
    """So that a block is written, compared and stored as the same one."""
    made: dict[str, bd.Block] = {
        "Mux(count=3)": bd.Mux(count=np.int64(3)),
        "Selector(indices=(2, 0))": bd.Selector(indices=np.array([2, 0])),
        "FKine(robot='puma560', link_poses=True)": bd.FKine("puma560", link_poses=np.True_),
    }
    for text, block in made.items():
        assert repr(block) == text


def test_an_annotation_of_ones_own() -> None:
    """As text or evaluated, of one's own block as of the library's."""

    class Chosen(bd.Block):
        inputs = (bd.Port("u"),)
        kind_of: "str" = bd.option(default="a", choices=("a", "b"))  # noqa: UP037
        flag: bool = bd.option(default=False)

        @staticmethod
        def output(u):
            return u

    Chosen.__annotations__["flag"] = bool
    assert Chosen(kind_of="b", flag=True)
    for wrong in ({"kind_of": 3}, {"kind_of": "c"}, {"flag": 1}, {"flag": "yes"}):
        with pytest.raises(bd.ParameterError):
            Chosen(**wrong)
