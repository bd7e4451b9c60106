"""StateMachine: states, guarded transitions between them, and actions."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from ...base.door import door
from ..contract.block import Block, is_open
from ..contract.errors import FormulaError, ParameterError
from ..contract.formula import CONSTANTS, TIME, Node
from ..contract.internal_names import internal_name
from ..contract.mappings import MappingExpression, plain
from ..contract.parameter import Rule, as_number, option
from ..contract.port import Crossing, Port, State
from .machine.chart import Chart, ChartError, read_chart
from .machine.faults import require_one_way, require_reachable, require_rest
from .machine.formulas import AFTER, BEGIN, OUTPUT, STATE, Formulas, held_name, names, replace_names
from .machine.guards import logical

if TYPE_CHECKING:
    from ...doors import StateMachine as Doors
else:
    Doors = object

BEGINNING, NEVER = internal_name("begin"), internal_name("never")  # constants: initial values of held states
RESERVED = (TIME, AFTER, *CONSTANTS)


class StateMachine(Block, Doors):
    """A machine that is in one of its states, and changes to another state when a guard holds.

        transition a -> b: at the instant when its guard holds in a; exit of a, `do`, entry of b, one by one
        output = the formula of `during` of the state, or the last value from an action;  state = its number

    Guards and actions are formulas as in Expression, of inputs, outputs, `variables`, `coefficients`,
    the time t, and `after`, the time since the state was entered (in a guard, the state that it leaves). All
    other names are the inputs, which are scalars. In a guard a value by itself is true above 0.5. Guards are
    located as events; if one is true on entry, the next transition follows at the same instant. States may
    contain states: their path is `outer/inner`, and the transitions of outer states come first. A transition
    to an outer state enters its `initial` state, by default the first one, or with `history` the state that
    was left last. When a state is left, an output given by `during` keeps the value of its formula at that
    instant, with inputs as they are after a jump, unless an action assigns another value.

    Two transitions from one state whose guards can both be true are an error, which gives values for which
    they are; with `competing: first` the first in the list is taken. States that cannot be reached, and
    cycles of transitions without guards, are errors too. Raises ParameterError.

    Source: D. Harel, Statecharts: A visual formalism for complex systems, Science of Computer Programming 8
    (1987) 231-274, doi:10.1016/0167-6423(87)90035-9.

    Example:
        {type: StateMachine, signals: {heat: 0.0}, chart: {
            states: {idle: {entry: {heat: 0}}, heating: {entry: {heat: 1}}},
            transitions: [idle -> heating: T < 18, heating -> idle: T > 21 or after > 600]}}
    """

    icon = "state machine"
    outputs: ClassVar = ()
    elementwise: ClassVar = True

    chart: Mapping[str, Any] = option(
        doc="`states` by name, each with entry, during, exit, states, initial, history; transitions; initial"
    )
    signals: Mapping[str, float] | None = option(default=None, doc="outputs by name, and their first values")
    variables: Mapping[str, float] | None = option(
        default=None, doc="variables that are not outputs, like `signals`"
    )
    coefficients: Mapping[str, float] | None = option(default=None, doc="constant numbers by name")
    competing: Literal["error", "first"] = option(
        default="error", doc="treatment of two guards that can hold together", choices=("error", "first")
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.open_parameters():
            self._check_chart(
                {}
            )  # these errors are raised at once; other checks follow once its numbers are set
        else:
            initial = {
                STATE: BEGINNING,
                **{held_name(name): _first_name(name) for name in self._first_values},
            }
            states = (
                State(name, initial.get(name, NEVER), held=True) for name in self._formulas.held_states()
            )
            object.__setattr__(self, "states", tuple(states))

    # ---- declaration ----

    @cached_property
    def machine(self) -> Chart:
        """The states and transitions as they are declared. Raises ParameterError."""
        declared = _entries(self.chart)
        try:
            if not isinstance(declared, Mapping):
                raise ChartError(f"the chart {declared!r}", "a mapping of states and transitions", "states")
            for key in declared:
                if key not in ("states", "transitions", "initial"):
                    raise ChartError(f"a chart has the key `{key}`", "states, transitions, initial", key)
            states, transitions = declared.get("states"), declared.get("transitions", [])
            if not isinstance(states, dict):
                raise ChartError(f"states {states!r}", "states by name", "states")
            if not isinstance(transitions, list):
                raise ChartError(f"transitions {transitions!r}", "a list of transitions", "transitions")
            transitions = [_as_mapping(each) for each in transitions]
            return read_chart(states, transitions, declared.get("initial"))
        except ChartError as error:
            raise self._fault(error) from None

    @cached_property
    def _first_values(self) -> dict[str, float]:
        """The first values of outputs and variables, by name."""
        values: dict[str, float] = {}
        for option_name in ("signals", "variables"):
            for name, value in _entries(getattr(self, option_name)).items():
                plain = isinstance(name, str) and name.isidentifier()
                taken = (*RESERVED, OUTPUT) if option_name == "signals" else RESERVED
                if not plain or name in taken or name in values:
                    expected = f"names of letters, digits and _, each once, other than {', '.join(taken)}"
                    raise ParameterError("StateMachine", option_name, name, expected)
                values[name] = _number(f"{option_name}.{name}", value)
        return values

    @cached_property
    def _numbers(self) -> dict[str, float]:
        entries = _entries(self.coefficients)
        return {name: _number(f"coefficients.{name}", value) for name, value in entries.items()}

    @cached_property
    def _formulas(self) -> Formulas:
        return Formulas(self.machine, tuple(self._first_values))

    def _fault(self, error: ChartError) -> ParameterError:
        wrong = ParameterError("StateMachine", "chart", self.chart, error.expected, reason=error.actual)
        steps: Any = (error.parameter, *error.steps)
        wrong.element = steps  # the path contains keys and positions
        return wrong

    def check(self) -> None:
        self._check_chart({name: Node("number", value) for name, value in self._numbers.items()})
        try:
            self.functions()
        except FormulaError as error:
            raise ParameterError("StateMachine", "chart", self.chart, reason=error) from None

    def _check_chart(self, numbers: Mapping[str, Node]) -> None:
        """Raise ParameterError for a chart that is invalid with these coefficients."""
        try:
            self._require_names()
            guards = {t.index: replace_names(logical(t.guard), numbers) for t in self.machine.transitions}
            require_reachable(self.machine, guards)
            require_rest(self.machine, guards)
            if self.competing == "error" and not self.open_parameters():
                require_one_way(self.machine, guards)
        except ChartError as error:
            raise self._fault(error) from None

    def _require_names(self) -> None:
        """Raise ParameterError for an action on an unknown name, and for names with two meanings."""
        for state in self.machine.states.values():
            for key in ("entry", "during", "exit"):
                self._require_targets(getattr(state, key), "states", *state.steps, key)
        for transition in self.machine.transitions:
            self._require_targets(transition.actions, "transitions", transition.index, "do")
        for name in _entries(self.coefficients):
            if name in self._first_values or name in RESERVED:
                raise ParameterError(
                    "StateMachine", "coefficients", name, "names that are not used elsewhere"
                )

    def _require_targets(self, actions: Any, *place: str | int) -> None:
        for name, _ in actions:
            if name not in self._first_values:
                expected = (
                    f"one of its outputs and variables: {', '.join(self._first_values) or 'it has none'}"
                )
                raise ChartError(f"an action on `{name}`", expected, str(place[0]), *place[1:], name)

    # ---- its picture ----

    def dot(self) -> str:
        """The states and transitions as text in the language DOT, which Graphviz draws."""
        from .machine.picture import dot

        return dot(self.machine, self.kind())

    # ---- the block ----

    def constants(self) -> Mapping[str, Any]:
        first = {_first_name(name): value for name, value in self._first_values.items()}
        return {BEGINNING: BEGIN, NEVER: 0.0, **first, **self._numbers}

    def input_ports(self) -> tuple[Port, ...]:
        declared = {TIME, AFTER, *self._first_values, *_entries(self.coefficients)}
        asked: dict[str, None] = {}
        for node in self.machine.formulas():
            asked.update(dict.fromkeys(sorted(names(node) - declared)))
        return tuple(Port(name, 1) for name in asked)

    def output_ports(self) -> tuple[Port, ...]:
        numbers = ", ".join(f"{leaf.number} {leaf.path}" for leaf in self.machine.leaves)
        return (*(Port(name, 1) for name in _entries(self.signals)), Port(OUTPUT, 1, doc=numbers))

    def functions(self) -> Mapping[str, Any]:
        return self._roles

    @cached_property
    def _roles(self) -> Mapping[str, Any]:
        return self._formulas.functions("StateMachine", _entries(self.signals))

    def zero_crossings(self) -> tuple[Crossing, ...]:
        return tuple(Crossing(name, way) for name, way in self._formulas.events("StateMachine"))

    if not TYPE_CHECKING:  # see doors.pyi
        draw = door("drawing.machine:draw")


def _first_name(variable: str) -> str:
    """The constant that holds the initial value of an output or a variable."""
    return internal_name("first", variable)


def _entries(value: object) -> dict[str, Any]:
    """Content of an option's mapping, with the expressions in it if it is open."""
    return plain(value.data if isinstance(value, MappingExpression) else value or {})  # type: ignore[no-any-return]


def _number(place: str, value: object) -> float:
    if is_open(value):
        return 0.0  # until the diagram's parameters have values
    return float(as_number("StateMachine", place, value, Rule(True, dimensions=(0,))))


def _as_mapping(transition: object) -> Any:
    """`a -> b: guard` in Python as it is read from a file."""
    if isinstance(transition, str) and ":" in transition:
        ends, _, guard = transition.partition(":")
        return {ends.strip(): guard.strip()}
    return transition
