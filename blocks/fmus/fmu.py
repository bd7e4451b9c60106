"""FMU: a model that another tool has exported, with its own code."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from ...base.words import nearest
from ...solvers.events.timer import Timer
from ..contract.block import Block
from ..contract.errors import ParameterError
from ..contract.mappings import MappingExpression, plain
from ..contract.owned import Instance
from ..contract.parameter import LibraryLike, Real, option, parameter
from ..contract.port import Crossing, Port, Size, State
from .archive import description_of
from .code import calls
from .description import TEXTS, Description, FmuError, Variable
from .instance import Call, Recipe, release
from .interface import Interface, Signal
from .signals import number, port, signals_of, with_values

TYPES = ("auto", "me", "cs")


class FMU(Block):
    """A Functional Mock-up Unit of FMI 2.0 or 3.0, which another tool has exported.

    The block has the inputs and outputs of the FMU, with their units; other characters become `_`, and
    variables `q[1]`, `q[2]` are one vector `q`. `values` sets its parameters and first values by name.

    Model Exchange: the FMU's continuous states are states of the run, its event indicators are zero
    crossings, which the solver locates, and its time events are time events of the run. Co-Simulation: at
    each tick the FMU takes a step of `sample_time` with its own solver; inputs are held, outputs are the
    values after the step.

    The library of the FMU is machine code, which a run executes. Each run, and each scenario of a sweep, has
    an instance of its own. Numbers are signals; text inputs keep their first value,
    or the value in `values`. Raises ParameterError for a file that is not an FMU; InstanceFailed if it holds
    no library for this machine or needs its tool, BlockFailed, with the FMU's own messages, during a run.

    Source: https://fmi-standard.org

    Example:
        {type: FMU, file: motor.fmu, values: {J: 0.02}}
    """

    icon = "FMU"
    ends_run: ClassVar[bool] = True

    file: LibraryLike = option(doc="the FMU")
    fmi_type: str = option(
        default="auto",
        doc="me (Model Exchange) or cs (Co-Simulation); auto: me if the FMU has it",
        choices=TYPES,
    )
    values: Mapping[str, Any] | None = option(default=None, doc="values of parameters, and first values")
    shown: Sequence[str] = option(default=(), doc="variables of the FMU that are further outputs")
    sample_time: Real | None = parameter(
        default=None, unit="s", doc="communication step of cs; default: the FMU's", above=0, dimensions=(0,)
    )
    offset: Real = parameter(default=0.0, unit="s", doc="first tick of cs", minimum=0, dimensions=(0,))
    tolerance: Real | None = parameter(
        default=None, unit="1", doc="relative tolerance of the FMU's own solver", above=0, dimensions=(0,)
    )

    # ---- the FMU ----

    @property
    def path(self) -> str:
        """The path of its file."""
        return os.fspath(self.file)

    @cached_property
    def description(self) -> Description:
        """The description of the FMU. Raises FmuError."""
        return description_of(self.path)

    @property
    def exchange(self) -> bool:
        """True for Model Exchange."""
        first = "me" if "me" in self.description.kinds else "cs"
        return (first if self.fmi_type == "auto" else self.fmi_type) == "me"

    @property
    def sampled(self) -> bool:  # type: ignore[override]
        """True for Co-Simulation."""
        return not self.exchange

    @cached_property
    def interface(self) -> Interface:
        """The variables of the FMU that are signals. Raises FmuError."""
        description, names = self.description, set[str]()
        if not description.kinds:
            raise FmuError(
                self.path,
                "it is neither for Model Exchange nor for Co-Simulation",
                "an FMU for one of the two",
            )
        kind = "me" if self.exchange else "cs"
        inputs = signals_of(self.path, with_values(self.path, description.of("input")), names)
        outputs = [v for v in (*description.of("output"), *self._shown()) if v.type not in TEXTS]
        outputs_of = signals_of(self.path, outputs, names)
        attributes = description.kinds[kind]
        silent = attributes.get("completedIntegratorStepNotNeeded") == "true"
        if description.version == 3:
            silent = attributes.get("needsCompletedIntegratorStep", "true") == "false"
        return Interface(
            description.version, self.exchange,
            sum(v.count for v in description.states) if self.exchange else 0,
            description.indicators if self.exchange else 0, inputs, outputs_of,
            tuple(self._needed(signal, inputs) for signal in outputs_of),
            completed=self.exchange and not silent, directional=self._directional(attributes, outputs_of),
            state_variables=len(description.states),
            event_mode=not self.exchange and attributes.get("hasEventMode") == "true",
        )  # fmt: skip

    def _directional(
        self, attributes: Mapping[str, str], outputs: tuple[Signal, ...]
    ) -> tuple[int, ...] | None:
        """The outputs that the FMU differentiates: its own, and derivatives; None if it provides none."""
        names = "providesDirectionalDerivative", "providesDirectionalDerivatives"
        description = self.description
        moving = [v for v in (*description.states, *description.variables) if v.continuous]
        short = any(v.type == "Float32" for v in moving)
        if not self.exchange or short or "true" not in map(attributes.get, names):
            return None
        unknown = {v.name for v in (*description.of("output"), *description.derivatives)}
        every = enumerate(outputs)
        return tuple(k for k, signal in every if {v.name for v in signal.variables} <= unknown)

    def _shown(self) -> list[Variable]:
        """The variables that are outputs in addition to the FMU's outputs. Raises ParameterError."""
        variables = {v.name: v for v in self.description.variables if v.causality not in ("output", "input")}
        for name in self.shown:
            if name not in variables or variables[name].type in TEXTS:
                reason = f"the FMU has no number `{name}` besides its outputs{nearest(name, [*variables])}"
                raise ParameterError(
                    self.kind(), "shown", self.shown, "names of its variables", reason=reason
                )
        return [variables[name] for name in self.shown]

    def _needed(self, output: Signal, inputs: tuple[Signal, ...]) -> tuple[int, ...]:
        """The inputs with direct feedthrough to an output."""
        states = {variable.name: () for variable in self.description.states}
        dependencies = states | dict(self.description.feedthrough)
        inputs_of = [dependencies.get(variable.name) for variable in output.variables]
        if None in inputs_of:
            return tuple(range(len(inputs)))
        needed = {name for names in inputs_of for name in names or ()}
        return tuple(k for k, signal in enumerate(inputs) if needed & {v.name for v in signal.variables})

    @property
    def recipe(self) -> Recipe:
        """The recipe of its instances."""
        spec = self.interface
        tolerance = self.tolerance if self.tolerance is not None else self.description.tolerance
        return Recipe(
            self.path, self.description, "me" if spec.exchange else "cs", spec, tuple(self._values()),
            tuple(self._first_states()), float(tolerance or 0.0),  # type: ignore[arg-type]
        )  # fmt: skip

    def _values(self) -> list[tuple[Variable, tuple[Any, ...]]]:
        """The variables that are set, with their values. Raises ParameterError."""
        values = self.values
        if values is None or isinstance(values, MappingExpression):
            return []
        variables = {v.name: v for v in self.description.variables}
        pairs = []
        for name, value in values.items():
            variable = variables.get(name)
            text_input = variable is not None and variable.causality == "input" and variable.type == "String"
            if variable is None or not (variable.settable or text_input):
                raise self._unknown(name, variable)
            elements = tuple(np.ravel(np.asarray(plain(value), object)))
            if len(elements) != variable.count or not all(_fits(variable, each) for each in elements):
                size = f"{variable.count} values" if variable.count > 1 else "a value"
                reason = f"`{name}` is {plain(value)!r:.60}"
                raise ParameterError(
                    self.kind(), "values", values, f"{size} of the type {variable.type}", reason=reason
                )
            pairs.append((variable, elements))
        return pairs

    def _unknown(self, name: str, variable: Variable | None) -> ParameterError:
        settable = [v.name for v in self.description.variables if v.settable]
        reason = f"the FMU has no parameter `{name}`{nearest(name, settable)}"
        if variable is not None:
            role = f"{variable.causality}, {variable.variability}"
            reason = f"`{name}` is not to be set: {role}"
            reason += "; connect a signal to it" if variable.causality == "input" else ""
        expected = f"one of {', '.join(settable[:20])}" if settable else "none: the FMU has no parameters"
        return ParameterError(self.kind(), "values", self.values, expected, reason=reason)

    def _first_states(self) -> list[float]:
        """The initial states in the description; the FMU itself sets them at the start of a run."""
        chosen = {v.name: values for v, values in self._values()}
        first: list[float] = []
        for state in self.description.states if self.exchange else ():
            values = chosen.get(state.name, tuple(map(number, state.start)) or (0.0,))
            values = values if len(values) == state.count else (values[0],) * state.count
            first += [float(value) if np.isfinite(float(value)) else 0.0 for value in values]
        return first

    def check(self) -> None:
        try:
            if self.description.kinds and self.fmi_type not in ("auto", *self.description.kinds):
                has = " and ".join(self.description.kinds)
                raise FmuError(
                    self.path, f"it is not of the type {self.fmi_type}, but {has}", f"fmi_type: {has}"
                )
            _ = self.interface
        except FmuError as error:
            raise ParameterError(
                self.kind(), "file", self.path, error.expected, reason=error.problem
            ) from None
        self._values()

    # ---- the block ----

    @property
    def states(self) -> tuple[State, ...]:  # type: ignore[override]
        if not self.exchange:
            return ()
        flowing = (State("states", "first_states"),) if self.interface.states else ()
        mark = (State("mark", "none", held=True, remembered=True),) if self.interface.completed else ()
        return (*flowing, State("due", "never", "s", held=True), State("events", "none", held=True), *mark)

    def input_ports(self) -> tuple[Port, ...]:
        return tuple(port(signal, is_input=True) for signal in self.interface.inputs)

    def output_ports(self) -> tuple[Port, ...]:
        return tuple(port(signal, is_input=False) for signal in self.interface.outputs)

    def zero_crossings(self) -> tuple[Crossing, ...]:
        count = self.interface.indicators
        return (Crossing("z", count=count),) if count else ()

    def sizes(self, inputs: Mapping[str, Size | None]) -> Mapping[str, Size | None]:
        return {signal.port: Size(signal.shape) for signal in self.interface.outputs}

    def constants(self) -> Mapping[str, Any]:
        step = self.sample_time if self.sample_time is not None else self.description.step
        clock = {} if self.exchange else {"sample_time": 0.1 if step is None else step}
        if self.sample_time is not None:
            clock = {}
        held = {"never": np.array([np.inf]), "none": np.zeros(1)} if self.exchange else {}
        states = {"first_states": np.array(self._first_states())} if self.interface.states else {}
        return {**clock, **held, **states}

    def memory(self) -> Mapping[str, Any]:
        return {"instance": Instance(self.recipe.create, release)}

    def timers(self) -> Timer | None:
        return Timer(next="due") if self.exchange else None

    def functions(self) -> Mapping[str, Call]:
        spec = self.interface
        functions = calls(spec)
        ports = {f"output{k}": f"output_{signal.port}" for k, signal in enumerate(spec.outputs)}
        return {ports.get(name, name): call for name, call in functions.items()}


def _fits(variable: Variable, value: Any) -> bool:
    """True if a value is of the type of a variable."""
    if variable.type in TEXTS:
        return variable.type == "String" and isinstance(value, str)
    if isinstance(value, str) or value is None:
        return False
    if variable.type == "Boolean":
        return value in (0, 1)
    return bool(np.isfinite(value)) and (
        variable.type in ("Real", "Float64", "Float32") or value == int(value)
    )
