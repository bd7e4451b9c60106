"""Check the declaration of a block class where the class is defined."""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Mapping
from types import NoneType
from typing import TYPE_CHECKING, Any

import numpy as np

from ...base.annotations import schema_of
from ...base.errors import BlockdynError
from ...base.location import caller
from ...base.schema import fits
from .block import Block
from .declared_arguments import check_asked
from .declared_parts import Wrong, check_likes, check_name, check_names, check_parts, own_text
from .declared_slips import check_facts, check_misspelt
from .errors import DeclarationError, ParameterError
from .icon import Icon
from .owned import Instance
from .parameter import Real, Rule, as_number, as_option, parameter
from .parts import ATTRIBUTES as FACTS, OF_SIZES, parts_of
from .port import Size, State

if TYPE_CHECKING:
    from ...solvers.events.timer import Timer

FLAGS = ("elementwise", "sampled", "ends_run", "random", "abstract")
METHODS = (
    *(name for name, _ in parts_of(Block) if name not in (*FACTS, "__post_init__", "numbers")),
    "symbol",
)
"""Methods that a class defines itself; those that it inherits unchanged are left out."""
RULE = {
    "unit": "str", "doc": "str", "minimum": "float | None", "above": "float | None", "infinite": "bool",
    "dimensions": "Sequence[int] | None", "choices": "Sequence[Any]",
}  # fmt: skip


def refusal(kind: type, wrong: Wrong) -> DeclarationError:
    """The error, with the line outside blockdyn that defines the class."""
    return DeclarationError(kind.__name__, wrong.field, wrong.actual, wrong.expected, str(caller() or "here"))


def as_dataclass(kind: type) -> None:
    """Make the class a frozen dataclass, with an `offset` of 0 if it is sampled and has none.

    Raises DeclarationError if its fields do not allow that.
    """
    annotations = vars(kind).get("__annotations__", {})
    try:
        _check_body(kind, annotations)
        if getattr(kind, "sampled", False) is True and not {*annotations, *dir(kind)} & {"offset"}:
            kind.__annotations__ = {**annotations, "offset": Real}
            offset = parameter(default=0.0, unit="s", doc="of its ticks", dimensions=(0,))
            kind.offset = offset  # type: ignore[attr-defined]
        dataclasses.dataclass(frozen=True, eq=False, repr=False)(kind)
    except Wrong as wrong:
        raise refusal(kind, wrong) from None
    except (TypeError, ValueError) as error:
        expected = "a default for it too, or `_: dataclasses.KW_ONLY` above it"
        name = next((name for name in annotations if f"'{name}'" in str(error)), "its parameters")
        raise refusal(kind, Wrong(name, str(error), expected)) from None


def check_declaration(kind: type[Block]) -> None:
    """Raise DeclarationError if ports, states, crossings, parameters and functions do not match."""
    from .declared_equations import check_equations

    try:
        check_facts(kind)
        for fact in FACTS:
            value = inspect.getattr_static(kind, fact)
            if not isinstance(value, property):
                check_parts(fact, value)
        for flag in FLAGS:
            if not isinstance(getattr(kind, flag), (bool, property)):
                raise Wrong(flag, repr(getattr(kind, flag)), "True or False")
        _check_methods(kind)
        for field in dataclasses.fields(kind):  # type: ignore[arg-type]
            _check_parameter(kind, field)
        check_names(kind)
        if not vars(kind).get("abstract", False):
            check_misspelt(kind, FLAGS, METHODS)
            check_equations(kind)
    except Wrong as wrong:
        raise refusal(kind, wrong) from None


