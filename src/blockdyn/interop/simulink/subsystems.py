"""Simulink's conditional, called and repeated subsystems become blocks of blockdyn."""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np

from ...blocks.mathematics.expression import Expression
from ...blocks.matrices.transpose import Transpose
from ...blocks.routing.reshape import Reshape
from ...blocks.switching.enable import Enable
from ...blocks.switching.for_each import ForEach
from ...blocks.switching.function_call import FunctionCall
from ...blocks.switching.if_else import If
from ...blocks.switching.merge import Merge
from ...blocks.switching.switch_case import SwitchCase
from ...blocks.switching.trigger import Trigger
from ...diagrams.model.diagram import Diagram
from .matlab import UnreadableText, evaluate, formula
from .model import SimulinkBlock, System, Wire, kind_of, port_number
from .use import Ends, Maker, Shape, Untranslated, Use, as_matrix, local_shape
from .workspace import Scope, split_list


def merge(use: Use) -> Ends:
    initial = use.text("InitialOutput", "[]")
    value = 0.0 if initial in ("[]", "") else use.plain("InitialOutput")
    return use.single(Merge(count=use.block.inputs, initial=value))


def control(use: Use) -> Ends:
    """The Enable or Trigger of a subsystem."""
    block = use.block
    if block.system.owner is None:
        raise Untranslated("a control port of the truncated model")
    if use.flag("ShowOutputPort") and any(wire.block is block for wire in block.system.sources.values()):
        raise Untranslated("the output of a control port")
    if block.kind == "TriggerPort":
        edge: Any = use.text("TriggerType", "rising")
        name = use.add(Trigger("call" if edge == "function-call" else edge))
    else:
        held = use.text("StatesWhenEnabling", use.text("InitializeStates", "held"))
        outputs = [b.fields.get("OutputWhenDisabled", "held") for b in block.system.of_kind("Outport")]
        if len(set(outputs)) > 1:
            raise Untranslated("outputs of which some are held and others reset", "split the subsystem")
        name = use.add(Enable(reset_states=held == "reset", reset_outputs="reset" in outputs))
    return Ends(controls={"block": name})


def if_block(use: Use) -> Ends:
    """Conditions of an If block, whose outputs enable subsystems."""
    block = use.block
    texts = [use.text("IfExpression", "u1 > 0")]
    more = use.text("ElseIfExpressions", "")
    texts += [t for t in more.split(",") if t.strip()]
    conditions: dict[str, str] = {}
    names: dict[str, int] = {}
    for k, text in enumerate(texts):
        bare = re.sub(r"\bu(\d+)\b(?!\s*\()", lambda m: f"u({m[1]})", text)
        try:
            result = formula(bare, {"u": max(block.inputs, 1)}, use.scope)
        except UnreadableText as error:
            raise Untranslated(f"the condition {text}: {error.problem}") from None
        condition = result.texts[0]
        for name, value in result.coefficients.items():
            condition = re.sub(rf"\b{name}\b", repr(float(value)), condition)
        conditions[f"case_{k}"] = (
            f"({condition}) != 0" if not re.search(r"[<>=]|\b(and|or|not)\b", condition) else condition
        )
        names |= result.inputs
    name = use.add(If(conditions))
    ends = Ends({k + 1: [] for k in range(block.inputs)})
    for port, element in names.items():
        ends.inputs[element].append(f"{name}.{port}")
    ends.outputs = [f"{name}.case_{k}" for k in range(len(texts))]
    if use.flag("ShowElse", "on"):
        ends.outputs.append(f"{name}.otherwise")
    return ends


def switch_case(use: Use) -> Ends:
    """Cases by number; Simulink truncates the input."""
    listed = use.value("CaseConditions", "{1}")
    items = listed if isinstance(listed, list) else [listed]
    cases = {f"case_{k}": [int(v) for v in np.asarray(item).ravel()] for k, item in enumerate(items)}
    name = use.add(SwitchCase(cases))
    truncated = use.add(Expression("floor(u) if u >= 0 else ceil(u)"), "number")
    use.wire(f"{truncated}.y", f"{name}.u")
    outputs = [f"{name}.{case}" for case in cases]
    if use.flag("ShowDefaultCase", "on"):
        outputs.append(f"{name}.otherwise")
    return Ends({1: [f"{truncated}.u"]}, outputs)


