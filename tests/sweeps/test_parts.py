"""Parameters that methods of a block read: sweeps, sensitivities and gradients give what single runs give."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.blocks.contract.block import Block
from blockdyn.blocks.contract.parts import parts_of
from blockdyn.diagrams.compiler import compile as compiler


class Sampled(bd.Block):
    """y = the sum of u since the start; what it begins with depends on `level` in subclasses."""

    abstract: ClassVar = True
    sampled: ClassVar = True
    inputs: ClassVar = (bd.Port("u", 1),)
    outputs: ClassVar = (bd.Port("y", 1),)
    states: ClassVar = (bd.State("s", "zero"),)
    level: bd.Real = bd.parameter(default=1.0, dimensions=(0,))
    sample_time: bd.Real = bd.parameter(default=0.1, unit="s", above=0, dimensions=(0,))

    def constants(self) -> Mapping[str, Any]:
        return {"zero": 0.0}

    @staticmethod
    def output(s: float) -> float:
        return s


class Kept(Sampled):
    """Memory that begins with `level`."""

    def memory(self) -> Mapping[str, Any]:
        return {"kept": np.full(1, float(self.level))}

    @staticmethod
    def update(u: float, kept: np.ndarray, level: float) -> float:
        kept[0] = kept[0] + u
        return kept[0] + 0.0 * level


class Wide(Sampled):
    """A state with as many elements as `level` says; its output is their sum."""

    states: ClassVar = (bd.State("s", "one"),)

    def constants(self) -> Mapping[str, Any]:
        return {"one": 1.0}

    def state_shapes(self, inputs: Mapping[str, bd.Size]) -> Mapping[str, tuple[int, ...]]:
        return {"s": (int(self.level),)}  # type: ignore[call-overload]

    @staticmethod
    def output(s: np.ndarray) -> float:
        return float(np.sum(s))

    @staticmethod
    def update(s: np.ndarray, next_s: np.ndarray) -> None:
        next_s[:] = s


class Sized(bd.Block):
    """An output with as many elements as `level` says; each is u."""

    inputs: ClassVar = (bd.Port("u", 1),)
    outputs: ClassVar = (bd.Port("y"),)
    level: bd.Real = bd.parameter(default=1.0, dimensions=(0,))

    def sizes(self, inputs: Mapping[str, bd.Size | None]) -> Mapping[str, bd.Size | None]:
        return {"y": bd.Size((int(self.level),))}  # type: ignore[call-overload]

    @staticmethod
    def output(u: float, level: float, y: np.ndarray) -> None:
        y[:] = u + 0.0 * level


class Tapped(bd.Block):
    """Ports of a property that reads `level`; with 2 an unwired second input, which is 0.25."""

    outputs: ClassVar = (bd.Port("y", 1),)
    level: bd.Real = bd.parameter(default=1.0, dimensions=(0,))

    @property
    def inputs(self) -> tuple[bd.Port, ...]:  # type: ignore[override]
        return (bd.Port("u", 1), bd.Port("bias", 1, default=0.25 * float(self.level)))  # type: ignore[arg-type]

    @staticmethod
    def output(u: float, bias: float) -> float:
        return u + bias


def diagram(block: bd.Block) -> bd.Diagram:
    d = bd.Diagram("parts")
    d.connect(d.add("one", bd.Constant(1.0)), d.add("k", block))
    total = d.add("total", bd.Expression("u"))
    d.connect("k", *([d.add("sum", bd.SumOfElements())] if isinstance(block, Sized) else []), total)
    return d


@pytest.mark.parametrize("kind", [Kept, Wide, Sized, Tapped])
def test_scenarios_of_a_sweep_are_runs(kind: type[bd.Block]) -> None:
    d, values = diagram(kind()), [1.0, 3.0, 2.0]
    alone = [float(d.simulate(stop=1.0, set={"k.level": value}).final("total")) for value in values]
    ensemble = d.sweep({"k.level": values}, {"y": {"final": "total"}}, stop=1.0).run()
    assert ensemble["y"] == pytest.approx(alone)
    assert len(set(alone)) == 3


def test_memory_that_begins_with_a_parameter_has_derivatives() -> None:
    """y = level + 10: dy/dlevel = 1."""
    d = diagram(Kept())
    slope = d.sensitivities(["k.level"], ["total"], stop=1.0)["total", "k.level"].values[-1]
    assert float(slope) == pytest.approx(1.0)
    gradient = d.gradient({"y": {"final": "total"}}, ["k.level"], stop=1.0)
    assert gradient["y", "k.level"] == pytest.approx(1.0)


def test_all_that_the_compiler_asks_of_a_block_is_marked_where_it_is_declared() -> None:
    """The first three are of every class alike, the others depend on what they are given alone."""
    asked: set[str] = set()
    for file in Path(compiler.__file__).parent.rglob("*.py"):
        asked.update(re.findall(r"\b(?:block|new|old)\.(\w+)\(", file.read_text("utf-8")))
    methods = {name for name in asked if callable(getattr(Block, name, None))}
    assert (
        methods - {"kind", "rules", "parameters", "_arguments_in_plan", "log_name"}
        <= dict(parts_of(Block)).keys()
    )
