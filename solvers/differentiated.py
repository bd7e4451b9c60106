"""A program gives its Jacobian to the methods that need it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..native.engine import Entries
from ..native.tangent.code import LANES
from .fields import DATA, WORD, Floats, Integers
from .layout import Memory


@dataclass(frozen=True, eq=False)
class DifferentiatedProgram:
    """A program's functions with the tangent of its slopes.

    code          where its functions begin: the six, room for two, and `tangent`, 0 where there is none
    cuts          unknowns of its algebraic loops, (k, 2): where in w each is given, and where it comes out
    timed         whether its slopes depend on the time
    differences   paths of blocks whose part of the Jacobian is a difference
    refusal       why there is no tangent
    owner         what the tangent lives in
    """

    code: Entries
    cuts: Integers
    timed: bool
    differences: tuple[str, ...] = ()
    refusal: str = ""
    owner: object = None

    @property
    def exact(self) -> bool:
        """True if there is a tangent."""
        return bool(self.code[-1])


class Shadows:
    """The tangents of all that a program's memory holds: `lanes` in a row for every number."""

    def __init__(self, memory: Memory, lanes: int = LANES) -> None:
        self._arrays: dict[str, Floats] = {
            name: np.zeros((array.size + 1, lanes)) for name, array in memory.arrays()
        }
        self._words: Integers = np.zeros((memory.words, lanes), np.int64)
        for name, array in self._arrays.items():
            self._words[Memory.fields[name].word + DATA, 0] = array.ctypes.data
        self.address = int(self._words.ctypes.data)

    def of(self, name: str) -> Floats:
        """The tangents of an array, one row for each of its numbers."""
        return self._arrays[name][:-1]

    def placed(self, at: int) -> tuple[Integers, list[int], dict[int, int]]:
        """All of them as words in a memory in which they begin at `at`, in bytes; the indices of words that
        are addresses, and the new address of each array by its present one.
        """
        parts, addresses, moved, size = [self._words.ravel().copy()], [], {}, self._words.size
        for name, array in self._arrays.items():
            word = (Memory.fields[name].word + DATA) * self._words.shape[1]
            parts[0][word] = moved[array.ctypes.data] = at + size * WORD
            addresses.append(word)
            parts.append(array.ravel().view(np.int64))
            size += array.size
        return np.concatenate(parts), addresses, moved