def check_block(block: Block) -> None:
    """Raise DeclarationError if a method of a user's class returns a value of the wrong kind."""
    kind = type(block)
    words = kind._arguments_in_plan is Block._arguments_in_plan
    try:
        for fact, parts in (
            ("inputs", block.input_ports()), ("outputs", block.output_ports()),
            ("states", block.states), ("crossings", block.zero_crossings()),
        ):  # fmt: skip
            check_parts(fact, parts, words)
        check_likes(block.input_ports(), block.output_ports(), block.states)
        if not block.sampled and any(port.pace for port in block.input_ports()):
            raise Wrong("inputs", "an input with a pace", "`sampled = True`, with a sample time to count in")
        numbers = {name for name, rule in block.rules().items() if rule.number} | _constants(block)
        for state in block.states:
            if state.initial not in numbers:
                expected = f"a parameter or a constant: {', '.join(sorted(numbers)) or 'there is none'}"
                raise Wrong("states", f"initial of `{state.name}` is {state.initial!r}", expected)
        if block.held_initial and block.held_initial not in numbers:
            expected = f"a parameter or a constant: {', '.join(sorted(numbers)) or 'there is none'}"
            raise Wrong("held_initial", repr(block.held_initial), expected)
        for method in ("constants", "scratch", "memory") if words else ():
            named = getattr(block, method)()
            for name in named if isinstance(named, Mapping) else ():
                check_name(f"{method}()", name)
        _check_scratch(block.scratch())
        _check_memory(block)
        icon = block.symbol()
        if not isinstance(icon, (str, Icon)):
            raise Wrong("icon" if icon is block.icon else "symbol()", own_text(icon), "an Icon, or text")
        if words:
            check_asked(block, sorted(numbers))
        _check_time(block)
    except Wrong as wrong:
        raise refusal(kind, wrong) from None
    except BlockdynError:
        raise
    except Exception as error:
        failure = f"{type(error).__name__}: {error}"
        expected = "ports, states and constants for these parameters"
        raise refusal(kind, Wrong("its methods", failure, expected)) from error


def _constants(block: Block) -> set[str]:
    values = block.constants()
    if not isinstance(values, Mapping):
        raise Wrong("constants()", f"gives {own_text(values)}", 'a mapping: {"name": number}')
    for name, value in values.items():
        try:
            ready = isinstance(name, str) and np.asarray(value, np.float64) is not None
        except (TypeError, ValueError, OverflowError):
            ready = False
        if not ready:
            raise Wrong("constants()", f"{name!r} is {own_text(value)}", "numbers by name")
    ports = [port.name for port in (*block.input_ports(), *block.output_ports())]
    for name in values:  # a parameter's own name is allowed: `constants` computes an omitted one
        if name in (*ports, *(state.name for state in block.states)):
            clash = f"{name!r} is a port or state already"
            raise Wrong("constants()", clash, "another name, by which functions can distinguish them")
    return set(values)


def _check_scratch(shapes: Any) -> None:
    sizes = schema_of("tuple[int, ...]")
    if not isinstance(shapes, Mapping) or not all(fits(shape, sizes) for shape in shapes.values()):
        raise Wrong("scratch()", f"gives {own_text(shapes)}", 'shapes by name: {"work": (3, 3)}')


def _check_memory(block: Block) -> None:
    memory = block.memory()
    expected = 'arrays and Instances by name: {"buffer": np.zeros(10)}'
    if not isinstance(memory, Mapping):
        raise Wrong("memory()", f"gives {own_text(memory)}", expected)
    ports = [port.name for port in (*block.input_ports(), *block.output_ports())]
    taken = {*ports, *(state.name for state in block.states), *block.rules(), *block.constants()}
    for name, value in memory.items():
        if name in taken:
            raise Wrong("memory()", f"{name!r} is something else already", "another name")
        if isinstance(value, Instance):
            continue
        if np.ndim(value) == 0 or np.asarray(value).dtype.kind not in "fiu":
            raise Wrong("memory()", f"{name!r} is {own_text(value)}", expected)
        if block.elementwise:
            raise Wrong("memory()", f"{name!r} in a block of elements", "`elementwise = False`")


def _check_time(block: Block) -> None:
    from ...solvers.events.timer import Timer

    timers, longest, guess = block.timers(), block.longest_step(), block.guess()
    if not isinstance(timers, (Timer, NoneType)):
        raise Wrong("timers()", f"gives {own_text(timers)}", "a Timer, or None")
    if timers is not None and timers.next:
        announcing_state(block, timers)
    if not fits(longest, schema_of("float")) or not longest > 0:
        raise Wrong("longest_step()", f"gives {own_text(longest)}", "a time above 0, in s")
    if not isinstance(guess, (Size, NoneType)):
        raise Wrong("guess()", f"gives {own_text(guess)}", "a Size, or None")


