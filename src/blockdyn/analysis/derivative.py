"""Derivatives of signals and state derivatives of a diagram at a point, with names."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..base.hints import hint_keywords
from ..base.shown import NotebookText
from ..base.text_table import Table, plain
from ..diagrams.model.diagram import Diagram
from ..native.tangent.frame import NotDifferentiable
from .errors import AnalysisError
from .linearize import Names, Question, listed
from .models.linear_model import Matrix, chosen
from .point import At, point_of

SLOPE, TIME = "'", "t"


@dataclass(frozen=True, eq=False, repr=False)
class Derivatives(NotebookText):
    """Derivatives at a point, exact to rounding.

    values       (p, m): one row for each element of `of`, the dependent values, and one column for each of
    `by`
    of, by       the names of the elements: "arm.position[2]", and "arm.position'[2]" for its derivative
    differences  paths of blocks that run in Python, whose derivatives are differences (about 1e-11), not
    exact
    """

    values: Matrix
    of: tuple[str, ...]
    by: tuple[str, ...]
    differences: tuple[str, ...] = ()

    def __getitem__(self, names: tuple[str, str]) -> Any:
        """d of / d by: a number, or for vectors a vector or a matrix. Raises UnknownVariable."""
        if not isinstance(names, tuple) or len(names) != 2:
            raise AnalysisError(f"[{names!r:.80}]", 'two names: derivatives["y", "gain.k"]')
        rows, columns = chosen("of", names[0], self.of), chosen("by", names[1], self.by)
        part = self.values[np.ix_(rows, columns)]
        if names[1] in self.by:
            part = part[:, 0]
        part = part[0] if names[0] in self.of else part
        return float(part) if np.ndim(part) == 0 else part

    def __repr__(self) -> str:
        rows = [(name, *(f"{v:.6g}" for v in row)) for name, row in zip(self.of, self.values, strict=True)]
        return plain(Table("Derivatives", ("signal", *(f"d/d {name}" for name in self.by)), rows))


@hint_keywords
def derivative(
    diagram: Diagram,
    of: Names,
    by: Names,
    *,
    at: At = None,
    time: float | None = None,
    loops: str | None = None,
) -> Derivatives:
    """The derivatives of signals and state derivatives with respect to parameters and states, at one point.

            d of / d by,  all that is not named in `by` and does not depend on it being constant: states,
            inputs, the time, values held between ticks

    of     Outports, signals as they leave their source, and derivatives of states: "motor.x'"
    by     states, Inports, signals to which a value is added, parameters of blocks, "gain.k", and the
           time, "t"; as for `Diagram.linearize`
    at     the point, and `time`, as for `linearize`: None as a run begins, values by name, a time of a run

    For the change of a whole run see `Diagram.sensitivities`. At a kink the derivative belongs to the side on
    which a run that begins there continues. Raises UnknownVariable, AnalysisError, NotDifferentiable,
    DiagramError.

    Example:
        bd.derivative(d, ["y", "motor.x'"], ["motor.x", "gain.k"], at={"motor.x": 1.0})["y", "gain.k"]
    """
    if not isinstance(diagram, Diagram):
        raise AnalysisError(f"diagram is {diagram!r:.80}", "a Diagram: bd.load of its file or name")
    program = diagram.compile(loops=loops)
    timed = all(variable.name != TIME for variable in program.inputs)
    states = {variable.name for variable in program.states}
    rows, columns = listed(() if of is None else of), listed(() if by is None else by)
    if not rows or not columns:
        raise AnalysisError(f"of is {of!r:.60}, by is {by!r:.60}", 'one or more names in each: "y", "gain.k"')
    slopes = [name for name in rows if name.endswith(SLOPE)]
    others = [name for name in columns if name not in states and not (timed and name == TIME)]
    question = Question(program, others, [name for name in rows if name not in slopes], (), 0.0, ("by", "of"))
    m = question.chosen(question.model(point_of(program, at, time)))
    stacked = np.block([[m.A, m.B, m.f_t[:, None]], [m.C, m.D, m.g_t[:, None]]])
    all_rows = (*(_slope(name) for name in m.states), *m.outputs)
    all_columns = (*m.states, *m.inputs, TIME if timed else "")
    picked = [k for name in rows for k in chosen("of", name, all_rows)]
    along = [k for name in columns for k in chosen("by", name, all_columns)]
    matrix = stacked[np.ix_(picked, along)]
    if np.any(np.isnan(matrix)):
        raise NotDifferentiable("a value that is not the same the second time, or not defined", m.differences)
    return Derivatives(
        matrix, tuple(all_rows[k] for k in picked),
        tuple(all_columns[k] for k in along), m.differences,
    )  # fmt: skip


def _slope(name: str) -> str:
    """The name of a state's derivative: arm.q'[2] for arm.q[2]."""
    path, bracket, index = name.partition("[")
    return f"{path}{SLOPE}{bracket}{index}"
