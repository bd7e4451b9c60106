"""Refuse parameters, data types and buses that no maker reads, and ports without a counterpart."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ...blocks.contract.errors import BlockError, ParameterError
from .matlab import UnreadableText
from .model import SimulinkBlock, Wire, kind_of
from .sizes import takes_bus
from .use import MISTAKES, Ends, Maker, Obstacle, Untranslated, Use

if TYPE_CHECKING:
    from .translate import Translator

REFUSED = {
    "IsBusElementPort": ("on", "a port for an element of a bus", "use a port with a Bus Selector or Creator"),
    "Variant": ("on", "a subsystem of variants", "put the active variant in its place"),
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
    for name in ("OutDataTypeStr", "OutputDataTypeStr", "DataType", "OutDataTypeMode", "ParamDataTypeStr"):
        text = block.fields.get(name, "").strip()
        named = name == "OutDataTypeStr" and re.fullmatch(r"[A-Za-z][\w.]*", text)
        if re.match(r"u?int\d+|fixdt|single|half|sfix|ufix", text) or (named and text.lower() not in DOUBLES):
            raise Untranslated(f"the data type {text}: every signal here is a double")


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
