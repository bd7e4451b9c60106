"""Errors of a block by itself, outside a diagram."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ...base.errors import BlockdynError
from ...base.hints import nearest_word, words
from ...base.words import short

if TYPE_CHECKING:
    from .block import Block


class BlockError(BlockdynError):
    """A block is declared or built wrongly."""


class ParameterError(BlockError):
    """A parameter has a value that its block rejects; `reason` explains it if `expected` is not enough.

    `element` is the place of the error in a list: (1, 0) is the first number of the second row.
    """

    def __init__(
        self, block: str, parameter: str, actual: object, expected: str = "", *, reason: object = "",
        element: tuple[int, ...] = (),
    ) -> None:  # fmt: skip
        self.block, self.parameter, self.actual, self.expected = block, parameter, actual, expected
        self.element = element
        why = str(reason)
        of_many = bool(why) and isinstance(actual, Mapping)  # its reason names the key
        place = f"{block}.{parameter}" + "".join(f"[{i}]" for i in element)
        for i in element:
            actual = actual[i]  # type: ignore[index]
        wrong = place if of_many else f"{place} is {short(actual, 80)}"
        wrong += f": {why}" if why else ""
        super().__init__(wrong + (f"\nexpected: {expected}" if expected else ""))


class DeclarationError(BlockError):
    """The declaration of a block class is wrong; `place` is the line of the class."""

    def __init__(self, kind: str, field: str, actual: str, expected: str, place: str) -> None:
        self.kind, self.field, self.actual, self.expected, self.place = kind, field, actual, expected, place
        super().__init__(f"{place}: {kind}.{field}: {actual}\nexpected: {expected}")


class SizeError(BlockError):
    """The sizes of a block's inputs disagree; `port` names the input, or is empty.

    `parts` are the inputs and parameters that do not fit each other, by name, with their sizes. `bus` is true
    if a bus is combined with something else, or with a bus of other fields.
    """

    def __init__(
        self, actual: str, expected: str, port: str = "", *, parts: tuple[tuple[str, str], ...] = (),
        bus: bool = False,
    ) -> None:  # fmt: skip
        self.actual, self.expected, self.port, self.parts, self.bus = actual, expected, port, parts, bus
        super().__init__(f"found {actual}\nexpected: {expected}")


class Refusal(ArithmeticError):
    """Raised by a block's function that cannot compute a result: `raise Refusal("...")` ends the run.

    The text describes the problem and its remedy; the error of the run adds the block and the time.
    """


class BlockIsMade(BlockError, dataclasses.FrozenInstanceError):
    """A parameter of an existing block is assigned another value."""


def unchanging(block: Block, name: str, value: object) -> None:
    """The `__setattr__` of blocks, which never change. Raises BlockIsMade."""
    raise BlockIsMade(
        f"{block.kind()}.{name} = {short(value)}: a block does not change\n"
        f'expected: another block, or for one run simulate(set={{"NAME.{name}": {short(value)}}})'
    )


class FormulaError(BlockError):
    """A formula contains something that formulas do not allow."""


def no_parameter(kind: str, name: str, choices: Sequence[str]) -> BlockError:
    """The error for a parameter that a block type does not have."""
    every = f"expected one of: {', '.join(choices)}" if choices else f"{kind} has no parameters"
    return BlockError(f"{kind} has no parameter `{name}`{nearest_parameter(name, choices, kind)}\n{every}")


def missing_parameter(kind: str, name: str, doc: str) -> BlockError:
    """The error for a parameter without a default that was not given."""
    return BlockError(f"{kind} has no value for `{name}`\nexpected: {kind}({name}=...), {doc or 'a value'}")


def wrong_arguments(block: Block, values: Sequence[Any], named: Mapping[str, Any]) -> BlockError | None:
    """The error for a surplus, unknown or missing argument of a block."""
    kind, rules = block.kind(), block.rules()
    for name in named:
        if name not in rules:
            return no_parameter(kind, name, tuple(rules))
    fields = dataclasses.fields(block)  # type: ignore[arg-type]
    places = [field.name for field in fields if not field.kw_only]
    if len(values) > len(places):
        expected = f"at most {len(places)}: {', '.join(places)}" if places else "every parameter by its name"
        return BlockError(f"{kind} is given {len(values)} values without a name\nexpected: {expected}")
    placed = places[: len(values)]
    for name in placed:
        if name in named:
            return BlockError(f"{kind} has two values for `{name}`\nexpected: one, by place or by name")
    for field in fields:
        if field.name not in (*placed, *named) and field.default is dataclasses.MISSING:
            return missing_parameter(kind, field.name, rules[field.name].doc)
    return None


def base_alone() -> BlockError:
    """The error for `Block()`, the base itself."""
    expected = "a block, such as Gain(k=2.0), or a class of yours: class Mine(Block), with its equations"
    return BlockError(f"Block is the base class of all blocks, not a block itself\nexpected: {expected}")


def failed_check(kind: str, error: Exception) -> BlockError:
    """The error for a user's `check` that raises an unexpected type of exception."""
    expected = "parameters that its `check` accepts"
    if not isinstance(error, ValueError):
        expected += '; it says what is wrong with them by `raise ValueError("lower is above upper")`'
    return BlockError(f"{kind}.check raised {type(error).__name__}: {error}\nexpected: {expected}")


CLOCK = ("sample_time", "Ts", "dt", "period")


def nearest_parameter(name: str, choices: Sequence[str], kind: str = "") -> str:
    """', did you mean `x`?' for a parameter, or the block that has it."""
    if other := words(kind).get(name):
        return f", did you mean {other}?"
    if name in CLOCK and "sample_time" not in choices and _has_discrete(kind):
        return f", did you mean the block `Discrete{kind}`, which has a `sample_time`?"
    return nearest_word(name, choices)


def _has_discrete(kind: str) -> bool:
    """True if there is a sampled block of that name too."""
    from .registry import names  # late: it imports every block

    return f"Discrete{kind}" in names()
