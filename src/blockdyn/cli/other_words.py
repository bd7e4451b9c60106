"""Hints for unknown commands and options: the equivalent of another program's word, or the nearest name."""

from __future__ import annotations

from collections.abc import Collection

from ..base.hints import equivalent, words
from ..base.nearest import nearest


def nearest_command(word: str, commands: Collection[str]) -> str:
    """', did you mean `run FILE`?' for an unknown command, or an empty string."""
    if word.endswith((".yaml", ".yml")):
        return f", did you mean `run {word}`?"
    place = words("commands").get(word, "").replace("NAME(", f"{word}(")
    return f", did you mean {place}?" if place else nearest(word, commands)


def nearest_option(word: str, options: Collection[str]) -> str:
    """', did you mean `--stop`?' for an unknown option of a command, or the way to set a parameter."""
    bare = [option.removeprefix("--") for option in options]  # without the part that all share
    near = equivalent(word, options, "options")
    near = near or nearest(word.lstrip("-"), bare, likeness=0.7).replace("`", "`--", 1)
    if near or "--param" not in options or not word.startswith("--"):
        return near
    return f"; a parameter is set by `--param {word.removeprefix('--')}=VALUE`"