class ForEachPorts:
    """The partition of a for-each subsystem's inputs among its copies, and the joining of their outputs.

    A vector is divided into parts of equal width, a matrix into its rows or columns. Outputs are joined along
    their first or second dimension.
    """

    def __init__(self, use: Use) -> None:
        assert use.block.inner is not None
        self.use, self.inner = use, use.block.inner
        self.block = self.inner.of_kind("ForEach")[0]
        for name, plain in (
            ("StateReset", "held"), ("ShowIterationIndex", "off"), ("NeedActiveIterationSignal", "off"),
        ):  # fmt: skip
            if self.block.fields.get(name, plain) not in (plain, "-1", ""):
                raise Untranslated(f"a for-each subsystem with {name}")
        offsets = [value for value in self._listed("InputPartitionOffset") if value not in ("0", "")]
        if offsets or "on" in self._listed("SubsysMaskParameterPartition"):
            raise Untranslated("a for-each subsystem with divided parameters or offsets")

    def _listed(self, name: str) -> list[str]:
        return [text for text in split_list(self.block.fields.get(name, "")) if text or name[:5] == "Input"]

    def _entry(self, name: str, k: int, default: str) -> str:
        listed = self._listed(name)
        return (listed[k] if k < len(listed) else "") or default

    def _number(self, name: str, k: int) -> int:
        inner = Use(self.block, [], self.use.rate, self.use.diagram, self.use.translator)
        return int(inner.numbers_of(self._entry(name, k, "1"))[0])

    def divided(self, k: int) -> bool:
        """True for an input of which each copy gets a part."""
        return self._entry("InputPartition", k, "on") == "on"

    def part(self, k: int, shape: Shape) -> Any:
        """Size of the part of one copy."""
        if not self.divided(k):
            return shape
        dimension, width = self._number("InputPartitionDimension", k), self._number("InputPartitionWidth", k)
        rows, columns = as_matrix(shape)
        count = (rows, columns)[dimension - 1] if dimension in (1, 2) else 0
        if width < 1 or count % width or not count or (width > 1 and min(rows, columns) > 1):
            raise Untranslated(f"a partition of {rows} x {columns} along {dimension} by {width}")
        if len(shape) < 2:
            return () if width == 1 else (width,)
        size = (width, columns) if dimension == 1 else (rows, width)
        return () if math.prod(size) == 1 else size

    @property
    def count(self) -> int | None:
        """Number of copies; None while sizes are undetermined."""
        counts = set()
        fixed = self.block.fields.get("SpecifiedNumIters", "-1")
        if fixed not in ("-1", ""):
            inner = Use(self.block, [], self.use.rate, self.use.diagram, self.use.translator)
            counts.add(int(inner.numbers_of(fixed)[0]))
        for k, shape in enumerate(self.use.shapes):
            if self.divided(k):
                if shape is None:
                    return None
                counts.add(math.prod(shape) // max(math.prod(self.part(k, shape)), 1))
        if len(counts) != 1:
            raise Untranslated(f"a for-each subsystem with {sorted(counts)} parts")
        return counts.pop()

    def joined(self, k: int, shape: Shape) -> Any:
        """Size of an output of all copies, whose parts have this size."""
        count, dimension = self.count or 1, self._number("OutputConcatenationDimension", k)
        rows, columns = as_matrix(shape)
        if dimension == 2 and len(shape) == 1:
            raise Untranslated("vectors joined along dimension 2", "make them columns")
        if min(rows, columns) > 1 or dimension not in (1, 2):
            raise Untranslated(f"matrices of {rows} x {columns} joined along {dimension}")
        size = (count * rows, columns) if dimension == 1 else (rows, count * columns)
        return () if math.prod(size) == 1 else (size[0],) if columns == 1 and dimension == 1 else size

    def ends(self, ends: Ends, inner: Diagram) -> Ends:
        """The subsystem's ports, with blocks around it for partitions that ForEach does not offer."""
        shared = []
        for number, readers in ends.inputs.items():
            if not isinstance(number, int):
                continue
            shape, k = self.use.shape(number), number - 1
            rows, columns = as_matrix(shape)
            if not self.divided(k):
                shared.append(readers[0].partition(".")[2])
            elif min(rows, columns) > 1 and self._number("InputPartitionDimension", k) == 2:
                self._before(ends, number, Transpose())
            elif min(rows, columns) == 1 and math.prod(self.part(k, shape)) > 1:
                width = math.prod(self.part(k, shape))
                self._before(ends, number, Reshape([rows * columns // width, width]))
        count = self.count or 1
        for k, signal in enumerate(ends.outputs):
            outport = self.inner.port("Outport", k + 1)
            shape = self.use.translator.sizes.inputs(outport)[0] if outport is not None else ()
            joined, parts = local_shape(self.joined(k, shape)), local_shape(shape)
            if parts and len(joined) == 1:
                ends.outputs[k] = self._after(signal, Reshape([math.prod(joined)]))
            elif parts and joined != (count, *parts):
                ends.outputs[k] = self._after(signal, Transpose())
        inner.add("each" if "each" not in inner else "for_each", ForEach(count=count, shared=shared))
        return ends

    def _before(self, ends: Ends, number: int, block: Any) -> None:
        part = self.use.add(block, f"parts {number}")
        self.use.wire(f"{part}.y", ends.inputs[number][0])
        ends.inputs[number] = [f"{part}.{self.use.diagram.blocks[part].input_ports()[0].name}"]

    def _after(self, signal: str, block: Any) -> str:
        part = self.use.add(block, f"joined {signal.partition('.')[2]}")
        self.use.wire(signal, f"{part}.{self.use.diagram.blocks[part].input_ports()[0].name}")
        return f"{part}.{self.use.diagram.blocks[part].output_ports()[0].name}"


CONTROL_PORTS = ("EnablePort", "TriggerPort", "ActionPort", "ResetPort")


def choose_variants(system: System) -> None:
    """Leave only the active choice in each subsystem of variants, wired to the ports of the same names.

    A choice is active by its label, or if its condition over variables is true; else the default is. Where
    not one alone is active, the subsystem stays as it is.
    """
    for block in system.blocks:
        inner = block.inner
        if inner is None:
            continue
        choice = active_choice(block, inner) if block.fields.get("Variant") == "on" else None
        if choice is not None and choice.inner is not None:
            ports = [b for b in inner.blocks if b.kind in ("Inport", "Outport")]
            inner.blocks = [*ports, choice]
            inner.sources = {}
            for port in ports:
                for end in choice.inner.of_kind(port.kind):
                    if end.name == port.name and port.kind == "Inport":
                        inner.sources[choice, port_number(end)] = Wire(port, 1, "")
                    elif end.name == port.name:
                        inner.sources[port, 1] = Wire(choice, port_number(end), "")
            block.fields = {**block.fields, "Variant": "off"}
        choose_variants(inner)


def active_choice(block: SimulinkBlock, inner: System) -> SimulinkBlock | None:
    """The active choice of a subsystem of variants; None if it is undetermined."""
    if any(inner.of_kind(kind) for kind in CONTROL_PORTS):
        return None
    left = [b for b in inner.blocks if b.fields.get("Commented", "off") == "off"]
    choices = {b: b.fields.get("VariantControl", "").strip() for b in left}
    choices = {b: text for b, text in choices.items() if text and b.kind not in ("Inport", "Outport")}
    mode = block.fields.get("VariantControlMode", "expression")
    label = {
        "label": block.fields.get("LabelModeActiveChoice", ""), "sim codegen switching": "(sim)",
    }.get(mode, block.fields.get("OverrideUsingVariant", ""))  # fmt: skip
    try:
        active = [
            b for b, text in choices.items() if (text == label if label else is_true(text, inner.scope))
        ]
    except (UnreadableText, KeyError, ValueError, TypeError):
        return None
    active = active or [b for b, text in choices.items() if text == "(default)"]
    return active[0] if len(active) == 1 else None


def is_true(text: str, scope: Scope) -> bool:
    """The condition of a variant, which may be in a variable. Raises UnreadableText, KeyError, ValueError."""
    if text.startswith(("(default)", "%")):
        return False
    value = evaluate(text, scope)
    return is_true(str(value), scope) if isinstance(value, str) else bool(np.asarray(value).item())


def function_call(use: Use) -> Ends:
    """Calls at the ticks of a clock, one at a time."""
    if use.number("numberOfIterations", "1") != 1:
        raise Untranslated("several calls at one instant", "use one")
    times = use.vector("sample_time", "1")
    if len(times) > 2 or times[0] <= 0:
        raise Untranslated("calls without a period, or with several", "give the generator a sample time")
    return use.single(FunctionCall(sample_time=times[0], offset=times[1] if len(times) > 1 else 0.0))


def check_controls(use: Use) -> None:
    """Refuse control signals of a subsystem whose meaning cannot be kept. Raises Untranslated."""
    block, translator = use.block, use.translator
    ports = block.inner.of_kind("TriggerPort") if block.inner is not None else []
    wire = translator.tracer.driver(block, "trigger")
    if not ports or wire is None:
        return
    calls = ports[0].fields.get("TriggerType") == "function-call"
    if calls != (kind_of(wire.block) == "Function-Call Generator"):
        raise Untranslated("a function-call from something other than a Function-Call Generator" if calls
                           else "calls to a subsystem that edges trigger")  # fmt: skip
    size = translator.sizes.of(wire)
    if isinstance(size, tuple) and local_shape(size):
        raise Untranslated("a vector as the trigger", "take one of its elements")


SUBSYSTEMS: dict[str, Maker] = {
    "ForEach": lambda use: Ends(),
    "Function-Call Generator": function_call,
    "EnablePort": control,
    "TriggerPort": control,
    "ActionPort": control,
    "If": if_block,
    "SwitchCase": switch_case,
    "Merge": merge,
}
