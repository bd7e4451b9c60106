"""Short: a value in a sentence."""

from __future__ import annotations


def short(value: object, longest: int = 60) -> str:
    """What Python writes for the value, NumPy's as numbers and lists, cut to `longest` characters."""
    is_numpy = hasattr(type(value), "tolist")
    text = repr(value.tolist() if is_numpy else value)  # type: ignore[attr-defined]
    return text if len(text) <= longest else text[: longest - 3] + "..."
