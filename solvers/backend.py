"""The same loop runs in two ways: compiled, with a program's addresses, or interpreted by Python."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeAlias, TypeVar

from ..native.elementary.called import with_ours
from .fields import Floats
from .layout import Common, Memory, Work

if TYPE_CHECKING:
    from ..native.pieces import Pieces

F = TypeVar("F", bound=Callable[..., object])


class Jit(Protocol):
    """Makes a function callable by others of the loop: a piece of machine code, or the function itself."""

    def __call__(self, function: F, /) -> F: ...


Code: TypeAlias = "Program"
"""The functions of a program; in machine code, the address of their addresses."""
Function: TypeAlias = Callable[[Code, float, Floats, Floats, Memory], int]
"""A function of a program: (code, t, x, dx, m) -> 0, or a number that says what failed."""
Tangent: TypeAlias = Callable[..., int]
"""Its tangent, see solvers.calls."""
S = TypeVar("S", bound=Common)  # the part of the workspace that a family of methods has
PhaseOf: TypeAlias = Callable[[Code, Memory, S], int]
PhaseAtOf: TypeAlias = Callable[[Code, Memory, S, float], int]
ChangeOf: TypeAlias = Callable[[Memory, S], None]
AttemptOf: TypeAlias = Callable[[Code, Memory, S, float, float], int]
InterpolateOf: TypeAlias = Callable[[Memory, S, float, Floats], None]
Phase: TypeAlias = PhaseOf[Work]
"""A part of the loop: 0, or the reason why the run ends here."""
PhaseAt: TypeAlias = PhaseAtOf[Work]
"""The same at a time, or up to it."""
Change: TypeAlias = ChangeOf[Work]
Settle: TypeAlias = Callable[[Code, Memory, Work, int], int]
"""Handles an instant; the number is 1 for the first one of a run."""
Attempt: TypeAlias = AttemptOf[Work]
"""A step to a time, of a length, that may be refused."""
Once: TypeAlias = Callable[[Code, Memory, Work, float, float, bool], int]
"""The same from a time on, with derivatives, see solvers.variation."""
Largest: TypeAlias = Callable[[Code, Memory, Work, float, float], tuple[int, float, int]]
"""The largest error of derivatives, see solvers.variation.controlled."""
Interpolate: TypeAlias = InterpolateOf[Work]
"""Dense output: (m, s, theta, out), x(t + theta h) of the step taken."""
Margin: TypeAlias = Callable[[Common, Floats, int], float]
"""(s, g, q): the distance of zero crossing q from its event, negative beyond it."""


class Program(NamedTuple):
    """The functions of a program, and of its steps, where the loop runs in Python."""

    derivative: Function
    evaluate: Function
    update: Function
    react: Function
    observe: Function
    remember: Function
    quarters: Callable[..., int]
    prepare: Callable[..., int]
    interpolate: Callable[..., None]


def _only_compiled(*arguments: object) -> Any:
    """Stands for functions that compiled loops alone call."""
    raise NotImplementedError


class Backend(NamedTuple):
    """The parts that the loop is built from.

    Every function of a program has the arguments (code, t, x, dx, memory) and returns an integer: for
    `react`, 1 when something changed; for `evaluate` and `observe`, 1 when a signal is not finite; for all, a
    negative number when the program failed.

    `stages` and `quarters` are those of a program that has a step of its own, see
    diagrams.compiler.emit.written; `tangent` is `derivative` with its tangents, see solvers.calls. Both are
    for compiled runs only, and so are `variation`, of runs with derivatives, and `attempting`, which makes
    their attempt of an explicit step from that of others: see solvers.variation.
    """

    jit: Jit
    hot: Jit  # for code of every step: always inlined
    apart: Jit  # for rare code, at events or at the start: never inlined
    derivative: Function
    evaluate: Function
    update: Function
    react: Function
    observe: Function
    remember: Function
    stages: Callable[..., int]
    quarters: Callable[..., int]
    tangent: Tangent
    variation: Callable[[Code], Any] = _only_compiled
    attempting: Callable[[Attempt], Attempt] | None = None
    names: dict[Any, Any] | None = None  # machine code: the actual functions for the names in `program`

    @property
    def varied(self) -> bool:
        """True if the derivatives of a run are carried along."""
        return self.variation is not _only_compiled


def interpreted(*functions: Function) -> Backend:
    """A backend of plain Python functions: derivative, evaluate, update, react, observe, remember."""
    derivative, evaluate, update, react, observe, remember = functions
    return Backend(
        with_ours, with_ours, with_ours, derivative, evaluate, update, react, observe, remember,
        _only_compiled, _only_compiled, _only_compiled,
    )  # fmt: skip


def compiled(pieces: Pieces) -> Backend:
    """The backend whose functions are called by address; every function of the loop becomes a piece."""
    from .calls import caller

    functions = (caller(number) for number in range(9))
    return Backend(pieces.piece, pieces.inlined, pieces.apart, *functions)._replace(names=pieces.names)
