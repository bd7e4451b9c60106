"""Read an axis from its declaration: a list, or a mapping with one form and the paths that it sets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ....base.hints import nearest_word
from ....base.location import Location
from ....base.words import short
from ....diagrams.model.gathered import Errors
from ....diagrams.model.section import Section
from ...errors import SweepError
from .. import distributions
from ..design import Axis
from . import explicit

FORMS = (*explicit.FORMS, *distributions.FORMS)
_EXAMPLES = "a list of values, or a mapping such as {linspace: [0, 2, 5]} or {normal: {mean: 1, sd: 0.1}}"


def read_axes(section: Section, errors: Errors) -> tuple[Axis, ...]:
    """The axes of a section, in order of declaration. Gathers SweepError."""
    axes = section.data.get("axes", {})
    if not isinstance(axes, Mapping):
        at = section.at("axes")
        errors.take(
            SweepError(f"`axes` is {short(axes)}", "expected: a mapping of paths to values", location=at)
        )
        return ()
    declared_axes = []
    for name, declared in axes.items():
        with errors:
            declared_axes.append(_axis(name, declared, section))
    return tuple(declared_axes)


def _axis(name: Any, declared: Any, section: Section) -> Axis:
    at = section.at("axes", name, key=True)
    if not isinstance(name, str) or not name.strip():
        raise SweepError(f"the axis {name!r}", "expected: a path, or a name, as text", location=at)
    if isinstance(declared, (list, tuple, np.ndarray, range)):
        return _check_axis(Axis(name, (name,), "values", _to_list(declared), at), section, ())
    if not isinstance(declared, Mapping):
        hint = "" if not explicit.is_number(declared) else f"; for one value, [{declared}]"
        raise _axis_error(name, f"it is {short(declared)}", _EXAMPLES + hint, section.at("axes", name))
    for key in declared:
        if key not in (*FORMS, "paths"):
            problem = f"unknown key `{key}`{nearest_word(str(key), (*FORMS, 'paths'))}"
            raise _axis_error(
                name, problem, f"one of {', '.join(FORMS)}, paths", section.at("axes", name, key, key=True)
            )
    forms = [key for key in declared if key != "paths"]
    if len(forms) != 1:
        problem = f"both `{forms[0]}` and `{forms[1]}`" if forms else "it has no values"
        raise _axis_error(name, problem, f"one of {', '.join(FORMS)}", at)
    form = forms[0]
    paths = _paths(name, declared.get("paths", [name]), section)
    return _check_axis(Axis(name, paths, form, _to_list(declared[form]), at), section, (form,))


def _to_list(declared: Any) -> Any:
    """A list for other sequences of Python; other values unchanged."""
    if isinstance(declared, (np.ndarray, np.generic)):
        return declared.tolist()
    return list(declared) if isinstance(declared, (tuple, range)) else declared


def _paths(name: str, declared: Any, section: Section) -> tuple[str, ...]:
    at = section.at("axes", name, "paths")
    if isinstance(declared, str) or not isinstance(declared, (list, tuple)) or not declared:
        raise _axis_error(name, f"`paths` is {short(declared)}", "a list of paths", at)
    for i, path in enumerate(declared):
        if not isinstance(path, str):
            at = section.at("axes", name, "paths", i)
            raise _axis_error(name, f"`paths` holds {short(path)}", "paths as text", at)
    return tuple(declared)


def _check_axis(axis: Axis, section: Section, steps: tuple[str, ...]) -> Axis:
    """The axis, if its values are possible: raises SweepError at the place of the error."""
    place = section.at("axes", axis.name, *steps)
    if not axis.sampled:
        problem = explicit.wrong(axis.form, axis.declared)
        if problem is not None:
            raise _axis_error(axis.name, *problem, place)
        return axis
    if not isinstance(axis.declared, Mapping):
        names = distributions.FORMS[axis.form].numbers
        text = f"axis `{axis.name}`: `{axis.form}` is {short(axis.declared)}"
        expected = f"expected: a mapping of {', '.join(names)}"
        raise SweepError(text, expected, path=axis.name, location=place)
    names = distributions.FORMS[axis.form].numbers
    for key in axis.declared:
        if key not in names:
            text = f"axis `{axis.name}`: `{axis.form}` has no `{key}`{nearest_word(str(key), names)}"
            at = section.at("axes", axis.name, *steps, key, key=True)
            raise SweepError(text, f"expected: {', '.join(names)}", path=axis.name, location=at)
    distribution = distributions.distribution(axis.form, axis.declared, axis.name, place)
    if axis.form == "gaussian" and distribution.width != len(axis.paths):
        text = f"{distribution.width} means for {len(axis.paths)} paths"
        expected = "one mean a path: {paths: [a.k, b.k], gaussian: {mean: [0, 0], covariance: ...}}"
        raise SweepError(
            f"axis `{axis.name}`: {text}", f"expected: {expected}", path=axis.name, location=place
        )
    return axis


def _axis_error(name: str, problem: str, expected: str, at: Location | None) -> SweepError:
    return SweepError(f"axis `{name}`: {problem}", f"expected: {expected}", path=name, location=at)
