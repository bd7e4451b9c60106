"""Give a run the objects that a block owns in addition to its numbers: instances and foreign functions."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from inspect import Parameter, Signature, signature
from keyword import iskeyword
from typing import Any

from .errors import BlockError

OTHER_NUMBERS = "fgbBhHiIcu?"  # codes of ctypes: numbers that are not passed like double and int64_t


@dataclass(frozen=True)
class Instance:
    """A foreign object, such as an object of a C library or a foreign model; every run has its own.

    create    makes one at the start of a run, and of each scenario of a sweep; returns its handle, which the
              block's functions get by the instance's name: an integer from 0 to 2^53, such as an address
    release   takes the handle when the run ends, even if it failed or was interrupted

    Scenarios run on several threads, so both may be called from any thread; no two share an instance. If
    `create` fails, the run fails; if `release` fails, the result is kept, with a ReleaseWarning.

    Raises BlockError if either is not a function, or takes another number of arguments.
    """

    create: Callable[[], int]
    release: Callable[[int], object]

    def __post_init__(self) -> None:
        for name, function, arguments, expected in (
            ("create", self.create, (), "a function without arguments, which returns a handle"),
            ("release", self.release, (0,), "a function of one argument, the handle"),
        ):
            if not callable(function) or not _takes(function, arguments):
                raise BlockError(f"Instance: {name} is {function!r:.80}\nexpected: {expected}")


def _takes(function: Callable[..., Any], arguments: tuple[int, ...]) -> bool:
    """True if a function takes this number of arguments, or does not declare them, like a C function."""
    try:
        signature(function).bind(*arguments)
    except ValueError:
        return True
    except TypeError:
        return False
    return True


class Foreign:
    """A compiled function that replaces one of a block's functions, by its address.

    Its arguments are the values that `names` lists, in this order: numbers as double, vectors and matrices as
    double *, row by row, `mode`, `crossed_NAME` and handles of instances as int64_t. It returns one number, a
    double, also for a mode; or it writes arrays that are named as their targets, and returns nothing:

        double f(double u, double gain)
        void f(const double *u, int64_t handle, double *y)

    `tangent` is a compiled function that computes the same and its derivatives along several directions. Its
    arguments are the function's arguments, followed by an address of tangents for each of them except
    integers, and for the returned double: the tangent of element k along direction j is at k lanes + j. The
    last argument is the number of directions. NULL stands for tangents that are all 0. Without `tangent`,
    differences are used:

        double tangent(double u, const double *u_d, double *f_d, int64_t lanes)

    `function` is an address or a function of ctypes (of cffi, `int(ffi.cast("intptr_t", f))`). It may be
    called from any thread, without Python's lock.

    Raises BlockError for anything that is not a function.
    """

    def __init__(self, function: Any, *names: str, tangent: Any = None) -> None:
        place = function if type(function) is int else None
        cast: Any = ctypes.cast  # accepts the annotation `callable` too
        if callable(function):
            with suppress(ctypes.ArgumentError):  # a function of Python
                place = cast(function, ctypes.c_void_p).value
        sound = all(isinstance(n, str) and n.isidentifier() and not iskeyword(n) for n in names)
        if not place or not 0 < place < 2**63 or not sound or len(set(names)) < len(names):
            text = f"Foreign: {function!r} with the arguments {names!r} is not a compiled function"
            raise BlockError(f'{text}\nexpected: its address, and names: Foreign(library.cos, "u")')
        declared, result = getattr(function, "argtypes", None), getattr(function, "restype", None)
        if declared and (len(declared) != len(names) or result not in (ctypes.c_double, None)):
            text = f"Foreign: {function!r} takes {len(declared)} arguments and returns {result}"
            raise BlockError(f"{text}\nexpected: {len(names)} arguments, {names!r}; a double, or nothing")
        for name, kind in zip(names, declared or ()):
            code = getattr(kind, "_type_", None)  # for a pointer, its target
            if isinstance(code, str) and code in OTHER_NUMBERS:
                text = f"Foreign: {function!r} takes {kind.__name__} for `{name}`"
                raise BlockError(f"{text}\nexpected: a double, a pointer to doubles, or int64_t")
        self.address: int = place
        self.tangent = None if tangent is None else Foreign(tangent)
        self.names = names
        self.__signature__ = Signature([Parameter(n, Parameter.POSITIONAL_OR_KEYWORD) for n in names])
        self._function = function  # keeps the code alive

    def __call__(self, *values: Any) -> float:
        """Call it from Python; the result is meaningless if the function returns nothing."""
        kinds = [
            ctypes.c_double if type(v) is float else ctypes.c_int64 if type(v) is int else ctypes.c_void_p
            for v in values
        ]
        function = ctypes.CFUNCTYPE(ctypes.c_double, *kinds)(self.address)
        return float(function(*(v if type(v) in (float, int) else v.ctypes.data for v in values)))
