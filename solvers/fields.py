"""Fields: named numbers and arrays of a structure in memory, declared once for Python and for machine code.

A class declares them; its layout, its attributes in Python and, in `solvers.calls`, those in compiled code
come from that declaration. Everything is made of words of eight bytes: first a description of each array, as
numba has it, then the numbers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import accumulate
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

DATA = 4  # the word of an array's description that holds the address of its numbers
WORD = 8  # bytes


AnyArray = NDArray[Any]


class Part:
    """Fields that belong together: a part of the structures whose classes derive from it.

    `counts` and `reals` are the words of a structure, as integers and as doubles.
    """

    counts: Integers
    reals: Floats


class Field:
    """One number or array of a structure: `word` is where it begins, `words` how long it is, in words."""

    name: str
    word: int
    words = 1

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name


class Real(Field):
    """A double."""

    def __get__(self, structure: Part, owner: type) -> float:
        return structure.reals[self.word]  # type: ignore[no-any-return]

    def __set__(self, structure: Part, value: float) -> None:
        structure.reals[self.word] = value


class Count(Field):
    """A 64-bit integer."""

    def __get__(self, structure: Part, owner: type) -> int:
        return structure.counts[self.word]  # type: ignore[no-any-return]

    def __set__(self, structure: Part, value: int) -> None:
        structure.counts[self.word] = value


class Array(Field):
    """An array in C order; `shape` names its extents, or is their number where a run is given the array.

    An instance keeps the NumPy array under the field's name.
    """

    kind: ClassVar[Any]

    def __init__(self, *shape: str, dimensions: int = 1) -> None:
        self.shape = shape
        self.dimensions = len(shape) or dimensions
        self.words = 5 + 2 * self.dimensions  # owner, parent, items, item size, data, shape, strides

    def described(self, array: AnyArray, address: int) -> list[int]:
        """The words that describe an array whose numbers begin at an address."""
        return [0, 0, array.size, WORD, address, *array.shape, *array.strides]


class Reals(Array):
    """An array of doubles."""

    kind = np.float64

    def __get__(self, structure: Part, owner: type) -> Floats:
        raise AttributeError(self.name)  # instances have it in their own dictionary


class Counts(Array):
    """An array of 64-bit integers."""

    kind = np.int64

    def __get__(self, structure: Part, owner: type) -> Integers:
        raise AttributeError(self.name)


class Structure(Part):
    """A structure in memory: subclasses and their parts declare its fields, and `address` is the argument of
    machine code.
    """

    fields: ClassVar[dict[str, Field]] = {}
    words: ClassVar[int] = 0  # how long it is
    numbers: ClassVar[int] = 0  # the word from which on it holds numbers
    integers: ClassVar[tuple[str, ...]] = ()  # the names of its integers, which come last
    _fields: ClassVar[tuple[str, ...]] = ()  # its form in machine code, for fingerprints

    def __init_subclass__(cls) -> None:
        parts = reversed(cls.__mro__)
        declared = [field for part in parts for field in vars(part).values() if isinstance(field, Field)]
        ordered = sorted(declared, key=lambda field: (Array, Real, Count).index(_family(field)))
        cls.fields = {field.name: field for field in ordered}
        *words, cls.words = accumulate((field.words for field in ordered), initial=0)
        for field, word in zip(ordered, words, strict=True):
            field.word = word
        cls.numbers = sum(field.words for field in ordered if isinstance(field, Array))
        cls.integers = tuple(cls.names(Count))
        cls._fields = tuple(
            f"{field.name} {type(field).__name__} {field.word} {field.words}" for field in ordered
        )

    @classmethod
    def names(cls, family: type[Field]) -> list[str]:
        """The names of the fields of a kind, in their order in memory."""
        return [field.name for field in cls.fields.values() if isinstance(field, family)]

    @classmethod
    def shapes(cls, extents: Mapping[str, int]) -> dict[str, tuple[int, ...]]:
        """The shapes of its arrays whose extents are named."""
        arrays = (field for field in cls.fields.values() if isinstance(field, Array) and field.shape)
        return {field.name: tuple(extents[name] for name in field.shape) for field in arrays}

    def __init__(self, arrays: Mapping[str, Any], room: Integers | None = None) -> None:
        """`room`: where its words lie; else in an array of its own. Every array must stay where it is."""
        self.counts = np.zeros(self.words, np.int64) if room is None else room
        self.reals = self.counts.view(np.float64)
        self.address = int(self.counts.ctypes.data)
        for name in self.names(Array):
            self.put(name, arrays[name])

    @classmethod
    def zeros(cls, sizes: Mapping[str, int]) -> Self:
        """A structure of arrays of one dimension, all 0, of these sizes."""
        arrays: dict[str, Any] = {
            name: field for name, field in cls.fields.items() if isinstance(field, Array)
        }
        return cls({name: np.zeros(sizes[name], field.kind) for name, field in arrays.items()})

    def put(self, name: str, array: AnyArray) -> None:
        """Let a field be this array."""
        field: Any = self.fields[name]
        self.__dict__[name] = array
        self.counts[field.word : field.word + field.words] = field.described(array, array.ctypes.data)

    def place(self, name: str) -> int:
        """The address of a field's numbers."""
        if isinstance(self.fields[name], Array):
            return int(self.__dict__[name].ctypes.data)
        return self.address + WORD * self.fields[name].word

    def arrays(self) -> Iterator[tuple[str, Any]]:
        """Its arrays by name."""
        return ((name, self.__dict__[name]) for name in self.names(Array))

    def copy_to(self, other: Self) -> None:
        """Copy the numbers of its arrays into the arrays of another one."""
        for name, array in self.arrays():
            getattr(other, name)[...] = array

    @property
    def counted(self) -> Any:
        """Its integers, in the order of `integers`."""
        return self.counts[self.words - len(self.integers) :]

    def totals(self) -> dict[str, int]:
        """Its integers by name."""
        return dict(zip(self.integers, self.counted.tolist(), strict=True))


def _family(field: Field) -> type[Field]:
    return Array if isinstance(field, Array) else type(field)
