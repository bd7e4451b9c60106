"""What functions and methods of a block compute wrongly, told with the place."""

from __future__ import annotations

import re
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.blocks.contract.errors import DeclarationError

from .declared import GOOD, define, written

COMPUTED = [  # what a method computes wrongly shows when a block is made
    ("def constants(self):\n    return 5", "constants"),
    ("def constants(self):\n    return {'k': 'one'}", "'k' is 'one'"),
    ("def constants(self):\n    return {'k': 1 / 0}", "ZeroDivisionError"),
    ("def constants(self):\n    return {'x': 1.0}", "'x' is a port or state already"),
    ("def constants(self):\n    return {'u': 1.0}", "'u' is a port or state already"),
    ("def timers(self):\n    return 3", "gives 3\nexpected: a Timer"),
    ("def longest_step(self):\n    return 'long'", "longest_step.*'long'"),
    ("def guess(self):\n    return 3", "guess.*gives 3\nexpected: a Size"),
    ("outputs = (bd.Port('y', like=bd.Like(('zz',))),)", r"like of `y` is \('zz',\)\nexpected: .*: u"),
    ("def scratch(self):\n    return {'work': 3.5}", "scratch"),
    ("def input_ports(self):\n    return ['u']", "not a tuple"),
    ("def input_ports(self):\n    return (bd.Port('u', 'x'),)", "size of `u`"),
    ("def output_ports(self):\n    return None", "not a tuple"),
    ("def input_ports(self):\n    return (bd.Port('u', pace=(0, 1)),)", "an input with a pace"),
    ("def zero_crossings(self):\n    return (bd.Crossing('floor', 7),)", "direction of `floor` is 7"),
]


@pytest.mark.parametrize(("method", "says"), COMPUTED)
def test_a_wrong_computation(method: str, says: str, tmp_path: Path) -> None:
    made = define(written(tmp_path, GOOD | {"method": method}))
    with pytest.raises(DeclarationError, match=says):
        made()


@pytest.mark.parametrize("compiled", [True, False])
@pytest.mark.parametrize("role", ["derivative", "crossing", "jump", "output"])
def test_a_function_that_returns_nothing(role: str, compiled: bool, tmp_path: Path) -> None:
    """As one does that computes and forgets to return."""
    head = GOOD[role].rpartition("    return")[0]
    made = define(written(tmp_path, GOOD | {role: f"{head}    y = 1.0"}))
    d = bd.Diagram("own")
    d.connect(d.add("one", bd.Constant(0.0)), d.add("own", made()))
    with pytest.raises(bd.BlockdynError, match="it returned None, expected"):
        d.simulate(stop=2.0, compiled=compiled)


@pytest.mark.parametrize("compiled", [True, False])
@pytest.mark.parametrize("role", ["derivative", "crossing", "jump", "output"])
def test_the_function_is_told_with_its_line(role: str, compiled: bool, tmp_path: Path) -> None:
    """Text is no number: the error names the one of the four functions that gave it, where it is written."""
    file = written(tmp_path, GOOD | {role: f"{GOOD[role].rpartition('return')[0]}return 'none'"})
    line = 1 + next(i for i, text in enumerate(file.read_text().splitlines()) if f"def {role}(" in text)
    d = bd.Diagram("own")
    d.connect(d.add("one", bd.Constant(0.0)), d.add("own", define(file)()))
    with pytest.raises(bd.BlockdynError, match=rf"`{role}` \({re.escape(str(file))}:({line}|{line - 1})\)"):
        d.simulate(stop=2.0, compiled=compiled)


def test_helpers_that_are_used_or_hidden(tmp_path: Path) -> None:
    helper = "@staticmethod\ndef {}(k):\n    return 2.0 * k"
    asked = "def constants(self):\n    return {'k': self.double(self.x0)}"
    define(written(tmp_path, GOOD | {"helper": helper.format("double"), "asked": asked}))()
    define(written(tmp_path, GOOD | {"helper": helper.format("_double")}))()


def test_exceptions_of_other_families_become_blocks_own(tmp_path: Path) -> None:
    check = "def check(self):\n    raise ValueError('too light')"
    with pytest.raises(bd.BlockError, match=r"Own\.check raised ValueError: too light") as caught:
        define(written(tmp_path, GOOD | {"check": check}))()
    assert isinstance(caught.value.__cause__, ValueError)
    with pytest.raises(bd.BlockError, match="3 values without a name\nexpected: at most 2: k, unit"):
        bd.Gain(1, "m", 3)  # type: ignore[call-arg]
    with pytest.raises(bd.BlockError, match="two values for `k`"):
        bd.Gain(1, k=2)  # type: ignore[misc]


def test_a_function_that_prints_runs_in_python(capsys: pytest.CaptureFixture[str]) -> None:
    """In machine code its first number would wait for Python for ever."""

    @bd.block
    def told(u, k=2.0):  # type: ignore[no-untyped-def]
        print("told", u)  # noqa: T201
        return k * u

    d = bd.Diagram("d")
    d.connect(d.add("u", bd.Constant(1.5)), d.add("told", told()))
    assert d.simulate(stop=1.0).final("told") == 3.0
    assert "told 1.5" in capsys.readouterr().out


class Thermostat(bd.Block):
    """Heats below `low` until `high`: its mode asks for nothing but what was crossed."""

    inputs: ClassVar = (bd.Port("warmth", 1),)
    crossings: ClassVar = (bd.Crossing("over", 1), bd.Crossing("under", -1))

    low: bd.Real = bd.parameter(default=1.0)
    high: bd.Real = bd.parameter(default=2.0)

    @staticmethod
    def output(mode: int) -> float:
        return 1.0 if mode == 1 else 0.0

    @staticmethod
    def crossing(warmth: float, low: float, high: float) -> tuple[float, float]:
        return warmth - high, warmth - low

    @staticmethod
    def mode(mode: int, crossed_over: int, crossed_under: int) -> int:
        return 0 if crossed_over == 1 else 1 if crossed_under == 1 else mode


@pytest.mark.parametrize("compiled", [True, False])
def test_a_mode_may_ask_for_crossings_alone(compiled: bool) -> None:
    """y' = 3 h - y from 3, y = 3 x: at 1 after ln 3, then to 2 and back in ln 2 each."""
    d = bd.Diagram("room")
    x = d.add("x", bd.TransferFunction([3.0], [1.0, 1.0]))
    d.connect(d.add("h", Thermostat()), x, d["h"])
    r = d.simulate(stop=4.0, rtol=1e-11, atol=1e-13, initial={"x.x": 1.0}, compiled=compiled)
    expected = np.log(3.0) + np.log(2.0) * np.arange(5)
    np.testing.assert_allclose([event.time for event in r.events], expected, rtol=0, atol=1e-9)
