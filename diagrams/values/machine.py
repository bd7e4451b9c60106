"""Axes reach the keys of a robot or a vehicle, which is rebuilt with other values there."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ...base.hints import nearest_word
from ...blocks.contract.mappings import opened, plain
from ...blocks.contract.parameter_expression import Parameter
from .path import Index, Step, check, replace_element, size_in_words

TENSOR = {"xx": (0, 0), "yy": (1, 1), "zz": (2, 2), "xy": (0, 1), "xz": (0, 2), "yz": (1, 2)}

Names = Callable[[], Mapping[str, Any]]


class NoSuchKey(LookupError):
    """A step without a target: the error, and the steps that exist."""

    def __init__(self, actual: str, expected: str) -> None:
        self.actual, self.expected = actual, expected
        super().__init__(actual)


class Change(NamedTuple):
    """Other numbers for one place of a machine."""

    steps: tuple[Step, ...]
    value: Any


@dataclass(frozen=True)
class Machines:
    """One kind of machine that a block has as an option.

    machine      the class of a machine made in Python
    read         the machine of any form of the option
    check_steps  raises NoSuchKey unless steps lead from a machine to a value
    structure    keys that decide the parts of a machine, not only numbers
    opened       the mapping of an option to be changed, or the machine if there is none
    changed      a machine with the changes of a mapping
    before       the machine of a mapping without the changes that come after its own numbers
    value_at     the value of a machine at a place, as lists
    """

    machine: type
    read: Callable[[Any], Any]
    check_steps: Callable[[Any, tuple[Step, ...]], None]
    structure: tuple[str, ...]
    opened: Callable[[Any], Any]
    changed: Callable[[Any, Mapping[str, Any]], Any]
    before: Callable[[Mapping[str, Any]], Any]
    value_at: Callable[[Any, tuple[Step, ...]], Any]

    def structural(self, steps: tuple[Step, ...]) -> bool:
        """True if a place decides the parts of a machine, not only numbers."""
        return not steps or steps[0] in self.structure

    def with_changes(self, spec: object, changes: list[Change], names: Names) -> Any:
        """The option with other values, in the form that a block takes.

        A name becomes a mapping; in a mapping the places are replaced, or added; a machine made in Python
        is given the changes that a mapping would name. `names` are the diagram's parameters, for
        expressions of which one element is replaced. Raises RobotError, IndexError.
        """
        data = self.opened(spec)
        if isinstance(data, self.machine):
            mapping: dict[str, Any] = {}
            for change in changes:
                self._put(mapping, change, data, names)
            return self.changed(data, mapping)
        for change in changes:
            self._put(data, change, None, names)
        return opened(data)

    def value(self, spec: object, steps: tuple[Step, ...]) -> Any:
        """The value of an option at a place that a change would replace: from its mapping, or else from the
        machine that the mapping changes. Raises RobotError.
        """
        keys, index = _place(steps)
        data = self.opened(spec)
        inside = data
        for key in keys:
            inside = inside.get(key) if isinstance(inside, Mapping) else None
        value = self._number(data, keys) if inside is None else plain(inside)
        return value if index is None else np.asarray(_full(value, keys, index))[index]

    def _number(self, data: object, keys: list[str]) -> Any:
        """The value of a machine itself, or of the source of a mapping."""
        return self.value_at(
            data if isinstance(data, self.machine) else self.before(drop_expressions(data)), tuple(keys)
        )

    def _put(self, data: dict[str, Any], change: Change, machine: object, names: Names) -> None:
        """Replace one value in a mapping; `machine` has the numbers that it lacks, or else its source."""
        keys, index = _place(change.steps)
        inside = data
        for key in keys[:-1]:
            inside[key] = dict(inside.get(key) or {})
            inside = inside[key]
        if index is None:
            inside[keys[-1]] = change.value
            return
        before = inside.get(keys[-1])
        if not isinstance(before, (list, tuple, Parameter)):
            before = self._number(data if machine is None else machine, keys)
        inside[keys[-1]] = _element(before, keys, index, change.value, names)


def check_inside(value: object, steps: tuple[Step, ...], inner: list[Step]) -> None:
    """Check the steps after the keys: nothing, an index, or an element of an inertia. Raises NoSuchKey.

    `value` is the value at `steps`.
    """
    if not inner:
        return
    place = ".".join(map(str, steps))
    if len(inner) > 1:
        raise NoSuchKey(f"`{place}` is not nested so deep", "one index after it")
    if steps[-1] == "inertia" and isinstance(inner[0], str):
        among(inner[0], tuple(TENSOR), f"`{place}`")
        return
    if not isinstance(inner[0], tuple) or not isinstance(value, (list, tuple)):
        raise NoSuchKey(f"`{place}` is one value", "no key and no index after it")
    shape = (3, 3) if steps[-1] == "inertia" and len(inner[0]) == 2 else np.shape(value)
    try:
        check(shape, inner[0])
    except IndexError:
        index = ", ".join(map(str, inner[0]))
        within = ", ".join(f"0 to {n - 1}" for n in shape)
        problem = f"`{place}` has no element [{index}]: it is {size_in_words(shape)}"
        raise NoSuchKey(problem, f"one of `{place}[{', '.join('ij'[: len(shape)])}]`, {within}") from None


def among(name: Step, names: Any, owner: str) -> None:
    """Raise NoSuchKey unless a step is one of the names."""
    if name not in names:
        hint = nearest_word(str(name), list(names))
        raise NoSuchKey(f"{owner} has no `{name}`{hint}", f"one of {', '.join(map(str, names))}")


def drop_expressions(value: object) -> Any:
    """A mapping without the entries that are expressions."""
    if not isinstance(value, Mapping):
        return value
    return {key: drop_expressions(item) for key, item in value.items() if not _is_open(item)}


def _is_open(value: object) -> bool:
    if isinstance(value, (list, tuple)):
        return any(map(_is_open, value))
    return isinstance(value, Parameter)


def mapping_of(spec: object) -> dict[str, Any]:
    """The mapping of an option, with the expressions in it."""
    return dict(plain(getattr(spec, "data", spec)))


def _element(before: object, keys: list[str], index: Index, value: object, names: Names) -> Any:
    """Replace an element; in an inertia tensor, also its mirror across the diagonal."""
    after = replace_element(_full(before, keys, index), index, value, names)
    if keys[-1] == "inertia" and len(index) == 2:
        after = replace_element(after, index[::-1], value, names)
    return after


def _full(value: Any, keys: list[str], index: Index) -> Any:
    """An inertia tensor with all its elements, if it is given by its diagonal and has two indices."""
    diagonal = isinstance(value, (list, tuple)) and not isinstance(value[0], (list, tuple))
    if keys[-1] != "inertia" or len(index) < 2 or not diagonal:
        return value
    return [[value[i] if i == j else 0.0 for j in range(3)] for i in range(3)]


def _place(steps: tuple[Step, ...]) -> tuple[list[str], Index | None]:
    """The keys that lead to a value, and the index of an element in it."""
    keys = [step for step in steps if isinstance(step, str)]
    if "inertia" in keys[:-1]:
        return keys[:-1], TENSOR[keys[-1]]
    return keys, next((step for step in steps if isinstance(step, tuple)), None)
