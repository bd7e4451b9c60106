"""Results with names can be looked up, counted and listed."""

from __future__ import annotations

from collections.abc import Iterator

from ..base.errors import BlockdynError
from ..base.hints import AttributeHints


class NamedValues(AttributeHints):
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

    def _hint(self, name: str) -> str:
        variable, paths = type(self).__name__.lower(), vars(self).get("to", ())
        if name in paths:
            return f"\nuse {variable}[{self.keys()[0]!r}, {name!r}]"
        return f"\nuse {variable}[{name!r}]" if name in self else ""
