"""The two ways to run the same loop: compiled, with a program's addresses, or interpreted, as Python."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from ..native.pieces import Pieces


class Backend(NamedTuple):
    """What the loop is built from.

    Every function of a program has the arguments (code, t, x, dx, memory) and returns an integer: for
    `react`, 1 when something changed; for `evaluate` and `observe`, 1 when a signal is not finite; for all, a
    negative number when the program failed.

    `stages` and `quarters` are those of a program that has a step of its own, see
    diagrams.compiler.emit.written; `tangent` is `derivative` with its tangents, see solvers.calls. Both are
    for compiled runs only, and so are `variation`, of runs with derivatives, and `attempting`, which makes
    their attempt of an explicit step from that of others: see solvers.variation.
    """

    jit: Callable[[Any], Any]
    hot: Callable[[Any], Any]  # for what runs at every step: always inlined
    apart: Callable[[Any], Any]  # for what seldom runs, at events or at the start: never inlined
    derivative: Any
    evaluate: Any
    update: Any
    react: Any
    observe: Any
    remember: Any
    stages: Any
    quarters: Any
    tangent: Any
    variation: Any = None
    attempting: Any = None


def _plain(function: Any) -> Any:
    return function


def interpreted(*functions: Any) -> Backend:
    """A backend of plain Python functions: derivative, evaluate, update, react, observe, remember."""
    derivative, evaluate, update, react, observe, remember = functions
    return Backend(
        _plain, _plain, _plain, derivative, evaluate, update, react, observe, remember, None, None, None
    )  # fmt: skip


def compiled(pieces: Pieces) -> Backend:
    """The backend whose functions are called by address; every function of the loop becomes a piece."""
    from .calls import caller

    return Backend(pieces.piece, pieces.inlined, pieces.apart, *(caller(number) for number in range(9)))
