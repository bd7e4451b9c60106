"""A block is made again only for numbers that something of its own depends on, whatever methods it has."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.blocks.contract.block import Block
from blockdyn.blocks.contract.errors import ParameterError
from blockdyn.blocks.contract.port import Like
from blockdyn.diagrams.values.reach import Reach


class Scaled(bd.Block):
    """Its ports and its check look at options alone."""

    inputs = (bd.Port("u"),)
    elementwise = True
    k: bd.Real = bd.parameter(default=1.0)
    limit: bd.Real = bd.parameter(default=1.5)
    unit: str = bd.option(default="")

    @property
    def most(self) -> Any:
        return self.limit

    def check(self) -> None:
        super().check()
        if self.unit == "furlong":
            raise ParameterError("Scaled", "unit", self.unit, "a unit of today")

    def output_ports(self) -> tuple[bd.Port, ...]:
        return (bd.Port("y", unit=self.unit, like=Like(("u",), exact=False)),)

    @staticmethod
    def output(u: float, k: float) -> float:
        return k * u


class Bounded(Scaled):
    """Its check looks at k and, through a property, at the limit."""

    def check(self) -> None:
        super().check()
        if self.k > self.most:
            raise ParameterError("Bounded", "k", self.k, "at most the limit")


class ByMapping(Scaled):
    def check(self) -> None:
        if vars(self)["k"] > vars(self)["limit"]:
            raise ParameterError("ByMapping", "k", self.k, "at most the limit")


class ByHelper(Scaled):
    def check(self) -> None:
        _check(self)


def _check(block: Scaled) -> None:
    if getattr(block, "k") > block.limit:  # noqa: B009
        raise ParameterError("ByHelper", "k", block.k, "at most the limit")


class ByMemory(Scaled):
    @cached_property
    def excess(self) -> Any:
        return self.k - self.limit

    def check(self) -> None:
        if self.excess > 0.0:
            raise ParameterError("ByMemory", "k", self.k, "at most the limit")


class Squared(Scaled):
    """Computes a constant of k."""

    def constants(self) -> dict[str, Any]:
        return {"kk": np.square(self.k)}

    @staticmethod
    def output(u: float, kk: float) -> float:
        return kk * u


@pytest.fixture
def made_again(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The path of every block that is made again for a scenario."""
    paths: list[str] = []
    changed = Reach.changed

    def counting(self: Reach, *arguments: Any) -> Any:
        blocks, numbers = changed(self, *arguments)
        paths.extend(blocks)
        return blocks, numbers

    monkeypatch.setattr(Reach, "changed", counting)
    return paths


def ensemble(block: Block, axes: dict[str, Any], **design: Any) -> bd.Ensemble:
    d = bd.Diagram()
    d.connect(d.add("u", bd.Constant(2.0)), d.add("b", block))
    d.settings(stop=0.1)
    return bd.Sweep(d, axes, {"y": {"final": "b"}}, **design).run(progress=False, workers=1)


FACTORS = [0.5, 1.0, 2.0, 3.0]


@pytest.mark.parametrize("block", [bd.Gain(1.0, unit="N"), Scaled(1.0, unit="N")])
def test_numbers_that_nothing_looks_at_go_to_their_places(block: Block, made_again: list[str]) -> None:
    np.testing.assert_array_equal(ensemble(block, {"b.k": FACTORS})["y"], 2.0 * np.array(FACTORS))
    assert made_again == []


def test_the_other_number_of_a_block_that_checks_one(made_again: list[str]) -> None:
    assert ensemble(Squared(1.5), {"b.limit": FACTORS})["y"].tolist() == [4.5] * 4
    assert made_again == []


@pytest.mark.parametrize("kind", [Bounded, ByMapping, ByHelper, ByMemory])
def test_a_check_that_looks_at_a_number_is_heard(kind: type[Scaled], made_again: list[str]) -> None:
    run = ensemble(kind(1.0), {"b.k": {"uniform": {"low": 0.0, "high": 3.0}}}, number=20)
    k = run["b.k"]
    assert 0 < np.count_nonzero(k > 1.5) < 20
    np.testing.assert_array_equal(run["y"], np.where(k > 1.5, np.nan, 2.0 * k))
    assert len(made_again) == np.count_nonzero(k <= 1.5)


def test_a_constant_is_computed_anew(made_again: list[str]) -> None:
    assert ensemble(Squared(1.0), {"b.k": FACTORS})["y"].tolist() == [0.5, 2.0, 8.0, 18.0]
    assert len(made_again) == len(FACTORS)
