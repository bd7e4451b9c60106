"""Check the declaration of a sweep, in YAML or Python, and make its design."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import prod
from typing import Any

from ...base.location import Location
from ...base.words import nearest
from ...diagrams.model.diagram_error import listed
from ...diagrams.model.gathered import Errors
from ...diagrams.model.section import Section
from ..errors import SweepError
from . import distributions
from .axes import file
from .axes.reading import read_axes
from .design import SAMPLE, Axis, Design, Group
from .keep import Keep, read_keep
from .schema import check_keys, value_of

CHUNK = 256  # scenarios that are run and stored together, by default
MOST = 10**9  # scenarios
ZIP = "zip"


@dataclass(frozen=True)
class Declaration:
    """A sweep as declared: its design, what is measured and kept, and how it is cut into pieces."""

    design: Design
    measures: Mapping[str, Any]
    keep: Keep | None
    chunk: int
    common_random_numbers: bool
    section: Section


def declaration(section: Section, errors: Errors | None = None) -> Declaration:
    """The declaration in a section.

    Raises, or gathers in `errors`, SweepError with the place of the error;
    wrong parts are left out of the declaration.
    """
    gathered = Errors(SweepError) if errors is None else errors
    check_keys(section, gathered)
    axes = read_axes(section, gathered)
    rows: tuple[Axis, ...] = ()
    with gathered:
        rows = _file(section)
    axes = _once(axes, rows, gathered)
    listed_axes = [axis for axis in axes if not axis.sampled]
    groups = [Group(axis.name, (axis,)) for axis in listed_axes]
    if not _zips_lost(axes, section):
        with gathered:
            groups = _groups(listed_axes, section)
    if rows:
        groups.append(Group(file.NAME, rows))
    design = _design(groups, tuple(axis for axis in axes if axis.sampled), section, gathered)
    common, keep, chunk = False, None, CHUNK
    measures: Mapping[str, Any] = {}
    with gathered:
        common = value_of(section, "common_random_numbers", otherwise=False)
    with gathered:
        measures = value_of(section, "measures", otherwise={})
    with gathered:
        keep = read_keep(section, measures)
    with gathered:
        chunk = value_of(section, "chunk", otherwise=CHUNK)
    if errors is None:
        gathered.finish()
    return Declaration(design, measures, keep, chunk, bool(common), section)


def _zips_lost(axes: tuple[Axis, ...], section: Section) -> bool:
    """True if `zip` names axes that have an error."""
    declared, zips = section.data.get("axes"), section.data.get("zip")
    if not isinstance(declared, Mapping) or not isinstance(zips, (list, tuple)):
        return False
    lost = set(map(str, declared)) - {axis.name for axis in axes}
    return any(str(name) in lost for group in zips if isinstance(group, (list, tuple)) for name in group)


def without_axes(section: Section, axes: Any) -> Section:
    """What a section says beside its axes: neither those that go together, nor a file, nor a number where
    none of the other `axes` is drawn.
    """
    forms = axes.values() if isinstance(axes, Mapping) else ()
    drawn = any(
        isinstance(form, Mapping) and not distributions.FORMS.keys().isdisjoint(form) for form in forms
    )
    dropped = {"axes", "zip", "file"} | (set() if drawn else {"number"})
    return replace(section, data={key: value for key, value in section.data.items() if key not in dropped})


def _file(section: Section) -> tuple[Axis, ...]:
    name = value_of(section, "file")
    if name is None:
        return ()
    from pathlib import Path

    return file.axes_of(name, section.files.get(name, Path(name)), section.at("file"))


def _once(axes: tuple[Axis, ...], rows: tuple[Axis, ...], errors: Errors) -> tuple[Axis, ...]:
    """The axes with unique names and paths; gathers SweepError for the others, and for names that
    dimensions have.
    """
    names: dict[str, Axis] = {}
    paths: dict[str, Axis] = {}
    once = []
    for i, axis in enumerate((*axes, *rows)):
        with errors:
            _check_name(axis, names)
            for path in axis.paths:
                if path in paths:
                    raise _twice(axis, path, paths[path])
                paths[path] = axis
            names[axis.name] = axis
            once += [axis] if i < len(axes) else []
    return tuple(once)


def _check_name(axis: Axis, names: Mapping[str, Axis]) -> None:
    if axis.name in names:
        raise _axis_error(axis, "the name is that of another axis", "names that differ")
    if re.fullmatch(rf"{SAMPLE}|{file.NAME}|{ZIP}\d*", axis.name):
        raise _axis_error(axis, f"`{axis.name}` is the name of a dimension", "another name")


def _twice(axis: Axis, path: str, other: Axis) -> SweepError:
    if other is axis:
        return _axis_error(axis, f"`{path}` twice", "every target once")
    where = f", at {other.location}" if other.location else ""
    return _axis_error(axis, f"`{path}`, which axis `{other.name}` has too{where}", "every target once")


def _groups(explicit: list[Axis], section: Section) -> list[Group]:
    """The explicit axes by dimension: each separately, or the axes of a zip at the place of the first one."""
    zips = value_of(section, "zip", otherwise=())
    by_name = {axis.name: axis for axis in explicit}
    zipped: dict[str, Group] = {}
    for i, names in enumerate(zips):
        name = ZIP if len(zips) == 1 else f"{ZIP}{i + 1}"
        group = Group(name, tuple(_member(by_name, names, i, j, section) for j in range(len(names))))
        _check_lengths(group, section.at("zip", i))
        for axis in group.axes:
            if axis.name in zipped or [a.name for a in group.axes].count(axis.name) > 1:
                at = section.at("zip", i)
                raise SweepError(
                    f"`zip` has axis `{axis.name}` twice", "expected: every axis once", location=at
                )
        zipped |= {axis.name: group for axis in group.axes}
    groups = [zipped.get(axis.name, Group(axis.name, (axis,))) for axis in explicit]
    return list({group.name: group for group in groups}.values())


def _member(axes: Mapping[str, Axis], names: Any, i: int, j: int, section: Section) -> Axis:
    name, at = str(names[j]), section.at("zip", i, j)
    if name in axes:
        return axes[name]
    if name in section.data.get("axes", {}):
        problem = f"`zip` names axis `{name}`, whose values are drawn from a distribution"
        raise SweepError(
            problem, "expected: axes whose values are listed; drawn ones go together", location=at
        )
    problem = f"`zip` names `{name}`, which is not an axis{nearest(str(name), list(axes))}"
    raise SweepError(problem, f"expected: one of {listed(axes)}", location=at)


def _check_lengths(group: Group, at: Location | None) -> None:
    if not group.axes:
        raise SweepError("`zip` has an empty group", "expected: the names of axes", location=at)
    first = group.axes[0]
    for axis in group.axes[1:]:
        if axis.size != first.size:
            problem = f"axis `{axis.name}` has {axis.size} values, and `{first.name}` {first.size}"
            expected = "expected: as many values of all axes that `zip` puts together"
            raise SweepError(problem, expected, path=axis.name, location=axis.location or at)


def _design(groups: list[Group], sampled: tuple[Axis, ...], section: Section, errors: Errors) -> Design:
    data, explicit = section.data, Design(tuple(groups))
    seed, sampling, number = 0, "random", int(bool(sampled))
    with errors:
        seed = value_of(section, "seed", otherwise=0)
    with errors:
        sampling = value_of(section, "sampling", otherwise="random")
    with errors:
        if sampled and data.get("number") is None:
            problem = f"axis `{sampled[0].name}` is drawn from a distribution, and `number` is missing"
            raise SweepError(
                problem, "expected: the number of scenarios to draw, `number: 1000`", location=section.at()
            )
        if not sampled and data.get("number") is not None and not errors.gathered:
            problem = "`number` is given, but no axis has a distribution"
            expected = "an axis such as {normal: {mean: 1, sd: 0.1}}, or no `number`"
            raise SweepError(problem, f"expected: {expected}", location=section.at("number", key=True))
        number = value_of(section, "number") if sampled else 0
        many = prod(explicit.sizes) * max(number, 1)
        if many > MOST:
            sizes = " x ".join(map(str, [*explicit.sizes, *([number] if sampled else [])]))
            raise SweepError(f"{sizes} scenarios", f"expected: at most {MOST}", location=section.at("axes"))
    return replace(explicit, sampled=sampled, number=number, seed=seed, sampling=sampling)


def _axis_error(axis: Axis, problem: str, expected: str) -> SweepError:
    text = f"axis `{axis.name}`: {problem}"
    return SweepError(text, f"expected: {expected}", path=axis.name, location=axis.location)
