"""A program gives its Jacobian to the methods that need it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..native.engine import Entries
from ..native.tangent.code import LANES
from .fields import DATA, Floats, Integers
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
