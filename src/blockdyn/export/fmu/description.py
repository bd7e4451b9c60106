"""The files of an FMU that describe it: modelDescription.xml, and a page about it.

Source: Functional Mock-up Interface for Model Exchange and Co-Simulation 2.0.4, section 2.2.
"""

from __future__ import annotations

import html
from collections.abc import Sequence
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from .content import Content, FmuVariable

MODEL_EXCHANGE, CO_SIMULATION = "me", "cs"


def describe(content: Content, name: str, identifier: str, identity: str, kinds: Sequence[str]) -> bytes:
    """The text of modelDescription.xml."""
    variables = content.variables
    exchange = MODEL_EXCHANGE in kinds
    root = Element("fmiModelDescription", fmiVersion="2.0", modelName=name, guid=identity)
    root.set("generationTool", "blockdyn")
    root.set("variableNamingConvention", "flat")
    if exchange:
        root.set("numberOfEventIndicators", str(content.indicators))
    abilities = {
        "modelIdentifier": identifier, "canNotUseMemoryManagementFunctions": "true",
        "canGetAndSetFMUstate": "true", "canSerializeFMUstate": "true",
    }  # fmt: skip
    if exchange:
        silent = {} if content.indicators else {"completedIntegratorStepNotNeeded": "true"}
        SubElement(root, "ModelExchange", abilities | silent)
    if CO_SIMULATION in kinds:
        SubElement(root, "CoSimulation", abilities | {"canHandleVariableCommunicationStepSize": "true"})
    _units(root, variables)
    categories = SubElement(root, "LogCategories")
    SubElement(categories, "Category", name="logStatusError", description="errors, and calls out of order")
    settings = content.export.prepared.settings
    SubElement(
        root, "DefaultExperiment", startTime=repr(settings.start), stopTime=repr(settings.stop),
        tolerance=repr(settings.tightest),
    )  # fmt: skip
    listed = SubElement(root, "ModelVariables")
    derivatives = [k for k, variable in enumerate(variables) if variable.derivative >= 0]
    for reference, variable in enumerate(variables):
        _variable(listed, reference, variable, variables)
    _structure(root, variables, derivatives)
    indent(root)
    text: str = tostring(root, "unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'.encode()


def _units(root: Element, variables: Sequence[FmuVariable]) -> None:
    """The names of the units."""
    names = sorted({variable.unit for variable in variables} - {""})
    if names:
        units = SubElement(root, "UnitDefinitions")
        for name in names:
            SubElement(units, "Unit", name=name)


def _variable(
    listed: Element, reference: int, variable: FmuVariable, variables: Sequence[FmuVariable]
) -> None:
    """A ScalarVariable."""
    scalar = SubElement(listed, "ScalarVariable", name=variable.name, valueReference=str(reference))
    scalar.set("causality", variable.causality)
    scalar.set("variability", variable.variability)
    if variable.initial:
        scalar.set("initial", variable.initial)
    real = SubElement(scalar, "Real")
    if variable.unit:
        real.set("unit", variable.unit)
    if variable.start is not None:
        real.set("start", repr(variable.start))
    if variable.derivative >= 0:
        real.set("derivative", str(1 + state_of(variable, variables)))


def state_of(variable: FmuVariable, variables: Sequence[FmuVariable]) -> int:
    """The index of the state of a derivative: its name is der(name)."""
    name = variable.name.removeprefix("der(").removesuffix(")")
    return next(k for k, other in enumerate(variables) if other.name == name)


def _structure(root: Element, variables: Sequence[FmuVariable], derivatives: Sequence[int]) -> None:
    """The outputs and the derivatives; both are unknown before the run begins."""
    structure = SubElement(root, "ModelStructure")
    outputs = [k for k, variable in enumerate(variables) if variable.causality == "output"]
    groups = (
        ("Outputs", outputs),
        ("Derivatives", derivatives),
        ("InitialUnknowns", sorted([*outputs, *derivatives])),
    )
    for title, indices in groups:
        if indices:
            part = SubElement(structure, title)
            for k in indices:
                SubElement(part, "Unknown", index=str(k + 1))


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
