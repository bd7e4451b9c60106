"""Find unused definitions of a block class, in particular misspelt names."""

from __future__ import annotations

import dis
import inspect
import itertools
from collections.abc import Iterator, Mapping
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Any

from ...base.words import nearest
from .declared_parts import TYPES, Wrong
from .equations import ROLES

if TYPE_CHECKING:
    from .block import Block

_TRUTHS = ("COMPARE_OP", "CONTAINS_OP", "IS_OP", "UNARY_NOT")

_TRUE_NUMBERS = {  # functions whose result is a number, not a truth value
    "crossing": "a number that passes through zero: `return h - level`, not `return h < level`",
    "derivative": "the derivative of the state, a number: `1.0 if u > 0 else 0.0` if it has one of two "
    "values",
}


def check_facts(kind: type[Block]) -> None:
    """Raise Wrong for ports, states or crossings under a name that no block reads."""
    for name, value in vars(kind).items():
        parts = value if isinstance(value, (tuple, list)) else (value,)
        stray = next((part for part in parts if isinstance(part, tuple(TYPES.values()))), None)
        if stray is None or name in TYPES or name.startswith("_"):
            continue
        facts = [fact for fact, part in TYPES.items() if part is type(stray)]
        mistake = f"a {type(stray).__name__} under a name that no block reads{nearest(name, facts)}"
        raise Wrong(name, mistake, f"`{'` or `'.join(facts)}`; or a name that begins with `_`")


def check_misspelt(kind: type[Block], flags: tuple[str, ...], methods: tuple[str, ...]) -> None:
    """Raise Wrong for an unused truth value, text or method with a name similar to one of Block's."""
    open_names = [name for name in vars(kind) if not name.startswith("_") and name not in kind.rules()]
    for name in open_names:
        value = vars(kind)[name]
        if isinstance(value, bool):
            names = flags
        elif isinstance(value, str):
            names = ("held_initial", "icon")
        elif inspect.isfunction(value):
            names = methods
        else:
            continue
        close = nearest(name, names, likeness=0.75)
        if close and name not in names and name not in _names_read(kind):
            raise Wrong(name, f"nothing reads it{close}", f"one of {', '.join(names)}; or another name")


def strays(kind: type[Block]) -> list[str]:
    """The public static methods that are not equations, and that no method of the class uses."""
    from .block import Block

    stray = []
    for name in dir(kind):
        if isinstance(inspect.getattr_static(kind, name), staticmethod):
            equation = name in ROLES or name.startswith("output_")
            if not (equation or name.startswith("_") or hasattr(Block, name)):
                stray.append(name)
    named = _names_read(kind) if stray else set()
    return [name for name in stray if name not in named]


def _names_read(kind: type[Block]) -> set[str]:
    """All names that the class's functions and methods read."""
    # From the byte code, not from the source: a class made by exec has no source.
    named: set[str] = set()
    for name in dir(kind):
        value = inspect.getattr_static(kind, name)
        inner = getattr(value, "__func__", getattr(value, "fget", getattr(value, "func", value)))
        for code in _codes(getattr(inner, "__code__", None)):
            named.update(code.co_names)
    return named


def check_strays(kind: type[Block], roles: tuple[str, ...]) -> None:
    """Raise Wrong for a function that is never called."""
    for name in strays(kind):
        mistake = f"a function that nothing calls{nearest(name, roles)}"
        expected = f"one of {', '.join(roles)}; a helper is a function of the module, or begins with `_`"
        raise Wrong(name, mistake, expected)


def check_idle(functions: Mapping[str, Any]) -> None:
    """Raise Wrong for a `crossing` without effect: no jump, no mode, no refusal."""
    codes = [code_of(function) for function in functions.values()]
    handled = not {"jump", "mode", "update"}.isdisjoint(functions)
    readable = [code for code in codes if code is not None]
    if "crossing" not in functions or handled or len(readable) < len(codes):
        return
    if any(step.opname == "RAISE_VARARGS" for code in readable for step in dis.get_instructions(code)):
        return
    expected = "a static method `jump` (new states) or `mode` (another branch), or no `crossing`"
    raise Wrong("crossing", "nothing happens at its events", expected)


def check_result(role: str, function: Any) -> None:
    """Raise Wrong if a `crossing` or `derivative` returns a comparison, or if a `mode` returns a fraction."""
    code = code_of(function)
    if role not in ("mode", *_TRUE_NUMBERS) or code is None:
        return
    for last in _return_values(code):
        constant = last.argval if last.opname in ("LOAD_CONST", "RETURN_CONST") else None
        if role in _TRUE_NUMBERS and (last.opname in _TRUTHS or isinstance(constant, bool)):
            mistake = f"it returns a truth value (line {_line(code, last)})"
            raise Wrong(role, mistake, _TRUE_NUMBERS[role])
        if role == "mode" and isinstance(constant, float) and not constant.is_integer():
            raise Wrong(
                role, f"it returns {constant} (line {_line(code, last)})", "a whole number: 0, 1, ..."
            )


def _return_values(code: CodeType) -> Iterator[dis.Instruction]:
    """The instructions that compute returned values, each the last of its kind before a return."""
    # The first instruction is paired with itself, so that it is checked too. RETURN_CONST exists in Python
    # 3.12 and 3.13 only.
    steps = list(dis.get_instructions(code))
    ends = {step.offset for step in steps if step.opname == "RETURN_VALUE"}
    for before, step in itertools.pairwise([*steps[:1], *steps]):
        if step.opname == "RETURN_CONST":
            yield step
        elif step.offset in ends or (step.opname == "JUMP_FORWARD" and step.argval in ends):
            yield before


def code_of(function: Any) -> CodeType | None:
    """The code of a function, also of one that numba has compiled; None if it has none."""
    plain = getattr(function, "py_func", function)
    return plain.__code__ if isinstance(plain, FunctionType) else None


def _codes(code: Any) -> Iterator[CodeType]:
    """A code object and the ones inside it: lambdas, comprehensions."""
    if isinstance(code, CodeType):
        yield code
        for constant in code.co_consts:
            yield from _codes(constant)


def _line(code: CodeType, step: dis.Instruction) -> int:
    lines = [line for start, end, line in code.co_lines() if start <= step.offset < end and line]
    return lines[0] if lines else code.co_firstlineno
