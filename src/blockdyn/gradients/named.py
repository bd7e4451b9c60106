"""Named: what is found by names, and counts, lists and holds them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..base.errors import BlockdynError


class ByName:
    """Base of results whose values are found by name: `"kp" in fit`, `list(fit)`, `len(fit)`, `dict(fit)`."""

    __slots__ = ()

    def keys(self) -> tuple[str, ...]:
        """The names, in order."""
        raise NotImplementedError

    def __iter__(self) -> Iterator[str]:
        return iter(self.keys())

    def __len__(self) -> int:
        return len(self.keys())

    def __contains__(self, name: object) -> bool:
        try:
            self[name]  # type: ignore[index]
        except BlockdynError:
            return False
        return True

    def __bool__(self) -> bool:
        return True


def found_by_name(owner: Any, name: str) -> str:
    """Where a name that is taken for an attribute is one of these, or a path, how that is found."""
    variable, paths = type(owner).__name__.lower(), vars(owner).get("to", ())
    if name in paths:
        return f"\nit is found by two names: {variable}[{owner.keys()[0]!r}, {name!r}]"
    return f"\nit is found by its name: {variable}[{name!r}]" if name in owner else ""
