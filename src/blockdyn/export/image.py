"""A run at its start as one block of words, for any machine."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..solvers.fields import DATA, WORD, Floats, Integers
from ..solvers.layout import Work
from ..solvers.loop.run import Run

MOST_ROWS = 4096  # of the log, which the host of the image reads and clears


@dataclass(frozen=True)
class Buffer:
    """An array for which an image reserves space only: its place in bytes, its rows and columns."""

    at: int
    rows: int
    columns: int


@dataclass(frozen=True)
class Image:
    """Memory and work of a run that has not begun; both begin the words in this order.

    words      their values; an address is a distance from the first word, in bytes
    addresses  the indices of the words that are addresses: the loader of the image adds its own to them
    work       the distance of the solver's part, in bytes
    log        rows of time, flag, states and signals
    events     rows of time, kind, number and direction
    bytes      size of everything, including the buffers
    """

    words: Integers
    addresses: Integers
    work: int
    log: Buffer
    events: Buffer
    bytes: int

    def word(self, run: Run, name: str) -> int:
        """The index of a number of the solver."""
        return self.work // WORD + run.work.fields[name].word


def image_of(run: Run, more: Floats | None = None) -> Image:
    """The image of a run that has not begun, with more numbers between its words and its buffers."""
    base, end = run.memory.address, run.words.ctypes.data + run.words.nbytes
    block = (ctypes.c_int64 * ((end - base) // WORD)).from_address(base)
    parts: list[Integers] = [np.array(block, np.int64)]
    size = parts[0].size
    addresses: list[int] = []
    moved: dict[int, int] = {}
    if run.shadows is not None:
        shadows, inside, moved = run.shadows.placed(size * WORD)
        word = (run.work.address - base) // WORD + run.work.fields["shadows"].word
        parts[0][word] = size * WORD
        addresses += [word, *(size + index for index in inside)]
        parts.append(shadows)
        size += shadows.size
    buffers: dict[str, tuple[int, Any]] = {}
    for part in (run.memory, run.work):
        first = (part.address - base) // WORD
        for name, array in part.arrays():
            word = first + part.fields[name].word + DATA
            if name in ("log", "events"):
                buffers[name] = word, array
                continue
            addresses.append(word)
            if base <= array.ctypes.data < end:
                parts[0][word] = array.ctypes.data - base
            elif array.ctypes.data in moved:
                parts[0][word] = moved[array.ctypes.data]
            else:
                parts[0][word] = size * WORD
                parts.append(np.ascontiguousarray(array).view(np.int64).ravel())
                size += array.size
    if more is not None:
        parts.append(more.view(np.int64))
        size += more.size
    placed = {}
    for name, (word, array) in buffers.items():
        rows, columns = array.shape
        rows = min(rows, MOST_ROWS) if name == "log" else rows
        placed[name] = Buffer(size * WORD, rows, columns)
        addresses.append(word)
        field: Any = Work.fields[name]
        first = word - DATA
        parts[0][first : first + field.words] = field.described(array[:rows], size * WORD)
        size += rows * columns
    words = np.concatenate(parts)
    return Image(
        words, np.array(sorted(addresses), np.int64), run.work.address - base,
        placed["log"], placed["events"], size * WORD,
    )  # fmt: skip
