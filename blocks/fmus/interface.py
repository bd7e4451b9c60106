"""List the variables and functions of an FMU that code is written for, and the words of an instance.

An instance is a row of words: its component, the addresses of the FMU's functions, the values that it was
last given, and workspace.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from .description import Variable

# words of an instance; from WORDS on its arrays and addresses
COMPONENT, PHASE, STATUS, WHERE, TIME, EVENT_TIME, STOP, FIRST, NEXT = range(9)
TOLERANCE, CHANGED, COUNT, INFO = range(9, 13)  # INFO has room for five words
READ = 18
WORDS = 20
NEW, INITIALIZING, RUNNING = range(3)  # phases
WARNING, DISCARD, ERROR = 1, 2, 3  # statuses of FMI
ROUNDS = 1000  # of the discrete states at one event
MOST_RETURNS = 1_000_000  # of one communication step before its end
LARGEST_GROUP = 16  # maximum number of output elements read by one call; more would be read needlessly
TOO_MANY_ROUNDS = -1  # in WHERE, in place of the number of a function
LAST_TIME, TERMINATED = 2, 3  # fmi2StatusKind

# form of a type in functions: its name there, LLVM's type, whether it is signed
_TYPES: Mapping[str, tuple[str, str, bool]] = {
    "Real": ("Real", "double", True),
    "Integer": ("Integer", "i32", True),
    "Boolean": ("Boolean", "i32", True),
    "Enumeration": ("Integer", "i32", True),
    "Float64": ("Float64", "double", True),
    "Float32": ("Float32", "float", True),
    **{f"{u}Int{b}": (f"{u}Int{b}", f"i{b}", not u) for u in ("", "U") for b in (8, 16, 32, 64)},
}


def passed_as(kind: str, version: int) -> tuple[str, str, bool]:
    """A type's name in the functions of FMI, its type in LLVM, and whether it has a sign."""
    if version == 3 and kind in ("Boolean", "Enumeration"):
        return ("Boolean", "i8", True) if kind == "Boolean" else ("Int64", "i64", True)
    return _TYPES[kind]


@dataclass(frozen=True)
class Signal:
    """A port of the block, and the variables that are its elements: of one type, in their order."""

    port: str
    variables: tuple[Variable, ...]
    shape: tuple[int, ...]

    @property
    def count(self) -> int:
        return sum(variable.count for variable in self.variables)

    @property
    def continuous(self) -> bool:
        return self.variables[0].continuous

    @property
    def type(self) -> str:
        return self.variables[0].type


@dataclass(frozen=True)
class Interface:
    """The variables of an FMU that its code is written for."""

    version: int
    exchange: bool
    states: int
    indicators: int
    inputs: tuple[Signal, ...]
    outputs: tuple[Signal, ...]
    feedthrough: tuple[tuple[int, ...], ...]  # for each output, the inputs with direct feedthrough to it
    completed: bool = False  # the FMU requires a report of every step
    event_mode: bool = False
    state_variables: int = 0
    directional: tuple[int, ...] | None = None  # differentiated outputs, in addition to the states

    @cached_property
    def groups(self) -> tuple[tuple[int, ...], ...]:
        """Groups of outputs that are read by one call because they need the same inputs; at most 64."""
        groups: list[list[int]] = []
        for k, signal in enumerate(self.outputs):
            if passed_as(signal.type, self.version)[1] != "double" or signal.count > LARGEST_GROUP:
                continue
            for group in groups:
                others = [self.outputs[other] for other in group]
                fits = sum(other.count for other in others) + signal.count <= LARGEST_GROUP
                same = not self.exchange or self.feedthrough[group[0]] == self.feedthrough[k]
                if fits and same and others[0].type == signal.type:
                    group.append(k)
                    break
            else:
                groups.append([k])
        return tuple(tuple(group) for group in groups if len(group) > 1)[:64]

    @property
    def moving(self) -> tuple[int, ...]:
        """The inputs that may change continuously; derivatives are taken by these and by the states."""
        return tuple(k for k, signal in enumerate(self.inputs) if signal.continuous)

    def functions(self) -> list[str]:
        """The functions of the FMU that the code calls."""
        kinds = {passed_as(signal.type, self.version)[0] for signal in (*self.inputs, *self.outputs)}
        names = [f"{verb}{kind}" for kind in sorted(kinds) for verb in ("Get", "Set")]
        names += ["EnterInitializationMode", "ExitInitializationMode"]
        names += ["SetupExperiment"] if self.version == 2 else []
        discrete = "NewDiscreteStates" if self.version == 2 else "UpdateDiscreteStates"
        slopes = "GetDerivatives" if self.version == 2 else "GetContinuousStateDerivatives"
        if self.exchange:
            names += ["SetTime", "EnterEventMode", "EnterContinuousTimeMode", discrete]
            names += ["SetContinuousStates", "GetContinuousStates", slopes] if self.states else []
            names += ["GetEventIndicators"] if self.indicators else []
            names += ["CompletedIntegratorStep"] if self.completed else []
            names += ["GetDirectionalDerivative"] if self.directional is not None else []
        else:
            names += ["DoStep"]
            names += ["GetBooleanStatus", "GetRealStatus"] if self.version == 2 else []
            names += ["EnterEventMode", discrete, "EnterStepMode"] if self.event_mode else []
        return names


@dataclass
class Places:
    """The index of the first word of each array of an instance, by name."""

    interface: Interface
    at: dict[str, int] = field(default_factory=dict)
    words: int = WORDS

    def __post_init__(self) -> None:
        spec = self.interface
        for name in spec.functions():
            self._room(name, 1)
        for name in ("x", "event x", "initial x", "described x"):
            self._room(name, spec.states)
        inputs = sum(signal.count for signal in spec.inputs)
        for name in ("now", "last", "event u"):
            self._room(name, inputs)
        outputs = sum(signal.count for signal in spec.outputs)
        for name in ("before", "after"):
            self._room(name, spec.states + spec.indicators + outputs)
        widest = max([spec.states, spec.indicators, *(s.count for s in (*spec.inputs, *spec.outputs)), 1])
        for name in ("not numbers", "zeros", "room"):
            self._room(name, widest)
        if spec.directional is not None:
            moving = [spec.inputs[k] for k in spec.moving]
            self._room("seed", spec.states + sum(signal.count for signal in moving))
            for name in ("answer", "later", "earlier"):
                self._room(name, widest)
            self._room("of known", (spec.states + sum(len(s.variables) for s in moving) + 1) // 2)
            self._room("of slopes", (spec.states + 1) // 2)
        for signal in (*spec.inputs, *spec.outputs):
            self._room(f"of {signal.port}", (len(signal.variables) + 1) // 2)
        for g, group in enumerate(spec.groups):
            signals = [spec.outputs[k] for k in group]
            self._room(f"group {g}", sum(signal.count for signal in signals))
            self._room(f"of group {g}", (sum(len(signal.variables) for signal in signals) + 1) // 2)

    def _room(self, name: str, words: int) -> None:
        self.at[name] = self.words
        self.words += words

    @property
    def inputs(self) -> list[int]:
        """The place of each input's values among all values."""
        starts, total = [], 0
        for signal in self.interface.inputs:
            starts.append(total)
            total += signal.count
        return starts
