"""Raise all errors in the arguments of a run together."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ...base.error_collector import ErrorCollector, gather_without
from ...base.errors import BlockdynError
from ...base.hints import nearest_word
from ...base.schema import is_number
from ..compiler.program import Program
from ..model.diagram_error import DiagramError
from ..model.errors import RunArgumentError, several_arguments
from ..model.gathered import several_errors
from ..model.settings import NAMES, SETTINGS

SPAN = ("start", "stop")
FAMILIES = (RunArgumentError, DiagramError)  # the latter for names in `log`
STOP = ", did you mean `stop`?"
WITHIN = ("times", "every")  # checked against the span


def report_all(prepare: Callable[[dict[str, Any]], object], arguments: Mapping[str, Any]) -> None:
    """Raise all errors in the arguments of a run, which `prepare` raises one after the other."""
    remaining = dict(arguments)
    errors = ErrorCollector[BlockdynError](FAMILIES, _several)
    gather_without(errors, lambda: prepare(remaining), lambda error: _leave_out(remaining, error))
    errors.finish()


def report_with(error: BlockdynError, compile: Callable[[], Program], arguments: Mapping[str, Any]) -> None:
    """Raise the errors in the other arguments of a run whose compiled arguments were refused.

    `compile` makes the program without them.
    """
    from .prepared import prepare_run

    try:
        program = compile()
    except FAMILIES:
        raise error from None
    prepare_run(program, arguments)


def _several(errors: Sequence[BlockdynError]) -> BlockdynError:
    of_diagram = [error for error in errors if isinstance(error, DiagramError)]
    return several_errors(of_diagram) if len(of_diagram) == len(errors) else several_arguments(errors)


def _leave_out(arguments: dict[str, Any], error: BlockdynError) -> bool:
    """Remove an argument, or one state of `initial`; False if it was not given."""
    if not isinstance(error, RunArgumentError):
        return arguments.pop("log", None) is not None
    argument = error.argument
    name, bracket, _ = argument.partition("[")
    if name not in arguments:
        return _give(arguments, name)
    value = arguments.pop(name)
    if name not in SETTINGS and nearest_word(name, NAMES) == STOP and "stop" not in arguments:
        arguments["stop"] = value if is_number(value) else 1.0  # given, though wrong, so not missing
    if bracket and isinstance(value, Mapping):
        remaining = {key: item for key, item in value.items() if f"{name}[{key!r}]" != argument}
        arguments[name] = remaining
        return len(remaining) < len(value)
    if name == "step" and not error.expected.startswith("no step"):  # a fixed-step method needs one
        arguments[name] = 0.1
    if name in SPAN:
        arguments |= {"start": 0.0, "stop": 1.0}
        for key in WITHIN:
            arguments.pop(key, None)
    return True


def _give(arguments: dict[str, Any], name: str) -> bool:
    """Put a value in place of a required argument that was not given, so that the others can be checked."""
    start = arguments.get("start", 0.0)
    values = {"stop": start + 1.0 if is_number(start) else 1.0, "step": 0.1}
    if name not in values:
        return False
    arguments[name] = values[name]
    return True