def announcing_state(block: Block, timer: Timer) -> State:
    """The held state that announces the instants of a timer. Raises DeclarationError if there is none."""
    held = {state.name: state for state in block.states if state.held and not block.sampled}
    if timer.next not in held:
        choices = ", ".join(held) or "there is none: State(name, initial, held=True), without a sample time"
        mistake = f"gives Timer(next={timer.next!r})"
        raise refusal(type(block), Wrong("timers()", mistake, f"the name of a held state: {choices}"))
    return held[timer.next]


def _check_body(kind: type, annotations: Mapping[str, Any]) -> None:
    """Raise Wrong for a field that dataclasses would reject or misread."""
    for name, value in vars(kind).items():
        if isinstance(value, dataclasses.Field) and name not in annotations:
            text = f"`{name}: bd.Real = bd.parameter(...)`, or `{name}: str = bd.option(...)`"
            raise Wrong(name, "a parameter without an annotation", text)
        if name in ("__init__", "__new__"):
            expected = "annotated parameters; the constructor is generated, `constants` computes the rest"
            raise Wrong(name, "a constructor", expected)
    for name, annotation in annotations.items():
        fixed = "ClassVar" in str(annotation)
        if name in (*FACTS, *FLAGS, "held_initial", "icon") and not fixed:
            raise Wrong(name, "annotated as a parameter", f"`{name} = ...`, or `{name}: ClassVar = ...`")
        default = vars(kind).get(name)
        default = default.default if isinstance(default, dataclasses.Field) else default
        if not fixed and isinstance(default, (list, dict, set)):
            remedy = "(...)" if isinstance(default, list) else "None"
            instead = (
                "" if isinstance(default, list) else f", and `{type(default).__name__}()` where it is None"
            )
            mistake = f"the default {own_text(default)}, which can change"
            raise Wrong(name, mistake, f"`{name}: ... = bd.option(default={remedy})`{instead}")


def _check_methods(kind: type[Block]) -> None:
    for name in METHODS:
        method = inspect.getattr_static(kind, name)
        if not inspect.isfunction(method):
            count = 2 if name in OF_SIZES else 1
        else:
            count = method.__code__.co_argcount - len(method.__defaults__ or ())
        needed = 2 if name in OF_SIZES else 1
        if not inspect.isfunction(method) or count != needed:
            arguments = "self, inputs" if needed == 2 else "self"
            raise Wrong(name, own_text(method), f"a method: `def {name}({arguments}):`")


def _check_parameter(kind: type[Block], field: dataclasses.Field[Any]) -> None:
    rule: Rule = kind.rules()[field.name]
    for name, annotation in RULE.items():
        value = getattr(rule, name)
        if not fits(value, schema_of(annotation)):
            raise Wrong(field.name, f"{name} is {own_text(value)}", f"for {name} {_RULE_WORDS[name]}")
    if rule.dimensions is not None and (not rule.dimensions or not set(rule.dimensions) <= {0, 1, 2}):
        raise Wrong(field.name, f"dimensions is {rule.dimensions}", _RULE_WORDS["dimensions"])
    default = field.default
    if default is dataclasses.MISSING or rule.left_out(default) or getattr(default, "is_parameter", False):
        return
    if rule.left_out(default) and "None" in str(field.type):
        return
    try:
        (as_number if rule.number else as_option)(kind.__name__, field.name, default, rule)
    except ParameterError as error:
        raise Wrong(field.name, f"the default {own_text(default)}", error.expected) from None


_RULE_WORDS = {
    "unit": "text", "doc": "text", "minimum": "a number", "above": "a number", "infinite": "True or False",
    "dimensions": "a tuple of 0 (numbers), 1 (vectors), 2 (matrices): (0,)", "choices": "a tuple",
}  # fmt: skip
