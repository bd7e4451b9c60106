"""The mapping in a robot's YAML file becomes a Robot."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

from ...base.hints import nearest_word
from ..construct.dh import from_dh
from ..errors import InvalidRobot, RobotFileError, UnknownFrame
from ..model.arithmetic import number
from ..model.poses import vector
from ..model.robot import EARTH, Robot
from .files import Document

TEXTS = ("title", "manufacturer", "source", "notes")
FORMS = ("dh", "mdh", "elementary", "screws", "tree")
ONLY = {"links": "elementary", "tip": "tree"}  # keys of only one form
WHOLE = ("keywords", "units", "parameters", "base", "tool", "gravity", "poses")
KEYS = ("robot", *TEXTS, *FORMS, *ONLY, *WHOLE)
LARGEST = 1e100  # of a parameter
LONGEST = 10_000  # rows that `repeat` may make
ANGLES = ("theta", "alpha", "offset", "lower", "upper", "speed")
ALWAYS_ANGLES = ("theta", "alpha")


def describe(document: Document, parameters: Mapping[str, Any] | None = None) -> Robot:
    """The robot of a document, with these values of its parameters.

    Raises RobotFileError.
    """
    try:
        return _describe(document, parameters)
    except RobotFileError:
        from .files import report_all

        report_all(document, lambda left: _describe(left, parameters))
        raise


def _describe(document: Document, parameters: Mapping[str, Any] | None) -> Robot:
    reader = _Reader(document)
    try:
        return reader.robot(dict(parameters or {}))
    except InvalidRobot as error:
        problem = f"{error.place}: {error.actual}"
        key = error.place.rpartition(", ")[2]
        raise document.wrong(problem, error.expected, *reader.at, *document.key(key, reader.at)) from None
    except UnknownFrame as error:
        problem, _, expected = str(error).partition("\nexpected ")
        raise document.wrong(problem, expected, "tip") from None


class _Reader:
    """Reads one document; `at` is its position, for the line of an error."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.at: tuple[Any, ...] = ()
        self.names: dict[str, float] = {}
        self.degree = 1.0

    def robot(self, parameters: dict[str, Any]) -> Robot:
        data = self.document.values
        if not isinstance(data, dict) or not isinstance(data.get("robot"), str):
            raise self.wrong("no robot", "a mapping that begins with `robot: NAME`")
        self.check_keys(data, KEYS, ())
        forms = [form for form in FORMS if form in data]
        if len(forms) != 1:
            raise self.wrong(f"the forms {', '.join(forms) or 'none'}", f"exactly one of: {', '.join(FORMS)}")
        for key, form in ONLY.items():
            if key in data and form != forms[0]:
                raise self.wrong(
                    f"`{key}` beside `{forms[0]}`", f"`{key}` is allowed with `{form}` only", key
                )
        self.degree = self.angle_unit(data.get("units", {}))
        self.names = self.parameters(data.get("parameters") or {}, parameters)
        built = self.built(forms[0], data)
        self.at = ("poses",)
        poses = self.poses(data.get("poses") or {}, built)
        if forms[0] == "screws":
            from ..construct.screws import convert_poses

            axes = self.screws(data["screws"])
            poses = convert_poses(poses, axes.get("S", axes.get("B")))
        return built.with_poses(poses)

    def built(self, form: str, data: dict[str, Any]) -> Robot:
        self.at = (form,)
        options = self.options(data)
        if form in ("dh", "mdh"):
            convention: Any = "standard" if form == "dh" else "modified"
            return from_dh(self.rows(form, data[form]), convention=convention, **options)
        self.at = (form,)
        if form == "elementary":
            from ..construct.elementary import from_elementary

            text = data[form]
            if not isinstance(text, str):
                raise self.wrong(f"found {text!r}", "text such as `Rz(q1) Tx(0.43)`", form)
            return from_elementary(
                text, self.names, rows=list(self.rows("links", data.get("links") or [])), **options
            )
        if form == "screws":
            from ..construct.screws import from_screws

            return from_screws(**self.screws(data[form]), **options)
        from ..construct.dh import from_tree

        return from_tree(self.rows(form, data[form]), tip=data.get("tip", ""), **options)

    def screws(self, data: Any) -> dict[str, Any]:
        """M, S or B (one axis a line), Mlist, and Glist: spatial inertias, or their six diagonal elements."""
        if not isinstance(data, dict):
            raise self.wrong(f"found {type(data).__name__}", "a mapping of M, S or B, Mlist, Glist")
        self.check_keys(data, ("M", "S", "B", "Mlist", "Glist"), ("screws",))
        lists: dict[str, Any] = self.numbers(data)
        for key in ("S", "B"):
            if key in lists:
                rows = [vector(row, f"screw {i}", 6) for i, row in enumerate(self.items(lists[key], key), 1)]
                lists[key] = [list(column) for column in zip(*rows)]
        if "Mlist" in lists:
            self.items(lists["Mlist"], "Mlist")
        if "Glist" in lists:
            lists["Glist"] = [_square(inertia) for inertia in self.items(lists["Glist"], "Glist")]
        return lists

    def items(self, value: Any, key: str) -> list[Any]:
        if not isinstance(value, list) or not value:
            raise self.wrong(f"{key} is {value!r}"[:80], "a list", "screws", key)
        return value

    def options(self, data: dict[str, Any]) -> dict[str, Any]:
        self.at = ("gravity",)
        gravity = vector(self.numbers(data.get("gravity", EARTH)), "gravity")
        options: dict[str, Any] = {"name": data["robot"], "gravity": gravity}
        for key in ("base", "tool"):
            if key in data:
                self.at = (key,)
                options[key] = self.pose(data[key], key)
        for key in ("title", "source", "notes"):
            if key in data:
                options[key] = " ".join(str(data[key]).split())
        if "manufacturer" in data:
            options["title"] = f"{data['manufacturer']} {options.get('title', data['robot'])}"
        return options

    def pose(self, value: Any, place: str) -> Any:
        from ..model.poses import pose

        return pose(value if isinstance(value, str) else self.numbers(value), place, self.names)

    def rows(self, form: str, data: Any) -> Iterator[dict[str, Any]]:
        """The rows, with `repeat` expanded and angles in radians."""
        if not isinstance(data, list):
            raise self.wrong(f"found {type(data).__name__}", "a list of rows", form)
        made = 0
        for i, item in enumerate(data):
            self.at = (form, i)
            if not isinstance(item, dict):
                raise self.wrong(f"found {item!r}", "a mapping such as {d: 0.3, alpha: 90}")
            row = {key: self.number_or_text(value) for key, value in item.items()}
            count = row.pop("repeat", 1)
            if not isinstance(count, (int, float)) or not 1 <= count <= LONGEST or count != int(count):
                raise self.wrong(f"repeat is {count!r}"[:80], f"an integer, 1 to {LONGEST}")
            made += int(count)
            if made > LONGEST:
                raise self.wrong(f"more than {LONGEST} rows", f"at most {LONGEST}")
            for _ in range(int(count)):
                yield self.radians(row)

    def radians(self, row: dict[str, Any]) -> dict[str, Any]:
        row = dict(row)
        if "limits" in row:
            limits = row.pop("limits")
            if not isinstance(limits, list) or len(limits) != 2:
                raise self.wrong(f"limits is {limits!r}", "[lower, upper]")
            row["lower"], row["upper"] = limits
        turning = row.get("kind", "revolute") != "prismatic"
        for key in ANGLES if turning else ALWAYS_ANGLES:
            if isinstance(row.get(key), (int, float)) and not isinstance(row[key], bool):
                row[key] = row[key] * self.degree
        return row

    def poses(self, data: Any, robot: Robot) -> dict[str, list[float]]:
        if not isinstance(data, dict):
            raise self.wrong(f"found {data!r}", "a mapping of names to lists of numbers")
        converted = {}
        for name, value in data.items():
            self.at = ("poses", name)
            numbers = self.spread(self.numbers(value), robot.n)
            scale = [1.0 if joint.kind == "prismatic" else self.degree for joint in robot.moving]
            if not isinstance(numbers, list) or len(numbers) != robot.n:
                raise self.wrong(f"found {str(value)[:60]}", f"{robot.n} numbers, one for each moving joint")
            converted[name] = [x * s if isinstance(x, (int, float)) else x for x, s in zip(numbers, scale)]
        return converted

    def spread(self, value: Any, n: int) -> Any:
        """{fill: x}: x everywhere; {self_similar: [x1, x2]}: x1, x2, entry 1, x1, x2, entry 2, ..."""
        if not isinstance(value, dict):
            return value
        self.check_keys(value, ("fill", "self_similar"), self.at)
        if "fill" in value:
            return [value["fill"]] * n
        pattern = value.get("self_similar")
        if not isinstance(pattern, list) or not pattern:
            raise self.wrong(f"self_similar is {pattern!r}"[:80], "a list of numbers")
        period = len(pattern) + 1
        entries: list[Any] = []
        for i in range(1, n + 1):
            entries.append(pattern[i % period - 1] if i % period else entries[i // period - 1])
        return entries

    def parameters(self, data: Any, parameters: dict[str, Any]) -> dict[str, float]:
        if not isinstance(data, dict):
            raise self.wrong(f"found {data!r}", "a mapping of names to numbers", "parameters")
        for name in parameters:
            if name not in data:
                hint = nearest_word(str(name), data)
                names = ", ".join(data) or "none"
                raise self.wrong(f"there is no parameter `{name}`{hint}", f"one of: {names}", "parameters")
        for name, value in data.items():
            self.at = ("parameters", name)
            number = parameters.get(name, self.number_or_text(value))
            if isinstance(number, bool) or not isinstance(number, (int, float)) or not abs(number) < LARGEST:
                raise self.wrong(f"the parameter {name} is {number!r}", "a finite number")
            self.names[name] = float(number)
        return self.names

    def numbers(self, value: Any) -> Any:
        """A value with its formulas evaluated."""
        if isinstance(value, dict):
            return {key: self.numbers(item) for key, item in value.items()}
        if isinstance(value, (list, tuple)):
            return [self.numbers(item) for item in value]
        return self.number_or_text(value)

    def number_or_text(self, value: Any) -> Any:
        """Evaluate a text with `=` and a formula."""
        if isinstance(value, (list, dict)):
            return self.numbers(value)
        if isinstance(value, str) and value.startswith("="):
            try:
                return number(value[1:], self.names)
            except ValueError as error:
                raise self.wrong(str(error), "a formula over the file's parameters") from None
        return value

    def angle_unit(self, units: Any) -> float:
        if not isinstance(units, dict):
            raise self.wrong(
                f"found {units!r}", "{length: m, angle: rad} or {length: m, angle: deg}", "units"
            )
        self.check_keys(units, ("length", "angle"), ("units",))
        if units.get("length", "m") != "m":
            raise self.wrong(f"the length unit {units['length']!r}", "m", "units", "length")
        if units.get("angle", "rad") not in ("rad", "deg"):
            raise self.wrong(f"the angle unit {units['angle']!r}", "rad or deg", "units", "angle")
        return math.pi / 180 if units.get("angle") == "deg" else 1.0

    def check_keys(self, data: dict[str, Any], choices: tuple[str, ...], path: tuple[Any, ...]) -> None:
        for key in data:
            if key not in choices:
                problem = f"unknown key `{key}`{nearest_word(str(key), choices)}"
                raise self.wrong(problem, f"one of: {', '.join(choices)}", *path, key)

    def wrong(self, problem: str, expected: str, *path: Any) -> Exception:
        return self.document.wrong(problem, expected, *(path or self.at))


def _square(inertia: Any) -> Any:
    """Six numbers are the diagonal of a spatial inertia."""
    if not isinstance(inertia, list) or len(inertia) != 6 or isinstance(inertia[0], list):
        return inertia
    return [[inertia[i] if i == j else 0.0 for j in range(6)] for i in range(6)]
