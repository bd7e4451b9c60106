"""The number of the diagram by which a measure is a gradient, looked up before anything runs."""

from __future__ import annotations

from ...diagrams.model import name_errors
from ...diagrams.targets.resolve import resolve
from ...diagrams.targets.view import View
from ..errors import UnknownPath
from .declaration import Measure


def check_number(measure: Measure, view: View) -> None:
    """Raises BadMeasure, UnknownPath."""
    try:
        target = resolve(view, measure.to)
    except (name_errors.UnknownPath, name_errors.NoElement) as error:
        raise UnknownPath(
            f"measure `{measure.name}`: {error}", path=measure.to, location=measure.location
        ) from None
    if target.kind == "setting" or target.structural or target.integral:
        what = "a setting of the run" if target.kind == "setting" else "part of the diagram's structure"
        raise measure.wrong(f"to is `{measure.to}`, {what}", "expected: a number of the diagram, by its path")
