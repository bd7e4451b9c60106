"""Groups: a function of a block from outside asks for many of its numbers and arrays as one named tuple."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import ClassVar, NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

import blockdyn as bd
from blockdyn.blocks.contract.errors import DeclarationError
from blockdyn.diagrams.compiler.notices import branch_notices

Array = NDArray[np.float64]
STIFFNESS, MASS, DAMPING = (4.0, 9.0, 25.0), 0.5, 0.3


class Material(NamedTuple):
    """What the springs are: two parameters, and a constant computed from them."""

    stiffness: Array
    mass: float
    ratio: Array


class Springs(NamedTuple):
    """Another group, and an array to work in."""

    material: Material
    force: Array


class Chain(NamedTuple):
    """A group that would never come to an end."""

    mass: float
    link: Link


class Link(NamedTuple):
    """What hangs on it."""

    next: Chain


class Motion(NamedTuple):
    """The two states."""

    position: Array
    velocity: Array


def pull(springs: Springs, motion: Motion, damping: float) -> None:
    """The force of each spring and damper, in a function that gets the groups as they are."""
    for i in range(springs.force.shape[0]):
        springs.force[i] = (
            -springs.material.ratio[i] * springs.material.mass * motion.position[i]
            - damping * motion.velocity[i]
        )


class Masses(bd.Block):
    """Three masses, each on a spring and a damper of its own."""

    abstract: ClassVar = True

    outputs: ClassVar = (bd.Port("energy", 1, "J"), bd.Port("position", 3, "m"))
    states: ClassVar = (bd.State("displacement", "start", "m"), bd.State("velocity", "still", "m/s"))

    stiffness: bd.Real = bd.parameter(default=STIFFNESS, unit="N/m")
    mass: bd.Real = bd.parameter(default=MASS, unit="kg", dimensions=(0,))
    damping: bd.Real = bd.parameter(default=DAMPING, unit="N s/m", dimensions=(0,))

    def constants(self) -> Mapping[str, Array]:
        stiffness = np.asarray(self.stiffness, np.float64)
        return {"ratio": stiffness / float(self.mass), "start": np.ones(3), "still": np.zeros(3)}  # type: ignore[arg-type]

    def scratch(self) -> Mapping[str, tuple[int, ...]]:
        return {"force": (3,)}


class Moving(NamedTuple):
    displacement: Array
    velocity: Array


class Grouped(Masses):
    """The functions ask for groups."""

    @staticmethod
    def derivative(
        springs: Springs, moving: Moving, damping: float, d_displacement: Array, d_velocity: Array
    ) -> None:
        pull(springs, Motion(moving.displacement, moving.velocity), damping)
        for i in range(3):
            d_displacement[i] = moving.velocity[i]
            d_velocity[i] = springs.force[i] / springs.material.mass

    @staticmethod
    def output_energy(moving: Moving, material: Material) -> float:
        total = 0.0
        for i in range(3):
            total += 0.5 * material.stiffness[i] * moving.displacement[i] ** 2
            total += 0.5 * material.mass * moving.velocity[i] ** 2
        return total

    @staticmethod
    def output_position(moving: Moving) -> Array:
        return moving.displacement


def closed_form(t: float) -> Array:
    """x'' + 2 a x' + w0^2 x = 0 from x = 1, x' = 0."""
    w0, a = np.sqrt(np.array(STIFFNESS) / MASS), DAMPING / (2 * MASS)
    w = np.sqrt(w0**2 - a**2)
    return np.asarray(np.exp(-a * t) * (np.cos(w * t) + a / w * np.sin(w * t)))


@pytest.mark.parametrize("compiled", [True, False])
def test_groups_of_groups_give_the_closed_form(compiled: bool) -> None:
    d = bd.Diagram("masses")
    d.add("masses", Grouped())
    r = d.simulate(stop=1.5, rtol=1e-10, atol=1e-12, compiled=compiled)
    np.testing.assert_allclose(r.final("masses.position"), closed_form(1.5), atol=1e-8)
    assert r.final("masses.energy") < 0.5 * sum(STIFFNESS)
    if compiled:
        assert not r.statistics.get("python_blocks")


class Cut(NamedTuple):
    top: float
    level: float


class Slope(bd.Block):
    """One group holds an input and a parameter; one argument has the same name as nothing."""

    inputs: ClassVar = (bd.Port("level", 1),)
    outputs: ClassVar = (bd.Port("y", 1),)
    top: bd.Real = bd.parameter(default=1.0, dimensions=(0,))

    @staticmethod
    def output(cut: Cut) -> float:
        high = cut.top if cut.top > 3.0 else 2.0 * cut.top
        return high if cut.level > high else cut.level


def test_an_input_in_a_group_reaches_the_output_and_its_branch_is_told() -> None:
    """Of the two branches only the one of the input is one in time."""
    d = bd.Diagram("cut")
    d.connect(d.add("time", bd.Clock()), d.add("cut", Slope()), d.add("x", bd.Integrator()))
    assert d.simulate(stop=3.0).final("cut") == 2.0
    (notice,) = branch_notices(d.compile())
    assert "`cut.level > high`" in notice
    assert "cut.top" not in notice


class Misspelt(NamedTuple):
    top: float
    levle: float


def test_an_unknown_field_is_told_with_its_group_and_the_likely_name() -> None:
    told = "`levle` in group `Misspelt` is not a name of this block, did you mean `level`?"
    with pytest.raises(DeclarationError, match=re.escape(told)):

        class Wrong(bd.Block):
            inputs: ClassVar = (bd.Port("level", 1),)
            top: bd.Real = bd.parameter(default=1.0)

            @staticmethod
            def output(cut: Misspelt) -> float:
                return cut.levle


def test_a_field_that_only_a_block_can_tell_is_checked_with_the_first_block() -> None:
    class Late(Masses):
        @staticmethod
        def derivative(work: Lacking, d_displacement: Array, d_velocity: Array) -> None: ...

        @staticmethod
        def output_energy() -> float:
            return 0.0

        @staticmethod
        def output_position(displacement: Array) -> Array:
            return displacement

    told = "`forces` in group `Lacking` is not a name of this block, did you mean `force`?"
    with pytest.raises(DeclarationError, match=re.escape(told)):
        Late()


class Lacking(NamedTuple):
    forces: Array


def test_one_array_may_come_in_once_only() -> None:
    with pytest.raises(DeclarationError, match=r"its argument `level` occurs twice: `cut.level`, `level`"):

        class Twice(bd.Block):
            inputs: ClassVar = (bd.Port("level", 1),)
            top: bd.Real = bd.parameter(default=1.0)

            @staticmethod
            def output(cut: Cut, level: float) -> float:
                return cut.level + level


@pytest.mark.parametrize("kind", [Chain, Link])
def test_a_group_that_holds_itself_is_refused(kind: type) -> None:
    def law(u, chain):  # type: ignore[no-untyped-def]
        return u

    law.__annotations__["chain"] = kind
    d = bd.Diagram("endless")
    d.connect(d.add("time", bd.Clock()), d.add("law", bd.Function(law)))
    with pytest.raises(
        bd.BlockdynError, match=rf"{kind.__name__} holds itself, by the field `\w+`\nexpected: "
    ):
        d.simulate(stop=1.0)
