"""An argument that takes a word refuses all else with an error of ours, whatever stands beside it."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from blockdyn.robots import RobotError, frames, functions, inverse, lie, trajectories

POSE, Q = np.eye(4), [0.1] * 6
RIGHT: dict[str, Any] = dict.fromkeys(("q", "qd", "qdd", "tau", "v", "d", "q0", "qf"), Q)
RIGHT |= dict.fromkeys(("T", "T0", "T1"), POSE) | dict.fromkeys(("roll", "pitch", "yaw", "duration"), 0.1)
RIGHT |= {"robot": "puma560", "R": np.eye(3), "p": [0.1] * 3, "points": [0.0, 1.0, 2.0]}


class Incomparable:
    """An object that cannot even be compared."""

    __hash__ = None  # type: ignore[assignment]

    def __eq__(self, other: object) -> bool:
        raise ValueError("not comparable")


WRONG = (
    "x", "", 1, None, b"world", ["world"], np.array("world"), np.array(["world", "body"]), np.zeros(3),
    {}, Incomparable(),
)  # fmt: skip


def words() -> list[Any]:
    """Every public function of robots with an argument whose default is a word, and that argument."""
    found = []
    for module in (functions, inverse, lie, trajectories):
        for name in module.__all__:
            function = getattr(module, name)
            if inspect.isfunction(function):
                parameters = inspect.signature(function).parameters
                of_words = [key for key, p in parameters.items() if isinstance(p.default, str) and p.default]
                found += [pytest.param(function, key, of_words, id=f"{name}-{key}") for key in of_words]
    return found


@pytest.mark.parametrize(("function", "name", "of_words"), words())
def test_what_is_no_known_word_is_refused(
    function: Callable[..., Any], name: str, of_words: list[str]
) -> None:
    parameters = inspect.signature(function).parameters.values()
    right = {p.name: RIGHT[p.name] for p in parameters if p.default is p.empty and p.kind < p.VAR_KEYWORD}
    for wrong in WRONG:
        for beside in of_words:
            with pytest.raises(RobotError):
                function(**right | {beside: "x", name: wrong})


def test_frames_of_words_are_refused() -> None:
    with pytest.raises(RobotError, match="q"):
        frames("puma560", ["a"] * 6)  # type: ignore[arg-type]
