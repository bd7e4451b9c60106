"""Jacobians of every block of the library against differences of its equations in 50 digits."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from blockdyn.blocks.contract.registry import library
from blockdyn.cli.specimen import specimen
from blockdyn.diagrams.compiler.program import Program
from blockdyn.diagrams.runs.evaluation import evaluation_of

from .test_jacobians import FLOWING, opened, states_of, whole

pytest.importorskip("mpmath", reason="numbers of 50 digits need mpmath")
TIME = 0.37  # s


@pytest.mark.parametrize("kind", FLOWING)
def test_of_every_block(kind: str) -> None:
    """By states, inputs and the time, to 1e-13 of the largest element; nothing falls back to differences."""
    program = opened(specimen(library()[kind])).compile()
    for random in (False, True):
        x = states_of(kind, program, random)
        jacobian = program.jacobian(TIME, x)
        assert jacobian.differences == ()
        exact = whole(jacobian)
        assert largest_error(program, x, exact) <= 1e-13 * np.abs(exact).max(initial=0.0)


def largest_error(program: Program, x: Any, exact: Any) -> float:
    from .fifty_digits import STEP, Equations, Number

    unit = next(unit for unit in program.plan.units if unit.path == "block")
    evaluation = evaluation_of(program)
    m = evaluation.at(TIME, x, None, None).memory
    equations = Equations(unit, m)
    point = [Number(float(each)) for each in (*m.x, *m.p[evaluation.inputs], TIME)]
    error = 0.0
    for column in range(len(point)):
        sides: list[Any] = []
        for step in (STEP, -STEP):
            sides.append(
                equations.at([*point[:column], point[column] + step, *point[column + 1 :]], m.x.size)
            )
        for row, (a, b) in enumerate(zip(*sides, strict=True)):
            error = max(error, float(abs((a - b) / (2 * STEP) - Number(float(exact[row, column])))))
    return error
