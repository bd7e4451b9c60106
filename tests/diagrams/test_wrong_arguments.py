"""All wrong arguments of a run are told at once, and nothing that follows from one of them."""

from __future__ import annotations

from typing import Any

import pytest

import blockdyn as bd
from blockdyn.diagrams.model.errors import RunArgumentError


@pytest.fixture(scope="module")
def diagram() -> bd.Diagram:
    d = bd.Diagram("d")
    d.connect(d.add("u", bd.Constant(1.0)), d.add("x", bd.Integrator()), d.add("w", bd.Integrator()))
    return d


@pytest.mark.parametrize(
    ("arguments", "names"),
    [
        ({"stop": 1, "rtol": 0, "atol": -1, "refine": 0}, ["rtol", "atol", "refine"]),
        ({"stop": "1", "foo": 3, "log": 5, "seed": -1}, ["foo", "log", "stop", "seed"]),
        ({"stop": -1, "method": "rk5", "max_steps": 0}, ["stop", "method", "max_steps"]),
        ({"stop": 1, "method": "rk4", "step": 0, "every": 2}, ["step", "every"]),
        ({"stop": 1, "method": "rk4", "on_zeno": "no"}, ["step", "on_zeno"]),
        ({"stop": "x", "every": 5}, ["stop"]),
        ({"stop": 1, "step": 0.1, "refine": 0}, ["step", "refine"]),
        ({"stop": 1, "times": [3, 2], "every": 0.1, "compiled": 2}, ["compiled", "every", "times"]),
        ({"stop": 1, "initial": {"x.x": "a", "y.x": 1, "w.x": [1, 2]}}, ["x.x", "y.x", "w.x"]),
        ({"rtol": 0, "seed": 0.5}, ["stop", "rtol", "seed"]),
        ({"tstop": 1}, ["tstop"]),
        ({"T": 1, "rtol": 0}, ["T", "rtol"]),
        ({"t_end": "x"}, ["t_end"]),
    ],
)
def test_all_at_once(diagram: bd.Diagram, arguments: dict[str, Any], names: list[str]) -> None:
    with pytest.raises(RunArgumentError) as caught:
        diagram.simulate(**arguments)
    error = caught.value
    errors = error.errors
    assert len(errors) == len(names), error
    for name, each in zip(names, errors):
        assert name in each.argument
        assert str(each) in str(error)
    assert error.argument == errors[0].argument


def test_one_is_itself(diagram: bd.Diagram) -> None:
    with pytest.raises(RunArgumentError) as caught:
        diagram.simulate(stop=1, max_step=0)
    assert caught.value.errors == (caught.value,)
    assert str(caught.value) == "max_step is 0\nexpected: a number greater than zero"
