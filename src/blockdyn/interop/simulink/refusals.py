"""Refuse parameters, data types and buses that no maker reads, and ports without a counterpart."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ...blocks.contract.errors import BlockError, ParameterError
from .matlab import UnreadableText
from .model import SimulinkBlock, Wire, kind_of, port_number
from .sizes import takes_bus
from .use import CONSTANT, MISTAKES, Ends, Maker, Obstacle, Untranslated, Use

if TYPE_CHECKING:
    from .translate import Translator

REFUSED = {
    "IsBusElementPort": ("on", "a port for an element of a bus", "use a port with a Bus Selector or Creator"),
    "Variant": (
        "on",
        "a subsystem of variants of which none or several are active",
        "give the variables of their conditions with --value",
    ),
    "SatLimitsSource": ("external", "limits from ports", "use a Saturation Dynamic"),
    "LimitIntegrator": ("on", "limits of the integral", "use an Integrator with limits"),
    "UseKiTs": ("on", "an integral gain per sample", "give the gain per second"),
    "UseExternalTs": ("on", "a sample time from a port", "give it as a number"),
    "DataSpecification": ("Lookup table object", "a table in an object", "give table and breakpoints"),
    "BusSelectionMode": ("on", "a Demux of a bus", "use a Bus Selector"),
    "LatchByDelayingOutsideSignal": ("on", "a delayed input of a subsystem", "use a Unit Delay outside"),
    "NumeratorSource": ("Input port", "coefficients from a port", "give them in the dialog"),
    "DenominatorSource": ("Input port", "coefficients from a port", "give them in the dialog"),
    "CoefSource": ("Input port", "coefficients from a port", "give them in the dialog"),
}
"""Values of parameters without a counterpart, with reasons and remedies, by the name of the parameter."""
DOUBLES = ("double", "boolean", "logical", "auto", "inherit")
"""Names of types whose values doubles hold; other names are variables."""
TYPE_FIELDS = re.compile(r"\w*DataTypeStr|DataType|OutDataTypeMode")
"""Fields with the types of outputs, parameters, tables, sums and products within a block."""
INTEGERS = re.compile(r"u?int\d+|fixdt|single|half|sfix|ufix|sint|uint|float\('single'\)")
CARRIERS = (
    "BusCreator", "BusSelector", "Switch", "MultiPortSwitch", "ManualSwitch", "Outport", "Inport", "Goto",
    "From", "Terminator", "Scope", "ToWorkspace", "SignalConversion", "SignalSpecification",
)  # fmt: skip
"""Blocks whose counterparts take buses."""


def refuse_parameters(use: Use) -> None:
    """Refuse values of parameters that makers do not read. Raises Untranslated."""
    for name, (value, reason, remedy) in REFUSED.items():
        if use.text(name) == value:
            raise Untranslated(reason, remedy)
    if use.text("ApproximationMethod", "None") != "None":
        raise Untranslated(f"an approximation by {use.text('ApproximationMethod')}", "set None")
    iterated = ("reciprocal", "1/sqrt", "rSqrt", "reciprocalSqrt")
    if use.text("AlgorithmType") == "Newton-Raphson" and use.text("Operator") in iterated:
        raise Untranslated("an approximation by iterations", "set the exact method")
    refuse_port_rate(use)
    if use.block.kind in ("Inport", "Outport"):
        numbers = [port_number(b) for b in use.block.system.of_kind(use.block.kind)]
        if numbers.count(port_number(use.block)) > 1:
            raise Untranslated("one of several blocks of a port", *REFUSED["IsBusElementPort"][2:])
    frames = use.text("InputProcessing").startswith("Columns")
    if frames and any(shape and not isinstance(shape, dict) for shape in use.shapes):
        raise Untranslated("frames of samples", "set InputProcessing to elements as channels")
    if not use.block.is_subsystem:
        refuse_types(use.block)
    kind = kind_of(use.block)
    bus = any(isinstance(shape, dict) for shape in use.shapes)
    if bus and takes_bus(use.block) and not use.block.is_subsystem and kind not in CARRIERS:
        raise Untranslated(f"a bus through a {kind}", "take its fields with a Bus Selector")


def make_counterpart(maker: Maker, use: Use) -> Ends:
    """The counterpart of a block. Raises Untranslated, or an error of the block here."""
    try:
        return maker(use)
    except (ParameterError, BlockError):
        raise
    except (UnreadableText, *MISTAKES) as error:
        raise Untranslated(f"unexpected parameters or sizes: {error}", remedy_for(use.block)) from None


def refuse_types(block: SimulinkBlock) -> None:
    """Refuse integer, fixed-point and single arithmetic. Raises Untranslated."""
    if block.kind == "DataTypeConversion":
        return
    for name, value in block.fields.items():
        text = value.strip()
        if name == "OutDataTypeMode" and text == "Specify via dialog":
            text = block.fields.get("OutDataType", "sfix(16)")
        elif not TYPE_FIELDS.fullmatch(name):
            continue
        named = name == "OutDataTypeStr" and re.fullmatch(r"[A-Za-z][\w.]*", text)
        if INTEGERS.match(text) or (named and text.lower() not in DOUBLES):
            raise Untranslated(f"the data type {text}: every signal here is a double")


def refuse_port_rate(use: Use) -> None:
    """Refuse a port of a subsystem whose sample time is not the one of its signal. Raises Untranslated."""
    block, rates = use.block, use.translator.rates
    owner = block.system.owner
    if block.kind not in ("Inport", "Outport") or owner is None or rates.of(block).triggered:
        return
    rate = rates.dialog_rate(block)
    driver = use.translator.tracer.driver
    wire = driver(owner, port_number(block)) if block.kind == "Inport" else driver(block, 1)
    if rate is not None and rate.sampled and wire and rates.of(wire.block) not in (rate, CONSTANT):
        raise Untranslated("a port whose sample time is not the one of its signal", "use a Zero-Order Hold")


def ports_without_counterpart(translator: Translator) -> list[Obstacle]:
    """Connected inputs that no translated block reads, and connected outputs that none computes."""
    result = []
    for system in translator.systems:
        for (block, port), wire in system.sources.items():
            readers, source = translator.ends_of(block), translator.ends_of(wire.block)
            if readers is None or block.is_subsystem:
                continue
            if isinstance(port, int) and port not in readers.inputs:
                result.append(Obstacle(block.path, f"its input {port} has no counterpart", remedy_for(block)))
            if source is not None and not wire.block.is_subsystem and not _has(wire, len(source.outputs)):
                result.append(Obstacle(wire.block.path, f"its output {wire.port} has no counterpart"))
    return result


def _has(wire: Wire, count: int) -> bool:
    """True if the source of a wire is one of this number of outputs."""
    return isinstance(wire.port, int) and wire.port <= count


def remedy_for(block: SimulinkBlock) -> str:
    """A function in place of a block with inputs and outputs."""
    if block.inputs and block.outputs:
        return f'give a function: --replace "{block.path}=FILE.py:FUNCTION"'
    return ""
