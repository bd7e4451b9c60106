"""Read modelDescription.xml: the variables of an FMU, their types, units and values, and its structure.

Sources: Functional Mock-up Interface 2.0.4, section 2.2, and 3.0.2, sections 2.4 and 3.3.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from math import prod
from typing import Any
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers.expat import ExpatError, ParserCreate

from ...base.errors import BlockdynError
from ...base.words import short

REALS = ("Real", "Float64", "Float32")
TEXTS = ("String", "Binary")
OTHERS = (
    "Integer", "Boolean", "Enumeration", "Int8", "UInt8", "Int16", "UInt16", "Int32", "UInt32", "Int64",
    "UInt64",
)  # fmt: skip
TYPES = (*REALS, *OTHERS, *TEXTS, "Clock")
KINDS = {"me": "ModelExchange", "cs": "CoSimulation"}
MOST_VARIABLES = 1_000_000
DEEPEST = 30  # levels of nested elements
LARGEST = 100_000  # elements of one variable


class FmuError(BlockdynError):
    """An FMU that cannot be used; `file` is its path."""

    def __init__(self, file: str, problem: str, expected: str) -> None:
        self.file, self.problem, self.expected = file, problem, expected
        super().__init__(f"{file}: {problem}\nexpected: {expected}")


@dataclass(frozen=True)
class Variable:
    """A variable of an FMU: its value reference, type, role, shape and first value."""

    name: str
    reference: int
    type: str
    causality: str
    variability: str
    initial: str = ""
    unit: str = ""
    start: tuple[str, ...] = ()
    text: str = ""
    derivative: int = 0  # of which variable: the index from 1, in FMI 3.0 the value reference; 0: none
    shape: tuple[int, ...] = ()

    @property
    def count(self) -> int:
        """The number of elements."""
        return prod(self.shape)

    @property
    def continuous(self) -> bool:
        """True if it may change between events."""
        return self.type in REALS and self.variability == "continuous"

    @property
    def settable(self) -> bool:
        """True if it has a value that may be given before the run."""
        fixed = self.causality in ("input", "independent") or self.variability == "constant"
        return not fixed and (self.causality == "parameter" or self.initial in ("exact", "approx"))


@dataclass(frozen=True)
class Description:
    """The content of modelDescription.xml; `kinds` are its kinds, "me" and "cs", with their attributes."""

    file: str
    version: int  # 2 or 3
    name: str
    identity: str
    text: str
    kinds: Mapping[str, Mapping[str, str]]
    variables: tuple[Variable, ...]
    states: tuple[Variable, ...]
    derivatives: tuple[Variable, ...]
    indicators: int
    feedthrough: Mapping[str, tuple[str, ...] | None] = field(default_factory=dict)  # inputs by outputs
    step: float | None = None
    tolerance: float | None = None
    stop: float | None = None  # of the default experiment, s

    def of(self, causality: str) -> tuple[Variable, ...]:
        """The variables of a causality."""
        return tuple(v for v in self.variables if v.causality == causality)


def read_description(file: str, data: bytes) -> Description:
    """The description in the bytes of modelDescription.xml. Raises FmuError."""
    root = _parse(file, data)
    version = root.get("fmiVersion", "")
    if root.tag != "fmiModelDescription" or version.partition(".")[0] not in ("2", "3"):
        remedy = "; export it again as FMI 2.0 or 3.0" if version.startswith("1") else ""
        raise FmuError(file, f"it is of FMI version {version or 'unknown'}", f"FMI 2.0 or 3.0{remedy}")
    number = int(version[0])
    kinds = {kind: dict(part.attrib) for kind, tag in KINDS.items() if (part := root.find(tag)) is not None}
    for attributes in kinds.values():
        if not re.fullmatch(r"[A-Za-z_]\w*", attributes.get("modelIdentifier", ""), re.ASCII):
            problem = f"modelIdentifier is {attributes.get('modelIdentifier', '')!r:.60}"
            raise FmuError(file, problem, "a name of letters, digits and underscores")
    units = _units_of_types(root)
    variables = tuple(_variables(file, root, number, units))
    experiment = root.find("DefaultExperiment")
    numbers: Any = {} if experiment is None else experiment.attrib
    states, derivatives, indicators, feedthrough = _structure(file, root, number, variables)
    identity = root.get("guid" if number == 2 else "instantiationToken", "")
    return Description(
        file, number, root.get("modelName", ""), identity,
        root.get("description", ""), kinds, variables, states, derivatives, indicators, feedthrough,
        _number(numbers.get("stepSize")), _number(numbers.get("tolerance")),
        _number(numbers.get("stopTime")),
    )  # fmt: skip


def _parse(file: str, data: bytes) -> Element:
    """The root element. Entities and documents of other forms are rejected."""
    builder, parser, depth = TreeBuilder(), ParserCreate(), [0]

    def begin(tag: str, attributes: dict[str, str]) -> None:
        depth[0] += 1
        if depth[0] > DEEPEST:
            raise FmuError(file, f"elements nested more than {DEEPEST} deep", "a flat list")
        builder.start(tag, attributes)

    def end(tag: str) -> None:
        depth[0] -= 1
        builder.end(tag)

    def doctype(*_: Any) -> None:
        raise FmuError(file, "modelDescription.xml has a DOCTYPE", "elements alone: no entity is expanded")

    parser.StartElementHandler, parser.EndElementHandler = begin, end
    parser.CharacterDataHandler = builder.data
    parser.StartDoctypeDeclHandler = doctype
    try:
        parser.Parse(data, True)
        return builder.close()
    except (ExpatError, ValueError, LookupError) as error:
        raise FmuError(file, f"modelDescription.xml is not XML: {error}", "well-formed XML") from None


def _units_of_types(root: Element) -> dict[str, str]:
    """The units of the declared types."""
    units = {}
    for kind in root.iterfind("TypeDefinitions/*"):
        inner = kind if kind.tag != "SimpleType" else next(iter(kind), kind)
        units[kind.get("name", "")] = inner.get("unit", "")
    return units


def _variables(file: str, root: Element, version: int, units: Mapping[str, str]) -> Iterator[Variable]:
    listed = root.find("ModelVariables")
    lengths = {
        part.get("valueReference", ""): part.get("start", "")
        for part in root.iterfind("ModelVariables/UInt64")
    }
    for number, entry in enumerate([] if listed is None else listed):
        if number >= MOST_VARIABLES:
            raise FmuError(file, f"more than {MOST_VARIABLES} variables", "fewer")
        typed = entry
        if version == 2:
            typed = next((part for part in entry if part.tag in TYPES), entry)
        name, kind = entry.get("name", ""), typed.tag
        if kind not in TYPES:
            raise FmuError(file, f"the variable `{name}` is of the type {kind}", f"one of {', '.join(TYPES)}")
        starts = tuple(part.get("value", "") for part in typed.iterfind("Start"))
        start = typed.get("start")
        if start is not None and not starts:
            starts = (start,) if version == 2 or kind in TEXTS else tuple(start.split())
        shape = tuple(_shape(file, name, typed, lengths))
        reference = _read_count(file, name, "valueReference", entry.get("valueReference", ""))
        causality = entry.get("causality", "local")
        variability = entry.get("variability") or _usual_variability(kind, causality)
        derivative = typed.get("derivative", "0")
        initial = entry.get("initial") or _usual_initial(causality, variability, bool(starts))
        yield Variable(
            name, reference, kind, causality, variability, initial,
            typed.get("unit") or units.get(typed.get("declaredType", ""), ""), starts,
            entry.get("description", ""), _read_count(file, name, "derivative", derivative), shape,
        )  # fmt: skip


def _usual_variability(kind: str, causality: str) -> str:
    if causality in ("parameter", "calculatedParameter", "structuralParameter"):
        return "fixed"
    return "continuous" if kind in REALS else "discrete"


def _usual_initial(causality: str, variability: str, started: bool) -> str:
    """The value of `initial` if it is not given."""
    if variability == "constant" or causality in ("input", "parameter", "structuralParameter"):
        return "exact"
    return "exact" if started and causality in ("output", "local") else "calculated"


def _shape(file: str, name: str, typed: Element, lengths: Mapping[str, str]) -> Iterator[int]:
    """The lengths of an array, as they are declared or as a structural parameter has them."""
    total = 1
    for part in typed.iterfind("Dimension"):
        text = part.get("start") or lengths.get(part.get("valueReference", ""), "")
        length = _read_count(file, name, "a dimension", text)
        total *= length
        if total > LARGEST:
            raise FmuError(file, f"`{name}` has more than {LARGEST} elements", "fewer")
        yield length


def _read_count(file: str, name: str, role: str, text: str) -> int:
    if not re.fullmatch(r"\d{1,10}", text, re.ASCII):
        raise FmuError(file, f"{role} of `{name}` is {text!r:.40}", "a whole number")
    return int(text)


def _number(text: str | None) -> float | None:
    try:
        value = float(text or "")
    except ValueError:
        return None
    return value if 0.0 < value < 1e300 else None


def _structure(
    file: str, root: Element, version: int, variables: tuple[Variable, ...]
) -> tuple[tuple[Variable, ...], tuple[Variable, ...], int, dict[str, tuple[str, ...] | None]]:
    """States, their derivatives, the number of event indicators, and the inputs with direct feedthrough."""
    structure = root.find("ModelStructure")
    parts = [] if structure is None else list(structure)
    inputs = {v.name for v in variables if v.causality == "input"}
    places = {str(k): v for k, v in enumerate(variables, 1)}
    if version == 3:
        places = {str(v.reference): v for v in variables}
    if version == 2:
        outputs = root.findall("ModelStructure/Outputs/Unknown")
        slopes = root.findall("ModelStructure/Derivatives/Unknown")
        key = "index"
    else:
        outputs = [part for part in parts if part.tag == "Output"]
        slopes = [part for part in parts if part.tag == "ContinuousStateDerivative"]
        key = "valueReference"
    feedthrough: dict[str, tuple[str, ...] | None] = {}
    for part in outputs:
        dependencies = part.get("dependencies")
        name = _placed(file, places, part.get(key, ""), "an output").name
        feedthrough[name] = None
        if dependencies is not None:
            needed = [_placed(file, places, text, "a dependency").name for text in dependencies.split()]
            feedthrough[name] = tuple(text for text in needed if text in inputs)
    derivatives = tuple(_placed(file, places, part.get(key, ""), "a derivative") for part in slopes)
    states = tuple(_placed(file, places, str(v.derivative), f"`{v.name}`") for v in derivatives)
    if version == 2:
        indicators = _read_count(
            file, "the model", "numberOfEventIndicators", root.get("numberOfEventIndicators", "0")
        )
    else:
        marked = [part for part in parts if part.tag == "EventIndicator"]
        indicators = sum(_placed(file, places, p.get(key, ""), "an indicator").count for p in marked)
    return states, derivatives, indicators, feedthrough


def _placed(file: str, places: Mapping[str, Variable], text: str, role: str) -> Variable:
    if text not in places:
        problem = f"{role} in ModelStructure names the variable {short(text)}"
        raise FmuError(file, problem, "one of ModelVariables")
    return places[text]
