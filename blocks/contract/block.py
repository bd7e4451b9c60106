"""The block contract: parameters and equations, immutable; everything else is derived from them."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, dataclass_transform
from weakref import WeakSet

import numpy as np

from ...base.errors import BlockdynError
from ...base.hints import AttributeHints
from .buses import common_bus, unbroken
from .capabilities import Capabilities
from .construction import naming
from .equations import declared_functions, names_in_plan
from .errors import base_alone, failed_check, nearest_parameter, no_parameter, unchanging
from .mappings import opened
from .owned import Instance
from .parameter import Array, Rule, as_number, as_option, option, parameter, plain_value, rules_of, same
from .parts import part
from .port import Crossing, Port, Size, State, Unknown
from .shapes import common_shape, fitting

if TYPE_CHECKING:
    from ...solvers.events.timer import Timer
    from .formula import Formula

STREAM = "stream"  # the argument name for the key of random numbers


@dataclass_transform(frozen_default=True, eq_default=False, field_specifiers=(parameter, option))
class Block(AttributeHints, Capabilities):
    """Base of every block. A subclass declares parameters, ports, states and a few plain functions.

    Subclasses become frozen dataclasses automatically. Their functions are static methods in numba's
    subset of Python, and get the arguments that they name:

        t                         time, s
        an input's name           its value (naming it gives direct feedthrough)
        a parameter's name        its value (or one computed by `constants`)
        a state's name            its value
        mode                      the block's mode, an integer; for a timer, the number of its events so far
        crossed_NAME              1 while the event of crossing NAME is handled, otherwise 0; an array of
                                  them if the crossing has a count
        an output's name          its value (in `update`, `jump`)
        a name of `memory`        an array that belongs to the run, or the handle of an instance
        stream                    the key of a `random` block's numbers: see blocks.contract.random_numbers

    `output` gives all outputs (or `output_NAME` one), `derivative` the rates of the continuous states,
    `update` the discrete states at the next sample, `crossing` the values of the zero crossings, `mode`
    the next mode at an event, `jump` the states just after an event.

    With `elementwise`, functions are written for scalars and applied to every element, with NumPy's
    broadcasting; parameters and constants named in `tables` come as whole arrays. Otherwise they get arrays;
    results are returned as numbers or a tuple of numbers, or
    written into arguments named as the target: an output, `d_STATE`, `next_STATE`, a crossing with a count.
    `scratch` names arrays to work in. Such a block has one mode; if each element needs its own,
    use a held state, which `jump` changes.
    """

    inputs: ClassVar[tuple[Port, ...]] = ()
    outputs: ClassVar[tuple[Port, ...]] = (Port("y"),)
    states: ClassVar[tuple[State, ...]] = ()
    crossings: ClassVar[tuple[Crossing, ...]] = ()
    elementwise: ClassVar[bool] = False
    tables: ClassVar[tuple[str, ...]] = ()  # parameters and constants that are passed whole to every element
    sampled: ClassVar[bool] = False  # has parameters sample_time and offset; changes at its ticks only
    random: ClassVar[bool] = False  # has random numbers: `stream` is their key, two numbers below 2^32
    abstract: ClassVar[bool] = False  # set by a base of other blocks, which is not a block type itself
    held_initial: ClassVar[str] = ""  # the parameter that a sampled output shows before its first tick

    if not TYPE_CHECKING:  # subclasses have constructors of their own

        def __init__(self, *values: Any, **named: Any) -> None:
            raise base_alone()

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if _foreign(cls):
            from .declaration import as_dataclass, check_declaration

            as_dataclass(cls)
            check_declaration(cls)
        else:
            dataclasses.dataclass(frozen=True, eq=False, repr=False)(cls)
        cls.__init__ = naming(cls.__init__)  # type: ignore[method-assign]
        cls.__setattr__ = unchanging  # type: ignore[method-assign,assignment]

    @part("number")
    def __post_init__(self) -> None:
        for field, rule in self.rules().items():
            value = opened(getattr(self, field))
            if is_open(value) or rule.left_out(value):
                object.__setattr__(self, field, value)
                continue
            read = as_number if rule.number else as_option
            object.__setattr__(self, field, read(self.kind(), field, value, rule))
        if not self.open_parameters():
            if self.elementwise and any(self._number_shapes.values()):
                fitting(self.kind(), self._number_shapes)
            try:
                self.check()
            except Exception as error:
                if isinstance(error, BlockdynError) or not _foreign(type(self)):
                    raise
                raise failed_check(self.kind(), error) from error
            if type(self) not in _proven:
                if _foreign(type(self)):
                    from .declaration import check_block

                    check_block(self)
                _proven.add(type(self))

    # ---- facts ----

    @classmethod
    def kind(cls) -> str:
        """The block's type name, as YAML writes it."""
        return cls.__name__

    @classmethod
    def rules(cls) -> dict[str, Rule]:
        """The rule of every parameter, by name."""
        return rules_of(cls)

    def open_parameters(self) -> tuple[str, ...]:
        """The parameters that are still expressions over the diagram's parameters."""
        return tuple(name for name in self.rules() if is_open(getattr(self, name)))

    def parameters(self) -> dict[str, Any]:
        """Every parameter that differs from its default, in order of declaration."""
        changed = {}
        for field in dataclasses.fields(self):  # type: ignore[arg-type]
            value = getattr(self, field.name)
            if field.default is dataclasses.MISSING or not same(value, field.default):
                changed[field.name] = value
        return changed

    def with_parameters(self, **changes: Any) -> Block:
        """A copy of the block with other values. Raises BlockError for a name it does not have."""
        for name in changes:
            if name not in self.rules():
                raise no_parameter(self.kind(), name, tuple(self.rules()))
        return dataclasses.replace(self, **changes)  # type: ignore[type-var]

    # ---- properties that a subclass may compute ----

    @part("number")
    def check(self) -> None:
        """Raise ParameterError when parameters contradict each other."""

    @part("program")
    def input_ports(self) -> tuple[Port, ...]:
        """The inputs; a block with a variable number of inputs computes them here."""
        return self.inputs

    @part("program")
    def output_ports(self) -> tuple[Port, ...]:
        """The outputs."""
        return self.outputs

    @part("program")
    def zero_crossings(self) -> tuple[Crossing, ...]:
        """The zero crossings, in the order of the values of `crossing`."""
        return self.crossings

    @part("program")
    def unknowns(self) -> tuple[Unknown, ...]:
        """The unknowns that equations of the block determine at every instant."""
        return ()

    @part("number")
    def constants(self) -> Mapping[str, Any]:
        """Numbers computed once from the parameters, which functions may name."""
        return {}

    @part("program")
    def scratch(self) -> Mapping[str, tuple[int, ...]]:
        """Arrays to work in: shapes by name. Functions may name them; their contents are not kept."""
        return {}

    @part("number")
    def memory(self) -> Mapping[str, Any]:
        """Objects that each run owns: arrays, by their first values, and Instances.

        Functions get them by name, the arrays themselves: `update` may change them in place, which happens
        once at a tick; others read them. Each run and each scenario begins with the first values.
        """
        return {}

    @part("program")
    def functions(self) -> Mapping[str, Callable[..., Any] | Formula]:
        """The block's equations by role: the roles of `Block`, or `output_PORT`."""
        kind: Any = type(self)
        return declared_functions(kind)

    def _arguments_in_plan(self, function: Any) -> tuple[str, ...]:
        """Names, in a plan, of the arguments of one of its functions; see `internal_names`."""
        return names_in_plan(function)

    @part("program")
    def sizes(self, inputs: Mapping[str, Size | None]) -> Mapping[str, Size | None]:
        """The outputs' sizes for given input sizes (None: not known yet).

        Raises SizeError when the inputs do not go together.
        """
        fixed = self._fixed_sizes
        if not self.elementwise:
            return fixed
        arrived = {name: size for name, size in inputs.items() if size is not None}
        buses = any(size.fields for size in arrived.values())
        bus = common_bus(self.input_ports(), inputs) if buses else None
        common = common_shape({name: size.shape for name, size in arrived.items()} | self._number_shapes)
        if bus is not None:
            return {name: size or unbroken(bus, common) for name, size in fixed.items()}
        ready = len(arrived) == len(inputs)
        return {name: size or (Size(common) if ready else None) for name, size in fixed.items()}

    @part("program")
    def state_shapes(self, inputs: Mapping[str, Size]) -> Mapping[str, tuple[int, ...]]:
        """The shapes of states that depend on the sizes of inputs; others have their initial value's shape.

        The initial value is broadcast to it.
        """
        return {}

    @part("program")
    def guess(self) -> Size | None:
        """The assumed size if a loop does not determine it: the size of the first state's initial value."""
        if not self.states:
            return None
        numbers = {**{n: getattr(self, n) for n in self.rules()}, **self.constants()}
        return Size(np.shape(numbers[self.states[0].initial]))

    @part("program")
    def timers(self) -> Timer | None:
        """The time events of the block, counted by `mode`: known beforehand, or announced by a held state."""
        return None

    @part("number")
    def longest_step(self) -> float:
        """The longest step, in s, that resolves the block's behaviour over time."""
        return np.inf

    # ---- derived ----

    @functools.cached_property
    def _fixed_sizes(self) -> dict[str, Size | None]:
        return {port.name: port.fixed() for port in self.output_ports()}

    @functools.cached_property
    def _number_shapes(self) -> dict[str, tuple[int, ...]]:
        numbers = {
            name: getattr(self, name)
            for name, rule in self.rules().items()
            if rule.number and name not in self.tables
        }
        return {n: () if isinstance(v, float) else np.shape(v) for n, v in numbers.items() if not is_open(v)}

    @part("number")
    def numbers(self) -> dict[str, float | Array]:
        """All run-time numbers: parameters (NaN for omitted ones) and constants."""
        parameters = {n: getattr(self, n) for n, rule in self.rules().items() if rule.number}
        values = {n: np.nan if v is None else v for n, v in parameters.items()}
        values.update({n: np.asarray(v, np.float64) for n, v in self.constants().items()})
        for name, value in self.memory().items():
            if not isinstance(value, Instance):
                values[name] = np.asarray(value, np.float64)
        if self.random:
            values[STREAM] = np.zeros(2)
        return values

    def _hint(self, name: str) -> str:
        names = tuple(self.rules())
        listed = f"\nits parameters are {', '.join(names)}" if names else "\nit has no parameters"
        return nearest_parameter(name, names, self.kind()) or listed

    def __repr__(self) -> str:
        inside = ", ".join(f"{k}={plain_value(v)!r}" for k, v in self.parameters().items())
        return f"{self.kind()}({inside})"


def _foreign(kind: type) -> bool:
    """True for a user's class; the library's are checked by tests, which saves import time."""
    return not kind.__module__.startswith(__name__.partition(".")[0] + ".")


_proven: WeakSet[type] = WeakSet()  # classes with instances; weak, because notebooks replace classes


def is_open(value: Any) -> bool:
    """True for an expression that still needs the diagram's parameters."""
    return bool(getattr(value, "is_parameter", False))
