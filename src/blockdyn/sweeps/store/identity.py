"""Identity of a store: what two runs of one sweep have in common, and where those of two sweeps differ."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from ...base.short import short
from ..errors import StoreMismatch

MOST = 5  # differences that an error shows


def plain(identity: Mapping[str, Any]) -> dict[str, Any]:
    """The identity as it reads back from JSON: tuples are lists, NumPy's numbers numbers."""
    read: dict[str, Any] = json.loads(json.dumps(dict(identity), default=_plain_value))
    return read


def refuse_other(store: str, stored: Mapping[str, Any], current: Mapping[str, Any]) -> None:
    """Raise StoreMismatch, which names the first items that differ, where two identities are not the same."""
    unlike = list(differences(stored, current))
    if not unlike:
        return
    remainder = f"  and {len(unlike) - MOST} more" if len(unlike) > MOST else ""
    remedy = "go on with the versions that the store was made by"
    if not all(item.startswith("versions.") for item, _, _ in unlike):
        remedy = "run the sweep that it was made by"
    raise StoreMismatch(
        f"the store {store} belongs to another sweep:",
        *(f"  {item}: {there} in the store, {here} in this sweep" for item, there, here in unlike[:MOST]),
        remainder,
        f"take another store for this sweep, or {remedy}",
    )


def differences(stored: Any, current: Any, at: str = "") -> Iterator[tuple[str, str, str]]:
    """Dotted name, stored and asked value of everything that differs; the order of keys does not matter.

    Items of a list that have names are called by them.
    """
    if isinstance(stored, Mapping) and isinstance(current, Mapping):
        for key in [*stored, *(key for key in current if key not in stored)]:
            below = f"{at}.{key}" if at else str(key)
            if key not in stored:
                yield below, "nothing", short(current[key])
            elif key not in current:
                yield below, short(stored[key]), "nothing"
            else:
                yield from differences(stored[key], current[key], below)
    elif (
        isinstance(stored, list)
        and isinstance(current, list)
        and (names := _names(stored)) != _names(current)
    ):
        yield at, short(names), short(_names(current))
    elif isinstance(stored, list) and isinstance(current, list) and len(stored) == len(current):
        for i, (one, other) in enumerate(zip(stored, current, strict=True)):
            yield from differences(one, other, f"{at}.{names[i]}" if names else f"{at}[{i}]")
    elif stored != current and not (stored != stored and current != current):  # NaN equals NaN here
        yield at, short(stored), short(current)


def _names(items: list[Any]) -> list[str]:
    """The names of items that all have one."""
    named = [
        item["name"] for item in items if isinstance(item, Mapping) and isinstance(item.get("name"), str)
    ]
    return named if len(named) == len(items) else []


def _plain_value(value: Any) -> Any:
    if isinstance(value, (np.ndarray, np.generic)):
        return value.tolist()
    return str(value)
