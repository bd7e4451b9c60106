"""An error about a list names the element that is wrong, in Python and, with its place, in YAML."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.diagrams.model.errors import BadParameter, DiagramError
from blockdyn.diagrams.yaml import loads

NAN = float("nan")

WRONG = [
    ([1, True], "[1] is True"),
    ([[1, 2], [3, True]], "[1][1] is True"),
    ([1, "x"], "[1] is 'x'"),
    ([[1, "2"]], "[0][1] is '2'"),
    ([None, 1], "[0] is None"),
    ([[1, 2], [None, 3]], "[1][0] is None"),
    ([1, NAN], "[1] is nan"),
    ([[1, 2], [3, NAN]], "[1][1] is nan"),
    ([1, {"a": 2}], "[1] is {'a': 2}"),
    ([[1, 2], [3]], "[1] is [3]"),
    ([1, [2]], "[1] is [2]"),
]
IN_PYTHON = [
    (np.array([1, NAN]), "[1] is nan"),
    (np.array([[1.0, True], [2, NAN]]), "[1][1] is nan"),
    (np.array([False]), "[0] is False"),
    (np.array([1, None]), "[1] is None"),
    ((1, 2j), "[1] is 2j"),
    ([1, 10**400], "[1] is 1000"),
    ([1, "=a"], "[1] is '=a'"),
    ([bd.expression("a"), "x"], "[1] is 'x'"),
    ([[bd.expression("a"), 1], [2, True]], "[1][1] is True"),
    ([np.array([1, 2]), [3, "x"]], "[1][1] is 'x'"),
]


@pytest.mark.parametrize(("value", "element"), WRONG + IN_PYTHON)
@pytest.mark.parametrize("make", [bd.Gain, bd.MatrixGain, bd.Constant], ids=lambda kind: kind.__name__)
def test_of_a_parameter(make: type[bd.Block], value: Any, element: str) -> None:
    name = {"Gain": "k", "MatrixGain": "K", "Constant": "value"}[make.__name__]
    with pytest.raises(bd.ParameterError) as caught:
        make(value)
    assert str(caught.value).startswith(f"{make.__name__}.{name}{element}")
    assert "\nexpected: " in str(caught.value)


@pytest.mark.parametrize(("value", "element"), WRONG + IN_PYTHON)
def test_of_a_diagrams_parameter(value: Any, element: str) -> None:
    with pytest.raises(BadParameter) as caught:
        bd.Diagram("d", parameters={"k": value})
    assert f"d.k{element}" in str(caught.value)


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: bd.SeriesElastic(m1=[1, -2]), "SeriesElastic.m1[1] is -2\nexpected: greater than zero"),
        (lambda: bd.TransferFunction([1], [1, "s"]), "den[1] is 's'"),
        (lambda: bd.StateSpace(A=[[1, 0], [0, NAN]], B=[[1], [1]], C=[[1, 1]]), "A[1][1] is nan"),
        (lambda: bd.Gain([1, float("-inf")]), "Gain.k[1] is -inf\nexpected: finite numbers"),
        (lambda: bd.Integrator(initial=[0, None]), "initial[1] is None"),
        (lambda: bd.Selector(indices=[0, "b"]), "Selector.indices[1] is 'b'\nexpected: a whole number"),
    ],
)
def test_of_a_bound_or_an_option(make: Any, says: str) -> None:
    with pytest.raises(bd.ParameterError) as caught:
        make()
    assert says in str(caught.value)


def test_a_list_that_holds_itself_ends() -> None:
    endless: list[Any] = [1.0]
    endless.append(endless)
    with pytest.raises(bd.ParameterError, match=r"Gain\.k"):
        bd.Gain(endless)


@pytest.mark.parametrize(
    ("text", "element", "column"),
    [
        ("[1, true]", "[1] is ", 10), ("[1, x]", "[1] is ", 10), ("[1, null]", "[1] is ", 10),
        ("[1, .nan]", "[1] is ", 10), ("[[1, 2], [3, .nan]]", "[1][1] is ", 19),
        ("[[1, 2], [3]]", "[1] is ", 15),
    ],
)  # fmt: skip
def test_in_a_file_it_stands_at_its_place(text: str, element: str, column: int) -> None:
    begin = "  g: {type: Gain, k: "
    with pytest.raises(DiagramError) as caught:
        loads(f"blockdyn: 1\nblocks:\n{begin}{text}}}\n")
    assert (caught.value.line, caught.value.column) == (3, len(begin) + column - 5)
    assert f"k{element}" in str(caught.value)
    with pytest.raises(DiagramError) as caught:
        loads(f"blockdyn: 1\nparameters:\n  k: {text}\nblocks: {{}}\n")
    assert (caught.value.line, caught.value.column) == (3, column)


def test_a_list_may_hold_expressions() -> None:
    """x' = -2 x + 6 settles at 3; a list of rows, one of them with an expression, is a matrix."""
    d = bd.Diagram("d", parameters={"tau": 0.5, "both": [bd.expression("tau"), 6.0]})
    lag = d.add("lag", bd.TransferFunction([1.0], [bd.expression("tau"), 1.0]))
    mix = d.add("mix", bd.MatrixGain([[bd.expression("1 / tau"), 0.0], (0, 1)]))
    d.connect(d.add("three", bd.Constant(3.0)), lag)
    d.connect(d.add("pair", bd.Constant(bd.expression("both"))), mix)
    r = d.simulate(stop=20.0, rtol=1e-10)
    assert r.final("lag") == pytest.approx(3.0, abs=1e-8)
    np.testing.assert_allclose(r.final("mix"), [1.0, 6.0])
    assert d["lag"].block.den.formula.text == "[tau, 1.0]"  # type: ignore[union-attr]


def test_arithmetic_with_parameters_gives_expressions() -> None:
    """J w' = kt u - b w settles at kt u / b, of which 2 b / kt is 2 u."""
    d = bd.Diagram("motor")
    J, b, kt = d.parameter("J", 0.5), d.parameter("b", 0.1), d.parameter("kt", 2)
    motor = d.add("motor", bd.TransferFunction([kt], [J, b]))
    d.connect(
        d.add("u", bd.Constant(3.0)), motor, d.add("whole", bd.Gain(np.sqrt(4 * (b + J - J) ** 2) / kt))
    )
    assert d.simulate(stop=500.0).final("whole") == pytest.approx(6.0, rel=1e-5)
    assert d.simulate(stop=500.0, parameters={"b": 0.4}).final("motor") == pytest.approx(15.0, rel=1e-5)
    assert repr(2 - J / -b) == "'=2 - (J / (-b))'"
    assert repr(np.array([1.0, 2.0]) * J) == "array(['=1.0 * J', '=2.0 * J'], dtype=object)"
    numbers = {"J": 0.5, "b": 0.1}
    for made, value in (
        (2 - J / -b, 7.0),
        (-(J**2), -0.25),
        (2**J, 2**0.5),
        (abs(-J) * b, 0.05),
        (1 - b - b, 0.8),
    ):
        assert made.formula.value(numbers) == pytest.approx(value, rel=1e-15)
