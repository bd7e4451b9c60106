"""Report inputs without a source or default; give inputs of the outermost diagram sources from the run.

A hint names the parameters of the diagram that a formula takes as coefficients instead of inputs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any, TypeAlias

import numpy as np

from ...base.annotations import of_truth, real_array
from ...base.words import nearest
from ...blocks.contract.block import Block
from ...blocks.contract.formula import CALLED, constant_hint
from ...blocks.contract.parameter import Array
from ...blocks.routing.inport import Inport
from ...blocks.user.function import Function
from .arguments import mapping
from .diagram import Diagram
from .errors import MissingInput, RunArgumentError, input_not_given
from .flat import FlatBlock, FlatDiagram
from .gathered import EVERYTHING, WIRES, Errors
from .scope import Node, Scope
from .signal import Signal, as_signal
from .subsystem import Subsystem

Input: TypeAlias = "float | Signal | Callable[[float], Any] | Block | Any"
"""A number, vector or matrix; a Signal, or what is read as one; a function of the time; a source."""
KINDS = (
    "a number or an array; (times, values), Signal(times, values), or a mapping, xarray.DataArray or"
    " pandas.Series of such; a function of the time; or a block without inputs"
)


def with_inputs(flat: FlatDiagram, inputs: Mapping[str, Any]) -> FlatDiagram:
    """The diagram with sources in the place of its Inports. Raises RunArgumentError."""
    inputs = mapping("inputs", inputs, '{"u": 1.0}')
    earlier = flat.simulation.get("inputs") or {}
    inputs = {
        name: value for name, value in inputs.items() if name not in earlier or earlier[name] is not value
    }
    if not inputs:
        return flat
    for name, value in inputs.items():
        if name not in flat.inputs:
            listed = ", ".join(flat.inputs)
            expected = f"one of {listed}" if listed else "no inputs: the diagram has no Inport"
            problem = (
                f"inputs[{name!r}]: the diagram has no input `{name}`{nearest(str(name), list(flat.inputs))}"
            )
            raise RunArgumentError(f"inputs[{name!r}]", value, expected, problem=problem)
    blocks = tuple(
        _driven(block, inputs[block.path]) if block.path in flat.inputs and block.path in inputs else block
        for block in flat.blocks
    )
    return replace(flat, blocks=blocks, simulation={**flat.simulation, "inputs": {**earlier, **inputs}})


def check_input(name: object, value: Any) -> None:
    """Raise RunArgumentError for a value that no input of any size can have."""
    if not isinstance(name, str):
        raise RunArgumentError(f"inputs[{name!r}]", value, "the name of an input")
    place = f"inputs[{name!r}]"
    if not callable(value) and _source(place, value, None) is None:
        _number(place, value)


def described(inputs: Mapping[str, Any]) -> dict[str, Any]:
    """The inputs as recorded in a result: numbers unchanged, other values in words."""
    texts: dict[str, Any] = {}
    for name, value in inputs.items():
        signal = None if isinstance(value, Block) or callable(value) else as_signal(name, value)
        if signal is not None:
            first, last = float(signal.times[0]), float(signal.times[-1])
            texts[name] = f"{signal.times.size} samples, {first:g} to {last:g} s, {signal.interpolation}"
        elif isinstance(value, Block):
            texts[name] = repr(value)
        elif callable(value):
            texts[name] = f"the function {getattr(value, '__qualname__', type(value).__name__)}"
        else:
            texts[name] = np.asarray(value, np.float64).tolist()
    return texts


def _driven(flat: FlatBlock, value: Any) -> FlatBlock:
    """An Inport with a value, or the source in its place."""
    name, inport = f"inputs[{flat.path!r}]", flat.block
    declared = inport.shape if isinstance(inport, Inport) and _says_its_size(inport) else None
    block = _source(name, value, declared)
    if block is None:
        number = _number(name, value)
        if declared is not None and (number.size == 1 or number.shape == declared):
            number = np.broadcast_to(number.ravel()[0] if number.size == 1 else number, declared)
        shape: tuple[int, ...] | None = number.shape
        unit, place = str(getattr(inport, "unit", "")), getattr(inport, "number", None)
        size = inport.size if isinstance(inport, Inport) and shape == declared else None
        block = Inport(number=place, unit=unit, default=number, size=size)
    else:
        source_size = block.sizes({})["y"]
        shape = declared if source_size is None else source_size.shape
    if declared is not None and shape != declared:
        expected = f"a signal of shape {declared}" if declared else "one number at a time"
        if isinstance(inport, Inport) and inport.size is None:
            expected += f", as its default is, {inport.default}; with `size` an Inport takes a vector"
        else:
            expected += ", as the diagram needs"
        if declared == ():
            expected += "; a signal over time is (times, values)"
        raise RunArgumentError(name, value, expected)
    return replace(flat, block=block)


def _says_its_size(inport: Inport) -> bool:
    """True if the size is declared or known, or there is a default, even a number."""
    return inport.size is not None or inport.default is not None


def _source(name: str, value: Any, declared: tuple[int, ...] | None) -> Block | None:
    """The source for a signal, a function or a block; None for a value that may be a number."""
    if isinstance(value, Block):
        if value.input_ports() or [port.name for port in value.output_ports()] != ["y"]:
            raise RunArgumentError(name, value, "a block without inputs and with one output, y")
        return value
    signal = as_signal(name, value)
    if signal is not None:
        return signal.block()
    if callable(value) and not isinstance(value, type):
        return Function(_of_time(value), _size(name, value, declared), compiled=False)
    return None


def _of_time(function: Callable[[float], Any]) -> Callable[[float], Any]:
    """The function with its argument renamed to t."""

    def value(t: float) -> Any:
        return function(t)

    return value


def _size(name: str, function: Callable[[float], Any], declared: tuple[int, ...] | None) -> list[int] | int:
    """The size of the value of a function of time: its size at t = 0, or as declared."""
    try:
        value = function(0.0)
    except Exception as error:
        if declared is None:
            expected = "a function that gives numbers at t = 0, or an Inport with a `size`"
            raise RunArgumentError(name, function, expected) from error
        return list(declared) if declared else 1
    shape = _number(f"{name} at t = 0", value).shape
    return list(shape) if shape else 1


def _number(name: str, value: Any) -> Array:
    """A finite number, vector or matrix."""
    try:
        number = np.asarray(value) if np.ndim(value) == 0 else real_array(value)
        if number.dtype.kind not in "iuf" or not number.size or number.ndim > 2:
            raise ValueError
    except (TypeError, ValueError, OverflowError):
        raise RunArgumentError(name, value, KINDS + of_truth(value)) from None
    if not np.all(np.isfinite(number)):
        raise RunArgumentError(name, value, "finite numbers")
    return number.astype(np.float64)


def require_inputs(scopes: list[Scope], errors: Errors, *, tell: bool = True) -> None:
    """Gather one MissingInput for all unconnected inputs without a default, if `tell`."""
    missing: list[tuple[Node, str]] = []
    for scope in scopes:
        if not errors.spoilt(scope.diagram).isdisjoint((WIRES, EVERYTHING)):
            continue
        for node in scope.nodes.values():
            if isinstance(node.block, Inport):
                _open(node, scope, errors, sized=tell)
            elif len(node.drivers) < len(node.inputs) and node.path not in errors.unsure:
                open_ports = (p for p in node.inputs if p.name not in node.drivers and p.default is None)
                missing.extend((node, port.name) for port in open_ports)
    if not missing:
        return
    missing.sort(key=lambda item: item[0].path)
    errors.unsure.update(node.path for node, _ in missing)
    if not tell:
        return
    node, port = missing[0]
    others = [f"{other.path}.{name}" for other, name in missing[1:]]
    places = [other.location if other.location != node.location else None for other, _ in missing[1:]]
    scope = next(scope for scope in scopes if scope.nodes.get(node.name) is node)
    of_node = (name for other, name in missing if other is node)
    hint = coefficient_hint(node.block, of_node, scope.diagram)
    with errors:
        raise MissingInput(node.path, port, others, places=places, hint=hint, location=node.location)


def coefficient_hint(block: Block | Subsystem, inputs: Iterable[str], diagram: Diagram) -> str:
    """A hint for inputs of a formula that have the name of a parameter; '' if none has."""
    if "coefficients" not in getattr(block, "rules", dict)():
        return ""
    inputs = list(inputs)
    names = [name for name in inputs if name in diagram.parameters]
    if not names:
        numbers = [f"`{name}`: connect a source{constant_hint(name)}" for name in inputs if name in CALLED]
        return ", ".join(numbers)
    shown = " and ".join(f"`{name}`" for name in names)
    are = "are parameters of the diagram, which a formula takes as coefficients"
    if len(names) == 1:
        are = "is a parameter of the diagram, which a formula takes as a coefficient"
    in_file = ", ".join(f"{name}: ={name}" for name in names)
    in_python = ", ".join(f'"{name}": expression("{name}")' for name in names)
    return f"{shown} {are}: `coefficients: {{{in_file}}}`, in Python coefficients={{{in_python}}}"


def require_given(flat: FlatDiagram, names: frozenset[str] = frozenset()) -> None:
    """Raise RunArgumentError for inputs that neither have a value nor are among `names`."""
    for block in flat.blocks:
        source = block.block
        is_open = isinstance(source, Inport) and source.default is None
        if is_open and block.path in flat.inputs and block.path not in names:
            raise input_not_given(block.path, block.location)


def _open(node: Node, scope: Scope, errors: Errors, *, sized: bool) -> None:
    """Make an Inport that nothing drives the source of its signal, whose size is known if `sized`."""
    assert isinstance(node.block, Inport)
    if scope.owner is None:
        if not sized:
            errors.unsure.add(node.path)
    elif node.block.default is not None:
        node.gate = node.gate and node.name in scope.owner.drivers
