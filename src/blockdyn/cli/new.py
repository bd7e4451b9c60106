"""`blockdyn new` and `blockdyn new-block` write a first version with a passing test, under free names."""

from __future__ import annotations

import keyword
import re
from argparse import Namespace
from importlib.util import find_spec
from pathlib import Path

from ..base.errors import BlockdynError, FileError
from ..base.files import make_write_error
from ..blocks.contract.registry import library
from .console import show

DIAGRAM = """\
# Describe the diagram here. `blockdyn blocks` lists the blocks, `blockdyn check <FILE>` checks the file.
blockdyn: 1
name: <NAME>
doc: A tank fills up to its reference level.
parameters:
  reference: 2.0 # m
  rate: 0.5 # 1/s
blocks:
  level_ref: {type: Constant, value: =reference, unit: m}
  error:     {type: Sum, signs: +-}
  valve:     {type: Gain, k: =rate, unit: m/s}
  level:     {type: Integrator, initial: 0.0}
  levels:    {type: Scope, title: Level, labels: [level], units: [m]}
wires:
  - level_ref -> error[0]
  - error -> valve -> level
  - level -> [error[1], levels]
simulate: {stop: 10.0, rtol: 1.0e-8}
"""
DIAGRAM_TEST = '''\
"""<NAME> follows its equation."""

from math import exp
from pathlib import Path

import pytest

import blockdyn as bd

FILE = Path(__file__).with_name("<FILE>")


def test_the_level_rises_as_the_equation_says() -> None:
    """dh/dt = rate (reference - h), from 0: h = reference (1 - exp(-rate t))."""
    result = bd.load(FILE).simulate()
    assert result.final("level") == pytest.approx(2.0 * (1.0 - exp(-0.5 * 10.0)), rel=1e-6)


def test_another_level_is_reached_too() -> None:
    result = bd.load(FILE).simulate(parameters={"reference": 3.0}, stop=50.0)
    assert result.final("level") == pytest.approx(3.0, rel=1e-6)
'''
PROGRAM = '''\
"""<NAME>: a tank fills up to its reference level."""

import blockdyn as bd


def diagram() -> bd.Diagram:
    """dh/dt = rate (reference - h)."""
    d = bd.Diagram("<NAME>", {"reference": 2.0, "rate": 0.5})  # m, 1/s
    reference = d.add("level_ref", bd.Constant(bd.expression("reference"), unit="m"))
    valve = d.add("valve", bd.Gain(k=bd.expression("rate"), unit="m/s"))
    level = d.add("level", bd.Integrator(initial=0.0))
    d.connect(reference - level, valve, level)
    d.settings(stop=10.0, rtol=1e-8)
    return d


if __name__ == "__main__":
    print(diagram().simulate())
'''
PROGRAM_TEST = '''\
"""<NAME> follows its equation."""

from math import exp

import pytest

from <MODULE> import diagram


def test_the_level_rises_as_the_equation_says() -> None:
    """dh/dt = rate (reference - h), from 0: h = reference (1 - exp(-rate t))."""
    assert diagram().simulate().final("level") == pytest.approx(2.0 * (1.0 - exp(-0.5 * 10.0)), rel=1e-6)


def test_another_level_is_reached_too() -> None:
    result = diagram().simulate(parameters={"reference": 3.0}, stop=50.0)
    assert result.final("level") == pytest.approx(3.0, rel=1e-6)
'''
BLOCK = '''\
"""<NAME>: a lag of first order."""

from typing import ClassVar

import blockdyn as bd


class <NAME>(bd.Block):
    """A lag of first order, element by element.

        dy/dt = (gain u - y) / time        y(0) = initial

    Raises ParameterError for a time that is not greater than zero.

    Example:
        {type: <NAME>, gain: 2.0, time: 0.5}
    """

    inputs: ClassVar = (bd.Port("u"),)
    outputs: ClassVar = (bd.Port("y"),)
    states: ClassVar = (bd.State("x", "initial"),)
    elementwise: ClassVar = True

    gain: bd.Real = bd.parameter(default=1.0, doc="steady-state gain")
    time: bd.Real = bd.parameter(default=1.0, unit="s", doc="time constant", above=0)
    initial: bd.Real = bd.parameter(default=0.0, doc="y at the start")

    @staticmethod
    def output(x: float) -> float:
        return x

    @staticmethod
    def derivative(x: float, u: float, gain: float, time: float) -> float:
        return (gain * u - x) / time
'''
BLOCK_TEST = '''\
"""<NAME> against its closed form."""

import numpy as np
import pytest

import blockdyn as bd
from <MODULE> import <NAME>


def final(block: bd.Block, u: object, **settings: bool) -> np.ndarray:
    d = bd.Diagram()
    d.connect(d.add("u", bd.Constant(u)), d.add("lag", block))
    return np.asarray(d.simulate(stop=1.0, rtol=1e-10, atol=1e-12, **settings).final("lag"))


@pytest.mark.parametrize("compiled", [True, False])
def test_a_step_is_answered_by_an_exponential(compiled: bool) -> None:
    y = final(<NAME>(gain=2.0, time=0.5), 3.0, compiled=compiled)
    np.testing.assert_allclose(y, 6.0 * (1.0 - np.exp(-1.0 / 0.5)), rtol=1e-8)


def test_elements_of_a_vector_are_lags_of_their_own() -> None:
    y = final(<NAME>(time=[0.5, 1.0], initial=[0.0, 1.0]), [1.0, 0.0])
    np.testing.assert_allclose(y, [1.0 - np.exp(-2.0), np.exp(-1.0)], rtol=1e-8)


def test_a_time_that_is_none_is_refused() -> None:
    with pytest.raises(bd.BlockdynError, match="greater than zero"):
        <NAME>(time=0.0)
'''


