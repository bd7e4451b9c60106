"""Blocks of arrays: crossings with a count, room to work in, open inputs that are vectors."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
import pytest

import blockdyn as bd


class Balls(bd.Block):
    """Three balls that fall on one floor; what was crossed is an array."""

    outputs: ClassVar = (bd.Port("y", 3, "m"),)
    states: ClassVar = (bd.State("height", "drop", "m"), bd.State("speed", "throw", "m/s"))
    crossings: ClassVar = (bd.Crossing("floor", -1, count=3), bd.Crossing("half", 0))

    drop: bd.Real = bd.parameter(default=[1.0, 2.0, 2.0], unit="m")
    throw: bd.Real = bd.parameter(default=[0.0, 0.0, 0.0], unit="m/s")

    @staticmethod
    def output(height: np.ndarray, y: np.ndarray) -> None:
        for i in range(3):
            y[i] = height[i]

    @staticmethod
    def derivative(speed: np.ndarray, d_height: np.ndarray, d_speed: np.ndarray) -> None:
        for i in range(3):
            d_height[i] = speed[i]
            d_speed[i] = -9.81

    @staticmethod
    def crossing(height: np.ndarray, floor: np.ndarray) -> float:
        for i in range(3):
            floor[i] = height[i]
        return height[0] - 0.5

    @staticmethod
    def jump(
        height: np.ndarray,
        speed: np.ndarray,
        crossed_floor: np.ndarray,
        crossed_half: int,
        next_height: np.ndarray,
        next_speed: np.ndarray,
    ) -> None:
        for i in range(3):
            next_height[i] = height[i]
            next_speed[i] = -speed[i] if crossed_floor[i] == 1 else speed[i]
        if crossed_half == 1:
            next_speed[0] = 2.0 * next_speed[0]


class Worker(bd.Block):
    """y = the products of u with w, by way of a scratch array; w may stay open."""

    inputs: ClassVar = (bd.Port("u", 2), bd.Port("w", 3, default=2.0))
    outputs: ClassVar = (bd.Port("y", bd.Size((2, 3))),)

    def scratch(self) -> dict[str, tuple[int, ...]]:
        return {"room": (2, 3)}

    @staticmethod
    def output(u: np.ndarray, w: np.ndarray, room: np.ndarray, y: np.ndarray) -> None:
        for i in range(2):
            for j in range(3):
                room[i, j] = u[i] * w[j]
        for i in range(2):
            for j in range(3):
                y[i, j] = room[i, j]


class Clash(Worker):
    """Its room has the name of an input."""

    def scratch(self) -> dict[str, tuple[int, ...]]:
        return {**super().scratch(), "w": (2, 3)}


@pytest.mark.parametrize("compiled", [True, False])
def test_each_value_of_a_crossing_is_an_event_of_its_own(compiled):
    d = bd.Diagram()
    d.add("balls", Balls())
    r = d.simulate(stop=0.7, compiled=compiled, rtol=1e-10, atol=1e-12)
    v = 9.81 * np.sqrt(2 * 0.5 / 9.81)  # at half height, where the first ball is made twice as fast
    first = np.sqrt(1.0 / 9.81) + (np.sqrt(4 * v**2 + 9.81) - 2 * v) / 9.81
    both = np.sqrt(4.0 / 9.81)
    found = [(e.detail, e.time) for e in r.events]
    assert [name for name, _ in found] == ["half", "floor[0]", "half", "floor[1]", "floor[2]"]
    np.testing.assert_allclose([found[i][1] for i in (0, 1, 3, 4)], [v / 9.81, first, both, both], rtol=1e-12)
    y = r.final("balls")
    assert y[1] == y[2]


@pytest.mark.parametrize("compiled", [True, False])
def test_room_to_work_in_and_an_open_vector(compiled):
    d = bd.Diagram()
    d.connect(d.add("u", bd.Constant([1.0, 3.0])), d.add("work", Worker())["u"])
    r = d.simulate(stop=1.0, compiled=compiled)
    np.testing.assert_array_equal(r.final("work"), [[2.0, 2.0, 2.0], [6.0, 6.0, 6.0]])


def test_room_needs_a_name_of_its_own():
    d = bd.Diagram()
    d.connect(d.add("u", bd.Constant([1.0, 3.0])), d.add("work", Clash())["u"])
    with pytest.raises(bd.BlockdynError, match="rename one of them"):
        d.simulate(stop=1.0)
