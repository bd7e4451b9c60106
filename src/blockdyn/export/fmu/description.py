"""Write the files that describe an FMU: modelDescription.xml, and a page about it.

Source: Functional Mock-up Interface for Model Exchange and Co-Simulation 2.0.4, section 2.2;
Functional Mock-up Interface Specification 3.0.1, section 2.4.
"""

from __future__ import annotations

import html
from collections.abc import Sequence
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from .content import Content, FmuVariable
from .instance import INDICATOR

MODEL_EXCHANGE, CO_SIMULATION = "me", "cs"
TAGS = {MODEL_EXCHANGE: "ModelExchange", CO_SIMULATION: "CoSimulation"}


def describe(
    content: Content, name: str, identifier: str, identity: str, kinds: Sequence[str], fmi: int
) -> bytes:
    """The text of modelDescription.xml."""
    variables = content.variables
    root = Element("fmiModelDescription", fmiVersion=f"{fmi}.0", modelName=name)
    root.set("guid" if fmi == 2 else "instantiationToken", identity)
    root.set("generationTool", "blockdyn")
    root.set("variableNamingConvention", "flat")
    if fmi == 2 and MODEL_EXCHANGE in kinds:
        root.set("numberOfEventIndicators", str(content.indicators))
    for kind, abilities in _abilities(fmi, content.indicators).items():
        if kind in kinds:
            if content.directions.code is not None:
                abilities[f"providesDirectionalDerivative{'s' if fmi == 3 else ''}"] = "true"
            SubElement(root, TAGS[kind], {"modelIdentifier": identifier, **abilities})
    _units(root, variables)
    categories = SubElement(root, "LogCategories")
    SubElement(categories, "Category", name="logStatusError", description="errors, and calls out of order")
    settings = content.export.prepared.settings
    SubElement(
        root, "DefaultExperiment", startTime=repr(settings.start), stopTime=repr(settings.stop),
        tolerance=repr(settings.tightest),
    )  # fmt: skip
    listed = SubElement(root, "ModelVariables")
    for reference, variable in enumerate(variables):
        _variable(listed, reference, variable, variables, fmi)
    _structure(root, variables, fmi)
    indent(root)
    text: str = tostring(root, "unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'.encode()


def _abilities(fmi: int, indicators: int) -> dict[str, dict[str, str]]:
    """What an FMU can do, by its kind. In Co-Simulation it handles its events itself."""
    if fmi == 2:
        memory = {
            "canNotUseMemoryManagementFunctions": "true",
            "canGetAndSetFMUstate": "true", "canSerializeFMUstate": "true",
        }  # fmt: skip
        exchange = {} if indicators else {"completedIntegratorStepNotNeeded": "true"}
        stepped = {"canHandleVariableCommunicationStepSize": "true"}
    else:
        memory = {"canGetAndSetFMUState": "true", "canSerializeFMUState": "true"}
        exchange = {"needsCompletedIntegratorStep": "true" if indicators else "false"}
        stepped = {
            "canHandleVariableCommunicationStepSize": "true", "hasEventMode": "false",
            "providesIntermediateUpdate": "false", "canReturnEarlyAfterIntermediateUpdate": "false",
        }  # fmt: skip
    return {MODEL_EXCHANGE: memory | exchange, CO_SIMULATION: memory | stepped}


def _units(root: Element, variables: Sequence[FmuVariable]) -> None:
    """The names of the units."""
    names = sorted({variable.unit for variable in variables} - {""})
    if names:
        units = SubElement(root, "UnitDefinitions")
        for name in names:
            SubElement(units, "Unit", name=name)


def _variable(
    listed: Element, reference: int, variable: FmuVariable, variables: Sequence[FmuVariable], fmi: int
) -> None:
    """A ScalarVariable of FMI 2.0, a Float64 of FMI 3.0."""
    tag = "ScalarVariable" if fmi == 2 else "Float64"
    scalar = SubElement(listed, tag, name=variable.name, valueReference=str(reference))
    if variable.text:
        scalar.set("description", variable.text)
    scalar.set("causality", variable.causality)
    scalar.set("variability", variable.variability)
    if variable.initial:
        scalar.set("initial", variable.initial)
    real = SubElement(scalar, "Real") if fmi == 2 else scalar
    if variable.unit:
        real.set("unit", variable.unit)
    if variable.start is not None:
        real.set("start", repr(variable.start))
    if variable.causality == "local" and variable.start is not None:  # a state: events may set it
        real.set("reinit", "true")
    if variable.derivative >= 0:
        real.set("derivative", str(_key(state_of(variable, variables), fmi)))


def state_of(variable: FmuVariable, variables: Sequence[FmuVariable]) -> int:
    """The index of the state of a derivative: its name is der(name)."""
    name = variable.name.removeprefix("der(").removesuffix(")")
    return next(k for k, other in enumerate(variables) if other.name == name)


def _key(index: int, fmi: int) -> int:
    """The number by which a variable is named: its place from 1 on in FMI 2.0, its reference in FMI 3.0."""
    return index + 1 if fmi == 2 else index


def _structure(root: Element, variables: Sequence[FmuVariable], fmi: int) -> None:
    """The outputs and the derivatives, both unknown before the run begins, and the event indicators."""
    structure = SubElement(root, "ModelStructure")
    outputs = [k for k, variable in enumerate(variables) if variable.causality == "output"]
    derivatives = [k for k, variable in enumerate(variables) if variable.derivative >= 0]
    unknown = sorted([*outputs, *derivatives])
    if fmi == 2:
        groups = {"Outputs": outputs, "Derivatives": derivatives, "InitialUnknowns": unknown}
        for title, indices in groups.items():
            part = SubElement(structure, title) if indices else structure
            for k in indices:
                SubElement(part, "Unknown", index=str(_key(k, fmi)))
        return
    indicators = [k for k, variable in enumerate(variables) if variable.settable == INDICATOR]
    groups = {
        "Output": outputs, "ContinuousStateDerivative": derivatives, "InitialUnknown": unknown,
        "EventIndicator": indicators,
    }  # fmt: skip
    for title, indices in groups.items():
        for k in indices:
            SubElement(structure, title, valueReference=str(_key(k, fmi)))


def document(content: Content, name: str, kinds: Sequence[str]) -> bytes:
    """The page about an FMU: its variables, and the numbers that are fixed in it."""
    settings = content.export.prepared.settings
    titles = {MODEL_EXCHANGE: "Model Exchange", CO_SIMULATION: "Co-Simulation"}
    rows = "\n".join(
        f"<tr><td>{html.escape(v.name)}<td>{v.causality}<td>{v.variability}<td>{html.escape(v.unit)}"
        f"<td>{'' if v.start is None else repr(v.start)}"
        for v in content.variables
    )
    fixed = "\n".join(
        f"<tr><td>{html.escape(path)}<td>{html.escape(repr(value))}<td>{html.escape(content.reason(path))}"
        for path, value in content.fixed.items()
    )
    text = f"""<!doctype html>
<html lang="en"><meta charset="utf-8"><title>{html.escape(name)}</title>
<h1>{html.escape(name)}</h1>
<p>Exported by blockdyn for {" and ".join(titles[kind] for kind in kinds)}. Co-Simulation runs the method
{html.escape(settings.method.name)} with a relative tolerance of {settings.tightest!r}, and finds events at
their instants. Inputs are held between communication points.</p>
<h2>Variables</h2>
<table><tr><th>name<th>causality<th>variability<th>unit<th>start
{rows}
</table>
<h2>Fixed numbers</h2>
<p>The code of the run depends on these numbers, or computes others from them in a way that is not arithmetic.
To change one, export again.</p>
<table><tr><th>path<th>value<th>reason
{fixed}
</table>
</html>
"""
    return text.encode("utf-8")
