"""Mappings as values of options: frozen, compared by content, optionally with expressions inside."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from .formula import Formula, Node
from .parameter_expression import Parameter, join_expressions


@dataclass(frozen=True)
class FrozenMapping(Mapping[str, Any]):
    """An immutable mapping; lists in it are tuples, and mappings in it are frozen too."""

    pairs: tuple[tuple[str, Any], ...]

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> FrozenMapping:
        """The frozen form of plain mappings and lists."""
        return cls(tuple((str(key), frozen(value)) for key, value in data.items()))

    def __getitem__(self, key: str) -> Any:
        return dict(self.pairs)[key]

    def __iter__(self) -> Iterator[str]:
        return (key for key, _ in self.pairs)

    def __len__(self) -> int:
        return len(self.pairs)

    def __repr__(self) -> str:
        return repr(plain(self))


class MappingExpression(Parameter):
    """A mapping that holds expressions over the diagram's parameters."""

    data: FrozenMapping

    def __init__(self, data: Mapping[str, Any]) -> None:
        # One formula, the list of all expressions inside, so that the mapping is computed like any parameter.
        parts = list(expressions(data))
        names = tuple(dict.fromkeys(name for part in parts for name in part.formula.names))
        text = ", ".join(part.formula.text for part in parts)
        root = Node("list", parts=tuple(part.formula.root for part in parts))
        super().__init__(Formula(f"[{text}]", names, root))
        object.__setattr__(self, "data", FrozenMapping.of(data))

    def __repr__(self) -> str:
        return repr(self.data)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, MappingExpression) and self.data == other.data

    def __hash__(self) -> int:
        return hash(self.data)

    def finished(self, value: Any) -> dict[str, Any]:
        """The mapping with the numbers of its expressions, given in their order."""
        return _fill(plain(self.data), iter(value))  # type: ignore[no-any-return]

    def settled(self) -> dict[str, Any]:
        """The mapping without the entries that need the diagram's parameters."""
        return {
            key: plain(value) for key, value in self.data.pairs if not any(True for _ in expressions(value))
        }


def frozen(value: Any) -> Any:
    """A value that can be compared and kept: tuples for lists, FrozenMapping for mappings."""
    if isinstance(value, FrozenMapping):
        return value
    if isinstance(value, Mapping):
        return FrozenMapping.of(value)
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, (list, tuple)):
        return tuple(map(frozen, value))
    return value


def plain(value: Any) -> Any:
    """Ordinary mappings and lists."""
    if isinstance(value, Mapping):
        return {key: plain(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(inner) for inner in value]
    return value


def expressions(value: Any) -> Iterator[Parameter]:
    """The expressions in a value, in their order."""
    if isinstance(value, Parameter):
        yield value
    elif isinstance(value, Mapping):
        for inner in value.values():
            yield from expressions(inner)
    elif isinstance(value, (list, tuple)):
        for inner in value:
            yield from expressions(inner)


def opened(value: Any) -> Any:
    """The value, or an expression if it is a list or a mapping that holds expressions."""
    if type(value) is float:  # nearly every parameter
        return value
    if isinstance(value, (list, tuple, np.ndarray)):
        return join_expressions(value)
    if isinstance(value, Mapping) and any(True for _ in expressions(value)):
        return MappingExpression(value)
    return value


def comparable(value: Any) -> Any:
    """An option's value as a block keeps it: mappings frozen, and open if they hold expressions."""
    value = opened(value)
    return frozen(value) if isinstance(value, Mapping) else value


def _fill(value: Any, numbers: Iterator[Any]) -> Any:
    if isinstance(value, Parameter):
        return next(numbers)
    if isinstance(value, dict):
        return {key: _fill(inner, numbers) for key, inner in value.items()}
    if isinstance(value, list):
        return [_fill(inner, numbers) for inner in value]
    return value
