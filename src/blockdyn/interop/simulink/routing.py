"""Simulink's blocks of routing and logic and its conditional subsystems become blocks of blockdyn."""

from __future__ import annotations

import math
from typing import Any

from ...blocks.logic.compare import Compare
from ...blocks.logic.compare_signals import CompareSignals
from ...blocks.logic.interval_test import IntervalTest
from ...blocks.logic.logic import Logic
from ...blocks.mathematics.expression import Expression
from ...blocks.mathematics.gain import Gain
from ...blocks.matrices.transpose import Transpose
from ...blocks.routing.bus_creator import BusCreator
from ...blocks.routing.bus_selector import BusSelector
from ...blocks.routing.concatenate import Concatenate
from ...blocks.routing.demux import Demux
from ...blocks.routing.inport import Inport
from ...blocks.routing.multiport_switch import MultiportSwitch
from ...blocks.routing.mux import Mux
from ...blocks.routing.outport import Outport
from ...blocks.routing.reshape import Reshape
from ...blocks.routing.selector import Selector
from ...blocks.routing.switch import Switch
from ...blocks.sources.constant import Constant
from ...diagrams.model.diagram import Diagram
from ...diagrams.model.subsystem import Subsystem
from .use import Ends, Maker, Untranslated, Use, as_matrix, local_shape
from .workspace import split_list


def concatenate(use: Use) -> Ends:
    """A vector of all inputs, or a matrix of them side by side or below one another."""
    count = int(use.number("NumInputs", "2"))
    if use.text("Mode", "Vector") == "Vector":
        return use.single(Mux(count=count))
    dimension = int(use.number("ConcatenateDimension", "1"))
    if dimension > 2:
        raise Untranslated(f"a concatenation along dimension {dimension}")
    shapes = [as_matrix(use.shape(k + 1)) for k in range(count)]
    if all(shape[2 - dimension] == 1 for shape in shapes):  # a row or a column, which are vectors here
        return use.single(Mux(count=count))
    return use.single(Concatenate(count=count, along="rows" if dimension == 1 else "columns"))


def reshape(use: Use) -> Ends:
    """Elements by columns, as in Simulink; blockdyn fills matrices by rows."""
    kind, shape = use.text("OutputDimensionality", "1-D array"), use.shape(1)
    matrix = len(local_shape(shape)) == 2
    if not kind.startswith("Custom"):
        if not matrix:
            return use.single(Gain(1.0))
        return use.chain(Transpose(), Reshape([math.prod(shape)]))
    dimensions = [int(v) for v in use.vector("OutputDimensions", "[1,1]")]
    size = local_shape(tuple(dimensions))
    if len(size) < 2:
        return use.chain(Transpose(), Reshape(list(size))) if matrix else use.single(Gain(1.0))
    turned = [size[1], size[0]]
    return (
        use.chain(Transpose(), Reshape(turned), Transpose())
        if matrix
        else use.chain(Reshape(turned), Transpose())
    )


def permute(use: Use) -> Ends:
    order = use.vector("Order", "[2,1]")
    if set(order[:2]) != {1.0, 2.0}:
        raise Untranslated(f"dimensions in the order {use.text('Order')}")
    if order[:2] == [1.0, 2.0] or len(local_shape(use.shape(1))) < 2:
        return use.single(Gain(1.0))
    return use.single(Transpose())


COMPARISONS = {"==": "==", "~=": "!=", "<": "<", "<=": "<=", ">=": ">=", ">": ">"}


def relation(use: Use) -> Ends:
    operator = use.text("Operator", ">=")
    if operator not in COMPARISONS:
        raise Untranslated(f"the comparison {operator}")
    return use.single(CompareSignals(COMPARISONS[operator]))


def compare_constant(use: Use) -> Ends:
    return use.single(Compare(COMPARISONS[use.text("relop", "<=")], value=use.plain("const", "3")))


def compare_zero(use: Use) -> Ends:
    return use.single(Compare(COMPARISONS[use.text("relop", "<=")], value=0.0))


def interval(use: Use) -> Ends:
    left, right = use.flag("IntervalClosedLeft", "on"), use.flag("IntervalClosedRight", "on")
    closed = "both" if left and right else "lower" if left else "upper" if right else "neither"
    return use.single(
        IntervalTest(lower=use.plain("lowlimit", "-0.5"), upper=use.plain("uplimit", "0.5"), closed=closed)
    )


