"""Robot option: how a block names its robot, as data that does not change and can be compared."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from ...robots.library import robot_from
from ..formula import Formula, Node, Parameter

if TYPE_CHECKING:
    from ...robots.robot import Robot

RobotLike: TypeAlias = Any
"""A name, a mapping such as {name: puma560, payload: {mass: 2}}, or a Robot."""


@dataclass(frozen=True)
class RobotData(Mapping[str, Any]):
    """A mapping that names a robot, frozen; `folder` is where its files are looked for."""

    pairs: tuple[tuple[str, Any], ...]
    folder: str = ""

    @classmethod
    def of(cls, data: Mapping[str, Any], folder: str = "") -> RobotData:
        """The frozen form of plain mappings and lists."""
        return cls(tuple((str(key), _frozen(value)) for key, value in data.items()), folder)

    def __getitem__(self, key: str) -> Any:
        return dict(self.pairs)[key]

    def __iter__(self) -> Iterator[str]:
        return (key for key, _ in self.pairs)

    def __len__(self) -> int:
        return len(self.pairs)

    def __repr__(self) -> str:
        return repr(plain(self))


class RobotExpression(Parameter):
    """A mapping that names a robot and holds expressions over the diagram's parameters."""

    data: RobotData

    def __init__(self, data: RobotData) -> None:
        parts = list(_expressions(data))
        names = tuple(dict.fromkeys(name for part in parts for name in part.formula.names))
        text = ", ".join(part.formula.text for part in parts)
        root = Node("list", parts=tuple(part.formula.root for part in parts))
        super().__init__(Formula(f"[{text}]", names, root))
        object.__setattr__(self, "data", data)

    def __repr__(self) -> str:
        return repr(self.data)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RobotExpression) and self.data == other.data

    def __hash__(self) -> int:
        return hash(self.data)

    def finished(self, value: Any) -> RobotData:
        """The mapping with the numbers of its expressions, in their order."""
        return _filled(self.data, iter(value))


def frozen_robot(value: Any) -> Any:
    """The value of the option `robot` as a block keeps it."""
    if isinstance(value, Mapping) and not isinstance(value, RobotData):
        value = RobotData.of(value)
    if isinstance(value, RobotData) and any(True for _ in _expressions(value)):
        return RobotExpression(value)
    return value


def robot_of(value: Any) -> Robot:
    """The robot itself. Raises RobotError."""
    if isinstance(value, RobotData):
        return robot_from(plain(value), Path(value.folder))
    return robot_from(value)


def _frozen(value: Any) -> Any:
    if isinstance(value, Mapping):
        return RobotData.of(value)
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, (list, tuple)):
        return tuple(map(_frozen, value))
    return value


def plain(value: Any) -> Any:
    """Ordinary mappings and lists."""
    if isinstance(value, Mapping):
        return {key: plain(inner) for key, inner in value.items()}
    if isinstance(value, tuple):
        return [plain(inner) for inner in value]
    return value


def _expressions(value: Any) -> Iterator[Parameter]:
    if isinstance(value, Parameter):
        yield value
    elif isinstance(value, Mapping):
        for inner in value.values():
            yield from _expressions(inner)
    elif isinstance(value, tuple):
        for inner in value:
            yield from _expressions(inner)


def _filled(value: Any, numbers: Iterator[Any]) -> Any:
    if isinstance(value, Parameter):
        return _frozen(next(numbers))
    if isinstance(value, RobotData):
        inside = tuple((key, _filled(inner, numbers)) for key, inner in value.pairs)
        return RobotData(inside, value.folder)
    if isinstance(value, tuple):
        return tuple(_filled(inner, numbers) for inner in value)
    return value
