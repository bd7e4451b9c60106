"""Calls: every public function of blockdyn with arguments of wrong types, shapes and values."""

from __future__ import annotations

import contextlib
import inspect
import os
import tempfile
import warnings
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import numpy as np

import blockdyn as bd

from .callables import callables, right_value
from .judge import Judge

COMPILING = 30.0  # s: the first call of a function may compile it


class Unhashable:
    """An object without a hash, equal to nothing."""

    __hash__ = None  # type: ignore[assignment]


class Incomparable(Unhashable):
    """An object that says of nothing whether it equals it."""

    def __eq__(self, other: object) -> bool:
        raise ValueError("the truth value is ambiguous")


WRONG: tuple[Any, ...] = (
    None,
    True,
    False,
    np.True_,
    0,
    1,
    -1,
    7,
    10**400,
    0.5,
    -2.5,
    float("nan"),
    float("inf"),
    1e300,
    1j,
    "",
    "x",
    "none",
    "=x",
    "=)(",
    "a b",
    "\0",
    "\x1b[31m",
    b"x",
    "x" * 3000,
    [],
    [1],
    [1, "a"],
    [[1.0], [1.0, 2.0]],
    ["a"],
    [None],
    [True] * 6,
    ["0.1"] * 6,
    [0.1] * 6,
    [[0.1] * 6] * 2,
    [[[1]]],
    (),
    (1, 2),
    {},
    {"a": 1},
    {1: 2},
    {"name": "puma560"},
    {"name": 5},
    {"a": {"b": object()}},
    set(),
    {1},
    object(),
    object,
    Unhashable(),
    Incomparable(),
    lambda: None,
    lambda u: u,
    len,
    slice(1, 2),
    range(3),
    iter([1]),
    ...,
    bd.Gain,
    np.zeros(3),
    np.zeros(6),
    np.zeros((2, 2)),
    np.zeros((0, 3)),
    np.full(6, np.nan),
    np.eye(3),
    np.eye(4),
    np.array("a"),
    np.array(["a"] * 6),
    np.array(["world", "body"]),
    np.array([None] * 6),
    np.zeros(6, complex),
    np.float32(1.5),
    np.int64(3),
    np.array(2.0),
    bd.Gain(2.0),
    bd.Diagram("other"),
    bd.Port("u"),
    bd.expression("a"),
    NotImplemented,
    Ellipsis,
    type,
    Exception("x"),
)


def fuzz_calls(count: int, seed: int) -> int:
    """Call public functions with wrong arguments `count` times; the exit status."""
    judge = Judge(limit=COMPILING)
    functions = callables()
    names = list(functions)
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        os.environ.setdefault("MPLBACKEND", "Agg")
        for number in range(count):
            random = Random(f"{seed}/{number}")
            name = names[number % len(names)]
            values = arguments(functions[name], random)
            if values is None:
                continue
            positional, named = values
            label = f"api {seed}/{number}"
            judge.run(
                label,
                lambda name=name, positional=positional, named=named: call(
                    functions[name], positional, named
                ),
                lambda name=name, positional=positional, named=named: f"{name}(*{positional!r}, **{named!r})"[
                    :600
                ],
            )
    return judge.report()


def call(function: Callable[..., Any], positional: list[Any], named: dict[str, Any]) -> str:
    """Call it, and walk through what comes back where it comes piece by piece."""
    value = function(*positional, **named)
    if isinstance(value, Iterator):
        for _ in zip(range(10), value):
            pass
    return "a value"


def arguments(function: Callable[..., Any], random: Random) -> tuple[list[Any], dict[str, Any]] | None:
    """Arguments that the signature takes, one or two of them wrong; None where it has none."""
    try:
        parameters: Any = inspect.signature(function).parameters
    except (TypeError, ValueError):
        return None
    parameters = {
        name: parameter for name, parameter in parameters.items() if name != "at"
    }  # of our own calls
    if not parameters:
        return None
    wrong = set(random.sample(list(parameters), min(len(parameters), random.choice((1, 1, 1, 2)))))
    positional: list[Any] = []
    named: dict[str, Any] = {}
    for name, parameter in parameters.items():
        bad = name in wrong
        if parameter.kind is parameter.VAR_KEYWORD:
            more = [word for word in ("stop", "mass", "x") if word not in parameters]
            named |= {random.choice(more): random.choice(WRONG)} if bad else {}
        elif parameter.kind is parameter.VAR_POSITIONAL:
            positional += [random.choice(WRONG)] if bad else []
        elif bad or parameter.default is parameter.empty:
            value = random.choice(WRONG) if bad else right_value(name, parameter)
            if parameter.kind is parameter.KEYWORD_ONLY or named:
                named[name] = value
            elif len(positional) == list(parameters).index(name):
                positional.append(value)
            else:
                named[name] = value
    return positional, named