ENDINGS = (".yaml", ".yml", ".py")


def new(arguments: Namespace) -> int:
    """Write a diagram, in YAML or, for a name that ends in `.py`, in Python, and a test next to it."""
    path = Path(arguments.name)
    ending = path.suffix if path.suffix in ENDINGS else ".yaml"
    stem = path.name.removesuffix(ending)
    words = "letters, digits, - and _, such as `level-control`; or `level_control.py`"
    if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_-]*", stem) or (ending == ".py" and not _is_module(stem)):
        raise BlockdynError(f"`{arguments.name}` is not a name for a diagram\nexpected: {words}")
    module = stem.replace("-", "_")
    start, test = (PROGRAM, PROGRAM_TEST) if ending == ".py" else (DIAGRAM, DIAGRAM_TEST)
    file = path.with_name(stem + ending)
    tested = path.with_name(f"test_{module}.py")
    names = {"NAME": stem, "MODULE": module, "FILE": file.name}
    _write({file: _fill_template(start, names), tested: _fill_template(test, names)})
    run = f"python {file}" if ending == ".py" else f"blockdyn run {file} --plot"
    show(f"{file}: a diagram; {tested}: its test", "", f"  {run}", f"  {_pytest(tested)}")
    return 0


def new_block(arguments: Namespace) -> int:
    """Write a block type in a file named after it, and a test next to it."""
    path = Path(arguments.name)
    words = [word for word in re.split(r"[_-]", path.name.removesuffix(".py")) if word]
    kind = "".join(word[:1].upper() + word[1:] for word in words)
    if not re.fullmatch(r"[A-Z][A-Za-z0-9]*", kind):
        raise BlockdynError(
            f"`{arguments.name}` is not a name for a block\nexpected: a name such as `ElasticJoint`"
        )
    if kind in library():
        expected = f"another name: `blockdyn blocks {kind}` shows that one"
        raise BlockdynError(f"the library has a block {kind}\nexpected: {expected}")
    module = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", kind).lower()
    if not _is_module(module):
        raise BlockdynError(f"`{module}.py` cannot be imported\nexpected: another name than a word of Python")
    file, tested = path.with_name(f"{module}.py"), path.with_name(f"test_{module}.py")
    names = {"NAME": kind, "MODULE": module}
    _write({file: _fill_template(BLOCK, names), tested: _fill_template(BLOCK_TEST, names)})
    show(f"{file}: the block {kind}; {tested}: its test", "", f"  {_pytest(tested)}")
    return 0


def _pytest(file: Path) -> str:
    """The command that runs a test, after the one that installs pytest if it is missing."""
    return f"pytest {file}" if find_spec("pytest") else f"pip install pytest && pytest {file}"


def _is_module(name: str) -> bool:
    return name.isidentifier() and not keyword.iskeyword(name)


def _fill_template(text: str, names: dict[str, str]) -> str:
    for name, value in names.items():
        text = text.replace(f"<{name}>", value)
    return text


def _write(texts: dict[Path, str]) -> None:
    """Write new files; if one of them exists, none is written. Raises FileError."""
    for path in texts:
        if path.exists() or path.is_symlink():
            raise FileError("write", path, "there is one already", "choose another name, or move it away")
    for path, text in texts.items():
        try:
            with path.open("x", encoding="utf-8") as stream:
                stream.write(text)
        except OSError as error:
            raise make_write_error(path, error, FileError) from error
