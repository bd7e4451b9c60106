"""One function of one unit, turned into instructions: arguments gathered, function called, results placed."""

from __future__ import annotations

from ....blocks.contract.callback import Callback
from ....native.front_end import CannotCompile
from ..plan.binding import bind, targets
from ..plan.unit import Unit
from .arrays import call_array, call_back, call_in_python
from .body import Body
from .elementwise import Elementwise
from .writer import Value


def run(
    body: Body, unit: Unit, role: str, places: dict[str, tuple[str, int]] | None = None
) -> dict[str, Value]:
    """Call a function; its results by target name. `places` are addresses that large results go to."""
    function, body.path = unit.functions[role], unit.path
    arguments = bind(unit, role, unit.names[role])
    results = targets(unit, role)
    if isinstance(function, Callback):
        return call_back(body, unit, role, function, arguments, results)
    if unit.path in body.in_python:
        return call_in_python(body, unit, role, arguments, results, body.in_python[unit.path])
    try:
        if unit.elementwise:
            return Elementwise(body, unit, role, arguments).write(results, places or {})
        return call_array(body, unit, role, arguments, results, places or {})
    except CannotCompile as error:
        return call_in_python(body, unit, role, arguments, results, str(error))
