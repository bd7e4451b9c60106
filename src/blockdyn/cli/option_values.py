"""Option values: what stands behind an option, read from its text."""

from __future__ import annotations

from argparse import ArgumentTypeError


def count(text: str) -> int:
    """1, 2, 3 ..."""
    return _whole_number(text, 1)


def seed(text: str) -> int:
    """0, 1, 2 ..."""
    return _whole_number(text, 0)


def _whole_number(text: str, least: int) -> int:
    if not text.isascii() or not text.isdigit() or int(text) < least:
        raise ArgumentTypeError(f"{text!r} is no whole number, {least} or greater")
    return int(text)


def pace(text: str) -> float:
    """A number above 0, or inf."""
    value = float(text)
    if not value > 0.0:
        raise ArgumentTypeError(f"{text!r} is no number above 0")
    return value


def port(text: str) -> int:
    """A port."""
    value = _whole_number(text, 1)
    if value > 65535:
        raise ArgumentTypeError(f"{text!r} is no port, 1 to 65535")
    return value


def size_of(text: str) -> tuple[int, int]:
    """Width and height."""
    width, height = (int(part) for part in text.lower().split("x"))
    return width, height


def view_of(text: str) -> tuple[float, float]:
    """Elevation and azimuth."""
    elevation, azimuth = (float(part) for part in text.split(","))
    return elevation, azimuth


def instants(text: str) -> list[float]:
    """Numbers separated by commas."""
    return [float(part) for part in text.split(",")]


def tolerance(text: str) -> float | list[float]:
    """A number, or several separated by commas."""
    return instants(text) if "," in text else float(text)


# argparse puts the names into its messages
tolerance.__name__, size_of.__name__ = "tolerance", "size"
view_of.__name__ = "view"
instants.__name__ = "list of instants"
