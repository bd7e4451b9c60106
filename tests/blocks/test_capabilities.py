"""What blocks can do besides computing: a class of one's own is logged, plotted, drawn, and ends runs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.diagrams.model.run_errors import AssertionFailed
from blockdyn.plots.films.animation import animation
from blockdyn.robots import load
from blockdyn.robots.functions import fkine
from blockdyn.robots.shapes.multirotor import Multirotor

RING = np.array([[0.2, 0.0, 0.0], [0.0, 0.2, 0.0], [-0.2, 0.0, 0.0], [0.0, -0.2, 0.0]])


class Balloon(bd.Block):
    """Rises at one metre a second, upright, in a world whose z points down."""

    inputs: ClassVar = ()
    outputs: ClassVar = (bd.Port("centre", 3, "m"), bd.Port("turned", 4))
    states: ClassVar = (bd.State("down", "start", "m"),)

    start: bd.Real = bd.parameter(default=0.0, dimensions=(0,))

    def bodies(self) -> tuple[bd.Body, ...]:
        return (bd.Body(Multirotor(RING, np.ones(4)), ("centre",), attitudes={"centre": "turned"}),)

    def flown(self) -> bd.FlightSignals:
        return bd.FlightSignals(("centre",), ("turned",), ())

    @staticmethod
    def derivative() -> float:
        return -1.0

    @staticmethod
    def output(down: float, centre: np.ndarray, turned: np.ndarray) -> None:
        centre[0], centre[1], centre[2] = 0.0, 0.0, down
        turned[0], turned[1], turned[2], turned[3] = 1.0, 0.0, 0.0, 0.0


class Swing(bd.Block):
    """A robot of one link whose joint turns at one radian a second, and is drawn as that robot."""

    inputs: ClassVar = ()
    outputs: ClassVar = (bd.Port("angle", 1, "rad"),)
    states: ClassVar = (bd.State("turned", "start", "rad"),)

    start: bd.Real = bd.parameter(default=0.0, dimensions=(0,))

    def bodies(self) -> tuple[bd.Body, ...]:
        return (bd.Body(load("planar1"), ("angle",)),)

    @staticmethod
    def derivative() -> float:
        return 1.0

    @staticmethod
    def output(turned: float) -> float:
        return turned


class Fuse(bd.Block):
    """Ends the run as failed when its input reaches 0.5."""

    inputs: ClassVar = (bd.Port("u", 1),)
    outputs: ClassVar = ()
    crossings: ClassVar = (bd.Crossing("burn", 1),)
    ends_run: ClassVar = True

    def failure(self) -> str:
        return "the fuse has blown"

    @staticmethod
    def crossing(u: float) -> float:
        return u - 0.5

    @staticmethod
    def mode(u: float) -> int:
        return 1 if u >= 0.5 else 0


class Probe(bd.Block):
    """Keeps its input under its own path, with an exclamation mark."""

    inputs: ClassVar = (bd.Port("u"),)
    outputs: ClassVar = ()
    logs: ClassVar = True

    def log_name(self, path: str) -> str:
        return f"{path}!"


class Sheet(bd.Block):
    """Draws its input on axes of its own."""

    inputs: ClassVar = (bd.Port("u"),)
    outputs: ClassVar = ()
    logs: ClassVar = True

    title = "a sheet of one's own"
    units: ClassVar = ("m",)

    def figure(self) -> Sheet:
        return self

    def element_labels(self, counts: Sequence[int]) -> list[tuple[str, ...]]:
        return [("height",)] * len(counts)


def test_a_vehicle_of_ones_own_is_drawn_where_it_flies_with_z_up() -> None:
    diagram = bd.Diagram("sky")
    diagram.add("balloon", Balloon())
    program = diagram.compile()
    shown = animation(program.simulate(stop=2.0), flat=program.flat)
    assert shown.labels == ("balloon",)
    (film,) = shown.films(np.array([0.0, 1.0, 2.0]))
    np.testing.assert_allclose(film.tip, [[0, 0, 0], [0, 0, 1], [0, 0, 2]], atol=1e-9)


def test_an_arm_of_ones_own_is_drawn_with_its_tool_where_forward_kinematics_says() -> None:
    diagram = bd.Diagram("park")
    diagram.add("swing", Swing())
    program = diagram.compile()
    (film,) = animation(program.simulate(stop=1.0), flat=program.flat).films(np.array([0.0, 1.0]))
    np.testing.assert_allclose(film.tip[-1], fkine("planar1", [1.0])[:3, 3], atol=1e-9)


def test_a_block_of_ones_own_that_ends_the_run_says_what_has_failed() -> None:
    diagram = bd.Diagram("short")
    diagram.connect(diagram.add("current", bd.Ramp()), diagram.add("fuse", Fuse()))
    with pytest.raises(AssertionFailed, match=r"(?s)fuse.*the fuse has blown") as told:
        diagram.simulate(stop=1.0)
    assert told.value.time == pytest.approx(0.5, abs=1e-12)


def test_a_block_of_ones_own_logs_under_its_name() -> None:
    diagram = bd.Diagram("probe")
    diagram.connect(diagram.add("ramp", bd.Ramp()), diagram.add("probe", Probe()))
    diagram.log()
    assert diagram.simulate(stop=1.0).final("probe!") == pytest.approx(1.0)


def test_a_block_of_ones_own_has_axes_in_a_plot() -> None:
    diagram = bd.Diagram("paper")
    diagram.connect(diagram.add("ramp", bd.Ramp()), diagram.add("sheet", Sheet()))
    (axes,) = diagram.simulate(stop=1.0).plot().axes
    assert axes.get_title(loc="left") == "a sheet of one's own"
    assert axes.lines[0].get_label() == "height"
    assert "m" in axes.get_ylabel()
