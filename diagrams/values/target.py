"""A target is a place in a diagram that gets new values, which become arguments of compiler and run."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from .machine import Machines
from .path import Step
from .view import View

Kind: TypeAlias = Literal["parameter", "block", "state", "setting"]


@dataclass(frozen=True)
class Target:
    """A diagram parameter, a parameter of a block or subsystem, an initial state, or a setting of the run.

    block        the path of the block or subsystem; "" for the diagram's own parameters and settings
    name         the parameter, state or setting
    steps        the steps into its value: an index of an array, keys of a robot; () for all of it
    structural   whether the value decides the compiled code, not only numbers
    integral     whether the value is a whole number
    machines     the changes that a robot or vehicle allows, if the parameter is one
    """

    path: str
    kind: Kind
    block: str
    name: str
    steps: tuple[Step, ...] = ()
    structural: bool = False
    integral: bool = False
    machines: Machines | None = None
    view: View | None = field(default=None, repr=False, compare=False)

    @property
    def index(self) -> tuple[int | str, ...] | None:
        """The steps as one tuple, with each number of an index separate; None for the whole value."""
        flat: list[int | str] = []
        for step in self.steps:
            flat += [step] if isinstance(step, str) else step
        return tuple(flat) or None

    @property
    def place(self) -> tuple[Kind, str, str, tuple[Step, ...]]:
        """Identity of the target: two targets of one place are one target."""
        return self.kind, self.block, self.name, self.steps


@dataclass
class Overrides:
    """The arguments of one scenario: `parameters` and `set` to compile, `initial` and `simulate` to run."""

    parameters: dict[str, Any] = field(default_factory=dict)
    set: dict[str, Any] = field(default_factory=dict)
    initial: dict[str, Any] = field(default_factory=dict)
    simulate: dict[str, Any] = field(default_factory=dict)
