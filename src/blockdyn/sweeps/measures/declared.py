"""Declare measures by name; they are computed for each scenario."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...base.words import nearest
from ...blocks.contract.errors import FormulaError
from ...blocks.contract.formula import Formula, parse
from ...diagrams.model import name_errors
from ...diagrams.model.diagram_error import listed
from ...diagrams.model.gathered import Errors
from ...diagrams.model.section import Section
from ...diagrams.values.resolve import resolve
from ...diagrams.values.view import View
from ..errors import SweepError, UnknownPath
from .declaration import GRADIENT, MARGINS, Measure, read_measure
from .outcome import unit_of
from .prepared import KernelData, compile_measures, prepare

if TYPE_CHECKING:
    from ...diagrams.compiler.program import Program
    from ...diagrams.model.diagram import Diagram


def check_number(measure: Measure, view: View) -> None:
    """Raises SweepError, UnknownPath."""
    try:
        target = resolve(view, measure.to)
    except name_errors.UnknownPath as error:
        raise UnknownPath(
            f"measure `{measure.name}`: {error}", path=measure.to, location=measure.location
        ) from None
    if target.kind == "setting" or target.structural or target.integral:
        reason = "a setting of the run" if target.kind == "setting" else "part of the diagram's structure"
        raise measure.wrong(
            f"to is `{measure.to}`, {reason}", "expected: a number of the diagram, by its path"
        )


class Measures:
    """Named measures of a diagram: {"worst": {"max": "abs(error)"}, "late": {"settling_time": "plant.y"}}.

    `section` is where they were read, for places in errors; its data has them under "measures".
    `loops` is the treatment of algebraic loops in runs, for a diagram that does not specify it.

    diagram   a copy of the diagram with a block for every formula; it logs what the diagram logs, and has no
              further states. Formulas with conditions add zero crossings, so this copy is the one that runs.
    signals   the outputs that a program must log to be measured
    names, units   of the measures, in the order of the results
    formulas  of other measures, by name
    order     names of these formulas, each after the formulas that it names
    derived   the names of measures with gradients, and the names in their formulas
    behind    true if there are gradients or margins, which are computed after the run of a scenario

    Raises SweepError, UnknownPath, and the DiagramError family when the diagram cannot be compiled.
    """

    def __init__(
        self, declared: Mapping[str, Any], diagram: Diagram, section: Section | None = None,
        loops: str | None = None,
    ) -> None:  # fmt: skip
        section = section or Section({"measures": declared})
        errors = Errors(SweepError)
        measures: list[Measure] = []
        self.formulas: dict[str, Formula] = {}
        for name, declaration in declared.items():
            with errors:
                measure = read_measure(name, declaration, section)
                if measure.kind == "value":
                    self.formulas[name] = _formula(measure)
                measures.append(measure)
        self.measures = tuple(measures)
        self.names = tuple(measure.name for measure in self.measures)
        if not errors.gathered:
            with errors:
                self.order = self._sorted()
                self.derived = self._derived()
        view = View(diagram)
        for measure in measures:
            with errors:
                if measure.kind == GRADIENT:
                    check_number(measure, view)
        self.behind = any(measure.kind == GRADIENT or measure.kind in MARGINS for measure in measures)
        with errors:
            self.diagram, self.columns = prepare(self.measures, diagram, errors, loops)
        errors.finish()
        self.units = tuple(map(unit_of, self.measures, (c.unit if c else "" for c in self.columns)))
        self.signals = tuple(dict.fromkeys(column.log for column in self.columns if column is not None))

    def described(self) -> dict[str, Any]:
        """The declaration in one form, as JSON can hold it."""
        return {
            m.name: {m.kind: m.of or True} | dict(sorted(m.options.items())) | ({"to": m.to} if m.to else {})
            for m in self.measures
        }

    def compiled(self, program: Program) -> KernelData:
        """The measures for a program of `diagram` that logs `signals`. Raises SweepError, UnknownPath."""
        return compile_measures(self.measures, self.columns, program)

    def finish(self, results: NDArray[np.float64]) -> NDArray[np.float64]:
        """Fill in the columns of results (n, m) that are formulas of other columns; the same array.

        A formula of NaN is NaN.
        """
        column = {name: i for i, name in enumerate(self.names)}
        for name in self.order:
            formula = self.formulas[name]
            parts = [results[:, column[part]] for part in formula.names]
            missing = np.isnan(parts).any(axis=0) if parts else np.zeros(len(results), bool)
            results[:, column[name]] = np.where(missing, np.nan, formula(*parts))
        return results

    def _derived(self) -> tuple[str, ...]:
        """Raises SweepError for gradients of a name that is not a measure, or is a gradient itself."""
        by_name = {measure.name: measure for measure in self.measures}
        plain = [measure.name for measure in self.measures if measure.kind != GRADIENT]
        derived: dict[str, None] = {}

        def visit(measure: Measure, part: str) -> None:
            if part not in plain:
                reason = "a gradient itself" if part in by_name else f"no measure{nearest(part, plain)}"
                problem = f"gradient of `{part}`, which is {reason}"
                raise measure.wrong(
                    problem, f"expected: one of {listed(plain)}" if plain else "none is there"
                )
            for inner in self.formulas[part].names if part in self.formulas else ():
                visit(measure, inner)
            derived[part] = None

        for measure in self.measures:
            if measure.kind == GRADIENT:
                visit(measure, measure.of)
        return tuple(derived)

    def _sorted(self) -> list[str]:
        """The formulas, each after the ones that it names. Raises SweepError for unknown names and cycles."""
        order: list[str] = []
        by_name = {measure.name: measure for measure in self.measures}

        def visit(name: str, trail: tuple[str, ...]) -> None:
            measure = by_name[name]
            if name in trail:
                circle = " -> ".join((*trail[trail.index(name) :], name))
                raise measure.wrong(f"measures that name one another in a cycle: {circle}")
            for part in self.formulas[name].names:
                if part not in by_name:
                    problem = f"`{part}` in `{measure.of}` is not a measure{nearest(part, list(by_name))}"
                    others = [other for other in by_name if other != name]
                    raise measure.wrong(problem, f"expected: a formula of {listed(others)}")
                if part in self.formulas and part not in order:
                    visit(part, (*trail, name))
            if name not in order:
                order.append(name)

        for name in self.formulas:
            visit(name, ())
        return order


def _formula(measure: Measure) -> Formula:
    try:
        formula = parse(measure.of)
    except FormulaError as error:
        raise measure.wrong(str(error)) from None
    if formula.root.operation == "list":
        raise measure.wrong(f"`{measure.of}` is a list", "expected: one number, a formula of measures")
    return formula
