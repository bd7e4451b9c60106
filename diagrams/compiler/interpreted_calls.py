"""One function of a block called from Python: with scalars, element by element, or with whole arrays."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from ...blocks.contract.formula import Formula
from ...native.groups import taking_fields
from .plan import binding
from .plan.binding import Argument
from .plan.unit import Unit, elements, role_arguments, role_name


def elementwise(
    unit: Unit, role: str, arguments: list[Argument], values: list[Any], requested: list[Any]
) -> dict[str, Any]:
    """The results of an elementwise function, by name."""
    columns = [
        [np.array(v)] * unit.count
        if a.kind == binding.TABLE
        else np.ravel(v)[np.asarray(elements(np.shape(v), unit.shape))]
        for v, a in zip(values, arguments, strict=True)
    ]
    results: list[Any] = []
    for e in range(unit.count):
        row = [
            int(c[e]) if a.kind in binding.INTEGERS else c[e] if a.kind == binding.TABLE else float(c[e])
            for c, a in zip(columns, arguments, strict=True)
        ]
        results.append(
            _returned(_scalar(role, unit.functions[role], row), requested, role, unit.functions[role])
        )
    table = np.array(results, np.float64).reshape(unit.count, -1)
    return {
        name: table[:, j].reshape(unit.shape) if unit.shape else float(table[0, j])
        for j, (name, _) in enumerate(requested)
    }


def with_arrays(
    role: str, function: Any, arguments: list[Argument], values: list[Any], requested: list[Any]
) -> dict[str, Any]:
    """The results of a function of arrays, by name."""
    call: list[Any] = []
    for a, value in zip(arguments, values, strict=True):
        if a.kind in binding.INTEGERS:
            call.append(np.array(value) if a.shape else int(np.ravel(value)[0]))
        elif a.kind in (binding.TARGET, binding.MEMORY, binding.PLACE):
            call.append(value)
        else:
            call.append(float(np.ravel(value)[0]) if a.shape == () else np.array(value, order="C"))
    answer = taking_fields(function)(*call)
    results = {a.name: v for a, v in zip(arguments, call, strict=True) if a.kind == binding.TARGET}
    returned = [(name, shape) for name, shape in requested if name not in results]
    if returned:
        answer = _returned(answer, returned, role, function)
        parts = answer if isinstance(answer, tuple) else (answer,)
        flat = np.concatenate([np.ravel(part) for part in parts])
        start = 0
        for name, shape in returned:
            results[name] = np.array(flat[start : start + prod(shape)], np.float64).reshape(shape)
            start += prod(shape)
    return results


def _returned(answer: Any, requested: list[Any], role: str, function: Any) -> Any:
    """What a function returned. Raises ValueError for nothing (for NumPy, a NaN) and for text."""
    if answer is None or isinstance(answer, str):
        listed = ", ".join(name for name, _ in requested)
        raise ValueError(f"{role_name(role, function)}: it returned {answer!r}, expected {listed}")
    return answer


def _scalar(role: str, function: Any, row: list[Any]) -> Any:
    """One element of an elementwise function."""
    if isinstance(function, tuple):
        names = role_arguments(function)
        by_name = dict(zip(names, row, strict=True))
        return [formula.value(by_name) for formula in function]
    if isinstance(function, Formula) and role == "mode":
        return int(function(*row))
    try:
        return taking_fields(function)(*row)
    except ZeroDivisionError:
        return np.float64(row[0]) / 0.0 if len(row) == 1 else np.nan
