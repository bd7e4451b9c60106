"""A Python function that is not compiled: the native loop calls it back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Callback:
    """Wraps an equation that stays uncompiled; `names` are its arguments."""

    function: Callable[..., Any]
    names: tuple[str, ...]

    def __call__(self, *values: Any) -> Any:
        return self.function(*values)
