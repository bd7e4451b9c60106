"""Check the fields of the ports, states and crossings of a block class, and that names differ."""

from __future__ import annotations

import dataclasses
import keyword
from collections.abc import Iterable
from types import NoneType
from typing import TYPE_CHECKING, Any

from ...base.annotations import schema_of
from ...base.schema import fits, in_words
from .port import Crossing, Like, Port, Size, State
from .units import WRITTEN, is_readable

if TYPE_CHECKING:
    from .block import Block

TYPES: dict[str, type] = {"inputs": Port, "outputs": Port, "states": State, "crossings": Crossing}
TAKEN = ("t", "mode", "stream", "self")  # argument names of the time, the mode and the random key


class Wrong(Exception):
    """A wrong declaration: the field, its value, and the expected one."""

    def __init__(self, field: str, actual: str, expected: str) -> None:
        self.field, self.actual, self.expected = field, actual, expected
        super().__init__(f"{field}: {actual}")


def own_text(value: object) -> str:
    """A value in a few words."""
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def check_parts(fact: str, parts: Any, words: bool = True) -> None:
    """Raise Wrong unless `parts` is a tuple of parts of the right kind with valid fields.

    `words` is true if functions use the names in TAKEN for something else.
    """
    type_name = TYPES[fact].__name__
    if not isinstance(parts, tuple):
        comma = "; a comma makes a tuple of one" if isinstance(parts, TYPES[fact]) else ""
        raise Wrong(fact, f"{own_text(parts)}, which is not a tuple", f'({type_name}("..."),){comma}')
    for part in parts:
        if not isinstance(part, TYPES[fact]):
            raise Wrong(fact, f"{own_text(part)} in the tuple", f'a {type_name}, such as {type_name}("name")')
        _check_fields(fact, part, words)
    names = [part.name for part in parts]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise Wrong(fact, f"`{twice}` is declared twice", "another name for one of them")


def _beginning(state: State) -> str:
    return f'State("{state.name}", "NAME"): the parameter or constant that it begins with'


def _check_fields(fact: str, part: Any, words: bool) -> None:
    for field in dataclasses.fields(part):
        value, schema = getattr(part, field.name), schema_of(field.type)
        if not fits(value, schema):
            mistake = f"{field.name} of {own_text(part.name)} is {own_text(value)}"
            form = (
                _beginning(part) if (type(part), field.name) == (State, "initial") else _signature(type(part))
            )
            raise Wrong(fact, mistake, f"{in_words(schema)}; {form}")
    check_name(fact, part.name, words)
    if isinstance(part, (Port, State)) and not is_readable(part.unit):
        raise Wrong(fact, f"unit of `{part.name}` is {own_text(part.unit)}", WRITTEN)
    label = f"of `{part.name}` is"
    if isinstance(part, State) and not part.initial:
        raise Wrong(fact, f"`{part.name}` has no initial value", _beginning(part))
    if isinstance(part, Port):
        _check_size(fact, part)
        like: object = part.like
        if not isinstance(like, (Like, NoneType)):
            expected = f'Like(("{like}",)), with the names of inputs'
            raise Wrong(fact, f"like {label} {own_text(like)}", expected)
        if part.default is not None and part.default != part.default:
            raise Wrong(fact, f"the default {label} NaN", "a number")
        if part.pace is not None and not (len(part.pace) == 2 and 0.0 <= part.pace[0] <= part.pace[1]):
            expected = "(minimum, maximum) number of sample times of the block"
            raise Wrong(fact, f"the pace {label} {part.pace}", expected)
    elif isinstance(part, Crossing):
        if part.direction not in (-1, 0, 1):
            expected = "1 (rises through zero), -1 (falls) or 0 (either)"
            raise Wrong(fact, f"the direction {label} {part.direction}", expected)
        if part.turns and not part.direction:
            raise Wrong(
                fact, f"the direction {label} 0", "1 (begins to rise) or -1 (to fall), where it turns"
            )
        if part.count < 0:
            raise Wrong(fact, f"the count {label} {part.count}", "0, or the number of values that it watches")


def check_likes(inputs: Iterable[Port], outputs: Iterable[Port], states: Iterable[State]) -> None:
    """Raise Wrong if `like` names a port that the block does not have."""
    input_names = [port.name for port in inputs]
    port_names = [*input_names, *(port.name for port in outputs)]
    for port in outputs:
        names = port.like.inputs if port.like is not None else ()
        if not isinstance(names, tuple) or not set(names) <= set(input_names):
            expected = f"a tuple of names of inputs: {', '.join(input_names) or 'there is none'}"
            raise Wrong("outputs", f"like of `{port.name}` is {own_text(names)}", expected)
    for state in states:
        if state.like and state.like not in port_names:
            expected = f"the name of a port: {', '.join(port_names) or 'there is none'}"
            raise Wrong("states", f"like of `{state.name}` is {state.like!r}", expected)
        if state.before and (state.before not in port_names or not state.held):
            expected = "a held state, and the name of a port"
            raise Wrong("states", f"before of `{state.name}` is {state.before!r}", expected)


def _check_size(fact: str, part: Port) -> None:
    size = part.size
    shape = size.shape if isinstance(size, Size) else () if size is None else (size,)
    sized = size is None or isinstance(size, Size) or fits(size, schema_of("int"))
    positive = isinstance(shape, tuple) and all(fits(n, schema_of("int")) and n >= 1 for n in shape)
    if not (sized and positive and len(shape) <= 2):
        expected = "None (any), 1 (a scalar), n (a vector) or Size((n, m)), of whole numbers above 0"
        mistake = f"the size of `{part.name}` is {own_text(size)}"
        raise Wrong(fact, mistake, f"{expected}; {_signature(Port)}")


def _signature(kind: type) -> str:
    return f"{kind.__name__}({', '.join(field.name for field in dataclasses.fields(kind))})"


def check_name(field: str, name: str, words: bool = True) -> None:
    """Raise Wrong for a name that functions cannot use."""
    if not isinstance(name, str) or not name.isidentifier() or keyword.iskeyword(name):
        raise Wrong(field, f"the name {own_text(name)}", "a name of Python: letters, digits, `_`")
    if words and (name in TAKEN or name.startswith("crossed_")):
        expected = "another name: functions use this one for the time, the mode, an event or a random key"
        raise Wrong(field, f"the name `{name}`, which is reserved", expected)


def check_names(kind: type[Block]) -> None:
    """Raise Wrong if two items share a name, or if one has the name of an attribute of Block."""
    from .block import Block

    parameters = kind.rules()
    for name in parameters:
        check_name(name, name)
        if name in dir(Block):
            raise Wrong(name, "a parameter with the name of something that every block has", "another name")
    ports = {fact: _names(kind, fact) for fact in TYPES}
    groups = {
        "inputs": ports["inputs"], "outputs": ports["outputs"], "states": ports["states"],
        "parameters": tuple(parameters),
    }  # fmt: skip
    owner: dict[str, str] = {}
    for fact, names in groups.items():
        for name in names:
            other = owner.setdefault(name, fact)
            shown = (other, fact) == ("outputs", "states") and not kind.sampled  # an output that is a state
            if other != fact and not shown:
                raise Wrong(fact, f"`{name}` stands in {other} too", "another name for one of them")


def _names(kind: type[Block], fact: str) -> tuple[str, ...]:
    parts = getattr(kind, fact)
    return tuple(part.name for part in parts) if isinstance(parts, tuple) else ()
