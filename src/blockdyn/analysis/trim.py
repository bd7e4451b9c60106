"""Trimming finds states and inputs at which a diagram is at rest, or moves as required."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..base.annotations import real_array
from ..diagrams.compiler.program import Program
from ..diagrams.compiler.variables import Variable
from ..diagrams.model.diagram import Diagram
from ..diagrams.model.run_errors import RunError
from ..solvers.layout import Floats
from .balance import Balance
from .errors import AnalysisError, UnknownVariable
from .jacobians import names as element_names
from .nearest_root import NoSlope, Root, nearest_root
from .opening import OUT, opened, signals
from .own_events import by_time, ticking_by_themselves
from .point import At, OperatingPoint, Values, point_of

EXACT = 1e-12  # allowed residual of an equation, in its units
ROUNDING = 64 * 2.0**-52  # of the terms of an equation: a smaller residual is not attainable
SEARCHED = 1e-7  # of the largest residual: smaller ones count as met at the nearest point
CLOSE = 1e-4  # distance at which the search counts as stopped by a bound
WORST = 6  # equations that an error names


@dataclass(frozen=True, repr=False)
class Trim(OperatingPoint):
    """An operating point that `Diagram.trim` found.

    outputs    the Outports there, by name
    residual   the largest residual of an equation, in its units
    floating   states and inputs that the equations do not determine; they stay near their start values
    """

    outputs: Values = None  # type: ignore[assignment]
    residual: float = 0.0
    floating: tuple[str, ...] = ()


class TrimError(AnalysisError):
    """No point satisfies the request: `equations` by name with the residual of each at the nearest point."""

    def __init__(self, left: Mapping[str, float], fixed: Sequence[str], bounds: Sequence[str]) -> None:
        self.equations, self.unmoved, self.at_bounds = dict(left), tuple(fixed), tuple(bounds)
        worst = sorted(left, key=lambda name: -abs(left[name]))
        text = ", ".join(f"{name} is off by {left[name]:.3g}" for name in worst[:WORST])
        if len(worst) > WORST:
            text += f", and {len(worst) - WORST} more"
        problem = f"no operating point was found; at the nearest one {text}"
        remedy = "equations that can be met together: let more states or inputs be free, or require less"
        if fixed:
            remedy += f"; no free value affects {', '.join(fixed)}"
        if bounds:
            remedy += f"; at a bound: {', '.join(bounds)}"
        super().__init__(problem, remedy)


def trimmed_point(
    program: Program, *, states: Values | None, inputs: Values | None, outputs: Values | None,
    slopes: Values | None, bounds: Values | None, at: At, time: float | None,
) -> Trim:  # fmt: skip
    """Carry out `Diagram.trim` on a program."""
    if paths := [*ticking_by_themselves(program), *by_time(program)]:
        actual = f"{', '.join(paths)}: its state is updated by events without a fixed sample time"
        expected = (
            "blocks that tick by a clock, such as DiscretePID, a subsystem that a FunctionCall calls, or a"
            " run to where it rests"
        )
        raise AnalysisError(actual, expected)
    outputs = _by_name("outputs", outputs)
    outports = {variable.name for variable in program.output_ports}
    signal = {
        name: name for name in outputs if name not in outports and name.partition("[")[0] not in outports
    }
    for name in signal:
        base, bracket, element = name.partition("[")
        signal[name] = f"{base}{OUT}{bracket}{element}"
    if signal:
        read = dict.fromkeys(name.partition("[")[0] for name in signal)
        program = opened(program, (), signals("outputs", read, program.flat), ())
    begin = point_of(program, at, time)
    of_inputs = _elements("inputs", inputs, program.inputs)
    balance = Balance(program, begin, of_inputs)
    free = np.ones(balance.size, bool)
    point = balance.point.copy()
    free[[balance.first_input + i for i in of_inputs]] = False
    _refuse_signals(states, balance.states, program)
    for place, value in _elements("states", states, balance.states).items():
        point[place], free[place] = value, False
    rates = _elements("slopes", slopes, program.states, absent=True)
    outputs = {signal.get(name, name): value for name, value in outputs.items()}
    ends = _elements("outputs", outputs, program.output_ports)
    target = np.zeros(balance.equations)
    asked = np.ones(balance.equations, bool)
    asked[balance.first_output :] = False
    for place, value in rates.items():
        target[place], asked[place] = np.nan_to_num(value), not np.isnan(value)
    for place, value in ends.items():
        target[balance.first_output + place], asked[balance.first_output + place] = value, True
    low, high = _bounds(bounds, balance)
    asked &= np.isfinite(target)

    def residual(unknowns: Floats) -> Floats:
        point[free] = unknowns
        return (balance.at(point) - target)[asked]

    def jacobian(unknowns: Floats) -> Floats:
        point[free] = unknowns
        columns: Floats = balance.jacobian(point)[np.ix_(asked, free)]
        return columns

    try:
        root = nearest_root(residual, jacobian, point[free], low[free], high[free])
    except NoSlope as error:
        steep = ", ".join(np.array(balance.names)[free][error.unknowns])
        actual = f"the equations have no finite derivative with respect to {steep} where the search begins"
        raise AnalysisError(actual, "another `at` to begin from") from None
    except RunError as error:
        raise AnalysisError(
            f"the diagram cannot be evaluated where the search begins: {error}", "another `at` to begin from"
        ) from error
    point[free] = root.x
    names = np.array(balance.names)[free]
    _require(root, np.array(balance.equation_names)[asked], names, (low[free], high[free]))
    if paths := balance.fed_by_motion(point):
        actual = f"{', '.join(paths)}: its delayed input is not constant at this point"
        raise AnalysisError(actual, "a point at which it rests")
    return balance.described(
        point, float(np.abs(root.left).max(initial=0.0)), tuple(map(str, names[root.floating]))
    )


def _refuse_signals(states: Values | None, variables: Sequence[Variable], program: Program) -> None:
    """Raise AnalysisError for a signal among states."""
    for name in _by_name("states", states):
        base = str(name).partition("[")[0]
        if "." not in base or base in {variable.name for variable in variables}:
            continue
        try:
            signals("states", base, program.flat)
        except AnalysisError:
            continue  # reported as an unknown state
        listed = ", ".join(variable.name for variable in variables) or "none"
        actual = f"states: {name!r} is a signal, not a state"
        raise AnalysisError(actual, f"outputs={{{name!r}: ...}}; or one of the states, {listed}")


def _require(root: Root, equations: Any, names: Any, bounds: tuple[Floats, Floats]) -> None:
    """Raise TrimError unless every equation is satisfied."""
    allowed = np.maximum(EXACT, ROUNDING * (np.abs(root.jacobian) @ np.abs(root.x)))
    left = np.abs(root.left)
    if np.all(left <= allowed):
        return
    missed = ~(left <= np.maximum(allowed, SEARCHED * left.max()))
    unmoved = [str(e) for e, row in zip(equations, root.jacobian, strict=True) if not np.any(row)]
    at_bounds = [
        str(name)
        for name, value, low, high in zip(names, root.x, *bounds, strict=True)
        if min(value - low, high - value) <= CLOSE * max(1.0, abs(value))
    ]
    unmet = {
        str(name): float(value) for name, value in zip(equations[missed], root.left[missed], strict=True)
    }
    raise TrimError(unmet, [name for name in unmoved if name in unmet], at_bounds)


def _elements(
    argument: str, values: Values | None, variables: Sequence[Variable], *, absent: bool = False
) -> dict[int, float]:
    """Values of variables or of single elements by their index; NaN in an array leaves an element free.

    With `absent`, None and NaN are values too. Raises UnknownVariable, AnalysisError.
    """
    values = _by_name(argument, values)
    names = element_names(tuple(variables))
    elements: dict[int, float] = {}
    places = np.cumsum([0, *(variable.count for variable in variables)])
    by_name = {v.name: range(a, b) for v, a, b in zip(variables, places, places[1:], strict=False)}
    by_name |= {name: range(i, i + 1) for i, name in enumerate(names) if name not in by_name}
    for name, value in values.items():
        if name not in by_name:
            raise UnknownVariable(argument, name, by_name, argument.removesuffix("s"))
        try:
            array = real_array(np.nan if value is None and absent else value).astype(float).ravel()
        except (TypeError, ValueError, OverflowError):
            array = np.zeros(0)
        where = by_name[name]
        nothing = array.size == 1 and np.isnan(array[0]) and not absent
        if array.size not in (1, len(where)) or np.any(np.isinf(array)) or nothing:
            expected = f"{len(where)} numbers, NaN for what is free" if len(where) > 1 else "a number"
            raise AnalysisError(f"{argument}[{name!r}] is {value!r:.80}", expected)
        for place, number in zip(where, np.broadcast_to(array, len(where)), strict=True):
            if absent or not np.isnan(number):
                elements[place] = float(number)
    return elements


def _by_name(argument: str, values: Values | None) -> Values:
    if values is None:
        return {}
    if not isinstance(values, Mapping):
        raise AnalysisError(f"{argument} is {values!r:.80}", 'values by name: {"arm.position": [0.5, 1.0]}')
    return values


def _bounds(bounds: Values | None, balance: Balance) -> tuple[Floats, Floats]:
    """The least and the greatest value of every unknown."""
    low, high = np.full(balance.size, -np.inf), np.full(balance.size, np.inf)
    for name, pair in _by_name("bounds", bounds).items():
        places = [i for i, each in enumerate(balance.names) if name in (each, each.partition("[")[0])]
        if not places:
            names = dict.fromkeys([*balance.names, *(each.partition("[")[0] for each in balance.names)])
            raise UnknownVariable("bounds", name, names, "state or input")
        try:
            least, greatest = (np.broadcast_to(np.asarray(end, float), len(places)) for end in pair)
        except (TypeError, ValueError, OverflowError):
            least = greatest = np.full(len(places), np.nan)
        if not np.all(least < greatest):
            expected = "the least and the greatest value: (0.0, 12.0)"
            raise AnalysisError(f"bounds[{name!r}] is {pair!r:.80}", expected)
        low[places], high[places] = least, greatest
    return low, high


def trim(
    diagram: Diagram,
    *,
    states: Mapping[str, Any] | None = None, inputs: Mapping[str, Any] | None = None,
    outputs: Mapping[str, Any] | None = None, slopes: Mapping[str, Any] | None = None,
    bounds: Mapping[str, Any] | None = None, at: At = None, time: float | None = None,
    parameters: Mapping[str, Any] | None = None, set: Mapping[str, Any] | None = None,
    loops: str | None = None,
) -> Trim:  # fmt: skip
    """The operating point where the diagram is at rest, or moves steadily, near the start of the search:

        f(t, x, u) = slopes,  g(t, x, u) = outputs,  and the next discrete states are the present ones

    states, inputs   values that are fixed, by name; all others are free. NaN among the elements of a
                     vector leaves that element free; "arm.position[2]" is one element
    outputs          required values of Outports or signals: {"speed": 3.0, "arm.q[2]": -1.0}
    slopes           derivatives of states that move, 1/s times their unit, else 0; None: not required
    bounds           the least and greatest value of free states and inputs: {"u": (0.0, 12.0)}
    at, time         start of the search, as for `linearize`

    Values that the equations leave open stay near the start of the search; `floating` of the returned
    point names them. Every equation is met to 1e-12, or to the rounding of its terms. The result is a
    point for `linearize(at=...)`; to start a run there, pass `initial=point.initial,
    inputs=point.inputs`.

    Raises TrimError, which names the equations that cannot be met, and the errors of `linearize`.
    """
    program = diagram.compile(parameters, set, loops=loops)
    return trimmed_point(
        program, states=states, inputs=inputs, outputs=outputs, slopes=slopes, bounds=bounds,
        at=at, time=time,
    )  # fmt: skip
