"""Moving: which of the bodies of a diagram are drawn, and by which of a result's signals."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING

from .errors import ResultError

if TYPE_CHECKING:
    from ...robots.model.robot import Robot
    from .movers import Mover

BY_NAME = "robot and signal by name (--robot puma560 --signal plant.q, or robot=, signal=)"
MOST = 6  # bodies that colours tell apart


class NoArm(ResultError):
    """A result in which nothing is found to draw: why, and what to name."""

    def __init__(self, why: str, remedy: str) -> None:
        self.why = why
        super().__init__(f"no arm to draw: {why}\nexpected: {remedy}")


class SeveralArms(ResultError):
    """A result in which more bodies move than can be told apart."""

    def __init__(self, signals: Iterable[str]) -> None:
        self.signals = tuple(signals)
        super().__init__(
            f"{len(self.signals)} bodies move, {MOST} at most are drawn together: {', '.join(self.signals)}\n"
            "expected: the blocks of some of them (--block, repeated, or block=)"
        )


class NoCoordinates(ResultError):
    """A signal that cannot move what it should: its size, a value, or no samples at all."""

    def __init__(self, signal: str, actual: str, expected: str) -> None:
        self.signal = signal
        super().__init__(f"{signal}: {actual}\nexpected: {expected}")


def choose(
    movers: Sequence[Mover],
    held: Collection[str],
    *,
    signal: str | None = None,
    robot: Robot | None = None,
    blocks: Sequence[str] | None = None,
) -> list[tuple[Mover, str]]:
    """What is drawn, and the signals that move it, from what the diagram moves and what the caller said.

    `held` are the names that the result holds. Raises NoArm, SeveralArms.
    """
    if signal is not None:
        return [(_by_signal(movers, signal), signal)]
    if blocks is not None:
        return _few([_by_block(movers, held, block) for block in dict.fromkeys(blocks)])
    by_signal: dict[str, Mover] = {}
    for mover in movers:
        name = mover.held(held)
        if name is not None and (robot is None or mover.joints() == robot.n):
            by_signal.setdefault(name, mover)
    if not by_signal:
        raise _none(movers)
    best = min(mover.rank for mover in by_signal.values())
    return _few([(mover, name) for name, mover in by_signal.items() if mover.rank == best])


def _few(chosen: list[tuple[Mover, str]]) -> list[tuple[Mover, str]]:
    if len(chosen) > MOST:
        raise SeveralArms(name for _, name in chosen)
    return chosen


def _by_signal(movers: Sequence[Mover], signal: str) -> Mover:
    """What the signal moves: by the best rank that reads or makes it; else the one arm there is."""
    fitting = [mover for mover in movers if signal in mover.names]
    fitting = fitting or [mover for mover in movers if mover.joints() is not None]
    arms = {id(getattr(mover, "robot", mover)): mover for mover in fitting if mover.rank == fitting[0].rank}
    if len(arms) != 1:
        why = f"no block with a robot reads or makes {signal}"
        raise NoArm(why, "the robot, by name (--robot, or robot=)")
    return next(iter(arms.values()))


def _by_block(movers: Sequence[Mover], held: Collection[str], block: str) -> tuple[Mover, str]:
    """What the block moves, or else what is moved by the signals that it reads."""
    readers = [
        mover for mover in movers if any(block in (name, name.rpartition(".")[0]) for name in mover.names)
    ]
    fitting = readers or [mover for mover in movers if mover.block == block]
    if not fitting:
        from ...robots.errors import nearest

        names = list(dict.fromkeys(name.rpartition(".")[0] for mover in movers for name in mover.names))
        why = f"block {block} moves none{nearest(block, names)}"
        raise NoArm(why, f"one of {', '.join(names)}" if names else BY_NAME)
    for mover in fitting:
        name = mover.held(held)
        if name is not None:
            return mover, name
    raise _none(fitting)


def _none(movers: Sequence[Mover]) -> NoArm:
    if not movers:
        return NoArm("no block of the diagram has a robot, flies or has wheels", BY_NAME)
    example = movers[0].names[0]
    return NoArm(f"{example} was not logged", f"{example} under `log`, and another run; or a signal by name")
