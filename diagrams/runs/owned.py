"""Owned: what the blocks of one run own, made when it starts and released when it ends, however it ends."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...blocks.contract.owned import Foreign
from ...solvers.layout import Floats
from ..compiler.program import Program
from ..model.run_errors import BlockFailed

LARGEST = 2**53  # handles go to Python as doubles too


def own(program: Program, p: Floats) -> Owned:
    """What a run of a program with the numbers `p` owns. Raises BlockFailed where a `create` fails."""
    return Owned(program, p) if program.plan.owned else _NOTHING


class Owned:
    """Instances of a run, their handles among its numbers `p`, as the addresses of foreign functions are.

    `release`, or the end of a `with` block, releases them, the last one first; `leave` leaves them to machine
    code that did not come back. Raises BlockFailed where a block's `create` or `release` does.
    """

    def __init__(self, program: Program | None, p: Floats) -> None:
        self._made: list[tuple[str, Callable[[int], object], int]] = []
        words = p.view(np.int64)
        try:
            for at, unit, thing in program.plan.owned if program is not None else ():
                if isinstance(thing, Foreign):
                    words[at] = thing.address
                    continue
                try:
                    words[at] = handle = _handle(thing.create())
                except Exception as error:
                    raise BlockFailed(unit.path, None, error) from error
                self._made.append((unit.path, thing.release, handle))
        except BaseException:
            self.release()
            raise

    def release(self) -> None:
        """Release all; the first error of a block is raised when that is done."""
        failed: BlockFailed | None = None
        while self._made:
            path, release, handle = self._made.pop()
            try:
                release(handle)
            except Exception as error:  # noqa: BLE001  told below, behind the other releases
                failed = failed or BlockFailed(path, None, error)
        if failed is not None:
            raise failed

    def leave(self) -> None:
        """Release nothing: a thread is still in there."""
        self._made.clear()

    def __enter__(self) -> Owned:
        return self

    def __exit__(self, *failure: Any) -> None:
        if not self._made:
            return
        try:
            self.release()
        except BlockFailed:
            if failure[0] is None:  # what ended the run counts more
                raise


def _handle(value: Any) -> int:
    if isinstance(value, (bool, float)) or not 0 <= int(value) <= LARGEST:
        raise ValueError(f"`create` gave {value!r}, expected a handle: an integer from 0 to 2^53")
    return int(value)


_NOTHING = Owned(None, np.zeros(0))