def logic(use: Use) -> Ends:
    """A logical function of the inputs, or of the elements of one."""
    name = {"NXOR": "xnor"}.get(use.text("Operator", "AND"), use.text("Operator", "AND").lower())
    count = 1 if name == "not" else int(use.number("Inputs", "2"))
    width = use.width(1)
    if count == 1 and name != "not" and width > 1:
        parts, out = use.add(Demux(counts=[1] * width), "elements"), use.add(Logic(name, count=width))
        for k in range(width):
            use.wire(f"{parts}.y{k}", f"{out}.u{k}")
        return Ends({1: [f"{parts}.u"]}, [f"{out}.y"])
    return use.single(Logic(name, count=count))


def mux(use: Use) -> Ends:
    return use.single(Mux(count=max(use.block.inputs, 1)))


def demux(use: Use) -> Ends:
    """Parts as listed; -1 takes the remainder; a number divides as evenly as possible, the first get more."""
    return use.single(Demux(counts=demux_counts(use)))


def demux_counts(use: Use) -> list[int]:
    """Number of elements of each output."""
    width, listed = use.width(1), [int(v) for v in use.vector("Outputs", "4")]
    if len(listed) == 1 and listed[0] > 0:
        count = listed[0]
        if width % count and width > count:
            return [width // count + (k < width % count) for k in range(count)]
        return [max(width // count, 1)] * count
    if -1 in listed:
        free, remainder = listed.count(-1), width - sum(v for v in listed if v > 0)
        shares = iter(remainder // free + (k < remainder % free) for k in range(free))
        return [next(shares) if v == -1 else v for v in listed]
    return listed


def switch(use: Use) -> Ends:
    """The first input while the second passes the criterion, else the third."""
    criteria = use.text("Criteria", "u2 >= Threshold")
    operator = {"u2 >= Threshold": ">=", "u2 > Threshold": ">", "u2 ~= 0": "!="}.get(criteria)
    if operator is None:
        raise Untranslated(f"the criterion {criteria}")
    threshold = 0.0 if operator == "!=" else use.plain("Threshold", "0")
    name = use.add(Switch(threshold=threshold, criterion=operator))
    return Ends({1: [f"{name}.then"], 2: [f"{name}.control"], 3: [f"{name}.otherwise"]}, [f"{name}.y"])


def manual_switch(use: Use) -> Ends:
    """The input selected by the switch in the file; `set` or a slider changes the constant control."""
    name = use.add(Switch())
    control = use.add(Constant(1.0 if use.text("sw", "1") == "1" else 0.0), "position")
    use.wire(f"{control}.y", f"{name}.control")
    return Ends({1: [f"{name}.then"], 2: [f"{name}.otherwise"]}, [f"{name}.y"])


def multiport(use: Use) -> Ends:
    """The input whose number the first one gives."""
    count, order = int(use.number("Inputs", "3")), use.text("DataPortOrder", "One-based contiguous")
    if order.startswith("Specify") or count < 2:
        raise Untranslated(f"a switch with {order.lower()}, {count} inputs")
    name = use.add(MultiportSwitch(count=count, first=1 if order.startswith("One") else 0))
    least = "u < 1" if order.startswith("One") else "u <= -1"
    last = count if order.startswith("One") else count - 1  # the default port, also for smaller numbers
    truncated = use.add(Expression(f"{last} if {least} else floor(u) if u >= 0 else 0"), "number")
    use.wire(f"{truncated}.y", f"{name}.control")
    inputs: dict[int | str, list[str]] = {1: [f"{truncated}.u"]}
    return Ends(inputs | {k + 2: [f"{name}.u{k}"] for k in range(count)}, [f"{name}.y"])


def selector(use: Use) -> Ends:
    """Elements by their numbers, which count from 1 or 0."""
    first = 1 if use.text("IndexMode", "One-based").startswith("One") else 0
    options = use.text("IndexOptions", "Index vector (dialog)").split(",")
    if any("port" in option for option in options):
        raise Untranslated("indices from a port", "use a Multiport Switch")
    dimensions = int(use.number("NumberOfDimensions", "1"))

    def indices(k: int, count: int) -> list[int] | None:
        option = options[k] if k < len(options) else "Index vector (dialog)"
        if option.startswith("Select all"):
            return None
        if "IndexParamArray" in use.block.fields:
            listed = [int(v) for v in use.numbers_of(split_list(use.text("IndexParamArray"))[k])]
        elif dimensions == 1:
            name = next(
                n
                for n in ("Indices", "Elements", "InputIndices")
                if n in use.block.fields or n == "InputIndices"
            )
            listed = [int(v) for v in use.vector(name, "[1 3]")]
        elif "Indices" in use.block.fields:
            texts = split_list(use.text("Indices"))
            if k >= len(texts):
                raise Untranslated(f"indices {use.text('Indices')} of {dimensions} dimensions")
            listed = [int(v) for v in use.numbers_of(texts[k])]
        else:
            listed = [int(v) for v in use.vector("Rows" if k == 0 else "Columns", "[1]")]
        if option.startswith("Starting"):
            sizes = split_list(use.text("OutputSizes", "1"))
            count = int(use.numbers_of(sizes[min(k, len(sizes) - 1)])[0])
            return [listed[0] - first + n for n in range(count)]
        return [v - first for v in listed]

    if dimensions == 1 and len(local_shape(use.shape(1))) < 2:
        chosen = indices(0, use.width(1))
        if chosen is None or (not local_shape(use.shape(1)) and chosen == [0]):
            return use.single(Gain(1.0))
        if not local_shape(use.shape(1)) and chosen and not any(chosen):
            copies = use.add(Mux(count=len(chosen)))
            return Ends({1: [f"{copies}.u{k}" for k in range(len(chosen))]}, [f"{copies}.y"])
        return use.single(Selector(indices=chosen[0] if len(chosen) == 1 else chosen))
    shape = local_shape(use.shape(1))
    if dimensions == 1:
        raise Untranslated("one index for a matrix", "set the number of dimensions to 2")
    rows, columns = indices(0, shape[0]), indices(1, shape[-1])
    return use.single(Selector(rows=_index(rows), columns=_index(columns)))


def _index(chosen: list[int] | None) -> Any:
    return chosen[0] if chosen is not None and len(chosen) == 1 else chosen


def bus_creator(use: Use) -> Ends:
    return use.single(BusCreator(use.translator.field_names(use.block)))


def bus_selector(use: Use) -> Ends:
    """Fields of a bus, one by one or as a new bus."""
    fields = [f.strip() for f in use.text("OutputSignals", "").split(",") if f.strip()]
    names = [".".join(use.translator.identifier(p) for p in f.split(".")) for f in fields]
    block = use.add(BusSelector(names))
    outputs = [f"{block}.{port.name}" for port in use.diagram.blocks[block].output_ports()]
    if not (use.flag("OutputAsBus") or use.text("MuxedOutput") == "on") or len(outputs) == 1:
        return Ends({1: [f"{block}.u"]}, outputs)
    bus = use.add(BusCreator([n.rpartition(".")[2] for n in names]), "bus")
    for signal, name in zip(outputs, names, strict=True):
        use.wire(signal, f"{bus}.{name.rpartition('.')[2]}")
    return Ends({1: [f"{block}.u"]}, [f"{bus}.y"])


def identity(use: Use) -> Ends:
    """A block without an effect on doubles; a bus passes through a subsystem."""
    if not isinstance(use.shape(1), dict):
        return use.single(Gain(1.0))
    inner = Diagram("bus")
    inner.add("u", Inport())
    inner.add("y", Outport())
    inner.connect("u.y", "y.u")
    name = use.add(Subsystem(inner))
    return Ends({1: [f"{name}.u"]}, [f"{name}.y"])


def conversion(use: Use) -> Ends:
    """To doubles; to logical values; integers round and saturate where their arithmetic ends at once."""
    kind = use.text("OutDataTypeStr", use.text("DataType", "auto"))
    if kind in ("double", "auto") or kind.startswith("Inherit"):
        return use.single(Gain(1.0))
    if kind == "boolean":
        return use.single(Compare("!=", value=0.0))
    raise Untranslated(f"the data type {kind}: every signal here is a double")


def width(use: Use) -> Ends:
    return Ends({1: []}, use.single(Constant(float(use.width(1)))).outputs)


ROUTING: dict[str, Maker] = {
    "Concatenate": concatenate,
    "Reshape": reshape,
    "PermuteDimensions": permute,
    "RelationalOperator": relation,
    "Compare To Constant": compare_constant,
    "Compare To Zero": compare_zero,
    "Interval Test": interval,
    "Logic": logic,
    "Mux": mux,
    "Demux": demux,
    "Switch": switch,
    "ManualSwitch": manual_switch,
    "MultiPortSwitch": multiport,
    "Selector": selector,
    "BusCreator": bus_creator,
    "BusSelector": bus_selector,
    "SignalSpecification": identity,
    "SignalConversion": identity,
    "DataTypeConversion": conversion,
    "Width": width,
    "BusToVector": identity,
}
