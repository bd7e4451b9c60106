"""Icons: every block of the library has one that can be drawn, and users' blocks declare theirs."""

from __future__ import annotations

import dataclasses
from math import hypot

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.blocks.arms.sketch import sketch
from blockdyn.blocks.contract.icon import Icon, scripts, words
from blockdyn.blocks.contract.pictures import as_icon, icon_of, pictures
from blockdyn.blocks.contract.registry import library
from blockdyn.cli.specimen import specimen


@pytest.mark.parametrize("kind", sorted(library()))
def test_every_block_of_the_library_has_an_icon_of_a_size_that_can_be_drawn(kind: str) -> None:
    icon = icon_of(specimen(library()[kind]))  # an Icon's points lie in the unit square, or it raises
    width, height = icon.size
    assert 4 <= width <= 160
    assert 20 <= height <= 90
    assert (
        icon.text
        or icon.has_picture
        or icon.fraction
        or icon.matrix
        or icon.shape in ("bar", "bus", "circle")
    )
    with pytest.raises(dataclasses.FrozenInstanceError):
        icon.text = "other"  # type: ignore[misc]
    assert hash(icon) == hash(icon_of(specimen(library()[kind])))


def test_text_raises_and_lowers() -> None:
    assert scripts("z^-1") == (("z", 0), ("-1", 1))
    assert scripts("K_p e^{st}") == (("K", 0), ("p", -1), (" e", 0), ("st", 1))
    assert scripts("a ^ b") == (("a ^ b", 0),)
    assert words("DiscreteTransferFunction") == "Discrete\nTransfer\nFunction"


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"lines": [[(0, 0), (1.2, 0)]]}, "the point (1.2, 0)"),
        ({"fills": [[(0, 0), (float("nan"), 0)]]}, "the point (nan, 0)"),
        ({"lines": [[(0, 0)]]}, "a curve of 1 points"),
        ({"lines": [(0, 0)]}, "not a list of curves"),
        ({"shape": "star"}, "expected: one of box"),
        ({"shape": np.zeros(3)}, "expected: one of box"),
        ({"inputs": np.zeros(3)}, "expected: text"),
        ({"matrix": 3}, "expected: text"),
        ({"text": 3}, "expected: text"),
        ({"fraction": ("1",)}, "two formulas"),
        ({"fraction": "1/s"}, "expected: text"),
        ({"matrix": (("a",), ("b", "c"))}, "equally long"),
        ({"inputs": "ab"}, "expected: text"),
        ({"size": (float("inf"), 2)}, "below 2000"),
        ({"size": 3}, "below 2000"),
    ],
)
def test_what_cannot_be_drawn_is_told(wrong: dict[str, object], told: str) -> None:
    with pytest.raises(bd.BlockError) as error:
        Icon(**wrong)  # type: ignore[arg-type]
    assert told in str(error.value)


def heights(icon: Icon, curve: int = 0) -> list[float]:
    return [y for _, y in icon.lines[curve]]


def test_an_icon_shows_the_numbers_of_its_block() -> None:
    tf = bd.TransferFunction(num=[2.0, 1.0], den=[1.0, 0.0, -1 / 3])
    assert icon_of(tf).fraction == ("2s + 1", "s^2 - 0.333")
    assert icon_of(bd.ZeroPoleGain(poles=[-1.0, 2.0], zeros=[0.0], k=3.0)).fraction == (
        "3s",
        "(s + 1)(s - 2)",
    )
    fir = bd.DiscreteFilter(b=[0.5, 0.0, -0.5], sample_time=0.1)
    assert icon_of(fir).text == "0.5 - 0.5z^-2"
    trapezoid = bd.DiscreteIntegrator(sample_time=1.0, method="trapezoidal")
    assert icon_of(trapezoid).fraction == ("(z + 1)", "2 (z - 1)")
    assert icon_of(bd.Sum(signs="+-")).inputs == ("+", "-")
    assert icon_of(bd.Product(signs="*/")).inputs == ("×", "÷")
    assert (icon_of(bd.Gain(k=2.5)).shape, icon_of(bd.Gain(k=2.5)).text) == ("triangle", "2.5")
    assert icon_of(bd.PID(kp=1.0, kd=2.0)).text == "PD"
    assert icon_of(bd.Compare(operator=">=", value=1e6)).text == "u ≥ 1e6"
    assert icon_of(bd.Trigger(edge="falling")) is pictures()["falling"]
    assert icon_of(bd.MatrixGain(K=[[0, 1], [-1, 0]])).matrix == (("0", "1"), ("-1", "0"))


def test_an_icon_draws_the_curve_of_its_block() -> None:
    """Heights along a graph are those of the block's equation, in one scale."""
    below, lower, upper, _ = heights(icon_of(bd.Saturation(lower=-1.0, upper=3.0)))
    zero = icon_of(bd.Saturation(lower=-1.0, upper=3.0)).faint[0][0][1]
    assert below == lower
    assert (upper - zero) / (zero - lower) == pytest.approx(3.0)
    one_sided = heights(icon_of(bd.Saturation(lower=-np.inf, upper=3.0)))
    assert one_sided[0] < one_sided[1] == one_sided[2]
    levels = heights(icon_of(bd.Lookup1D(breakpoints=[0, 1, 4], table=[0.0, 2.0, 1.0])))
    assert levels[1] - levels[0] == pytest.approx(2 * (levels[2] - levels[0]))
    up, down = (icon_of(bd.Step(final=value)) for value in (1.0, -1.0))
    assert heights(up)[-1] > heights(up)[0] > 0.0
    assert heights(down)[-1] < heights(down)[0]
    steep = icon_of(bd.RateLimiter(rising=4.0, falling=-1.0)).lines[0]
    assert (steep[3][0] - steep[2][0]) / (steep[1][0] - steep[0][0]) == pytest.approx(4.0)


@pytest.mark.parametrize("vehicle", ["crazyflie", "coaxial", "octorotor"])
def test_a_vehicle_is_drawn_with_the_rotors_it_has(vehicle: str) -> None:
    n = bd.robots.load_vehicle(vehicle).n
    assert len(icon_of(bd.NRotor(vehicle=vehicle)).lines) == 2 * n


def test_an_arm_is_drawn_with_the_joints_it_has() -> None:
    icon = sketch(bd.robots.load("planar2"))
    assert len(icon.fills) == 3  # two joints and the tool
    upper, fore = np.diff(np.array(icon.lines[0]), axis=0)
    assert np.hypot(*upper) == pytest.approx(np.hypot(*fore), rel=1e-3)  # links of one length


def test_parameters_that_are_expressions_still_are_drawn() -> None:
    k = bd.expression("2 * kp")
    assert icon_of(bd.Gain(k=k)).text == "2 * kp"
    assert icon_of(bd.Saturation(upper=k)) is pictures()["saturation"]
    assert icon_of(bd.TransferFunction(num=k, den=[1.0, 1.0])) is pictures()["transfer function"]
    assert icon_of(bd.Derivative(time_constant=k)).fraction == ("s", "T s + 1")


def test_blocks_of_users_and_subsystems_declare_theirs_alike() -> None:
    class Plain(bd.Block):
        inputs = (bd.Port("u"),)

        @staticmethod
        def output(u: float) -> float:
            return u

    class Motor(Plain):
        icon = "motor"

    class Named(Plain):
        k: bd.Real = bd.parameter(default=2.0)

        def symbol(self) -> bd.Icon:
            return bd.Icon(f"{self.k:g}")

    @bd.block(icon="x^3")
    def cubed(x: float) -> float:
        return x**3

    @bd.block
    def speed_loop(x: float) -> float:
        return x

    assert icon_of(Plain()).text == "Plain"
    assert icon_of(Motor()) is pictures()["motor"]
    assert icon_of(Named(k=3.5)).text == "3.5"
    assert icon_of(cubed()).text == "x^3"
    assert icon_of(speed_loop()).text == "speed\nloop"
    assert as_icon("M").text == "M"
    assert as_icon("", "MotorModel").text == "Motor\nModel"


def test_an_icon_that_is_none_is_told_where_the_block_is_declared() -> None:
    class Numbered(bd.Block):
        inputs = (bd.Port("u"),)
        icon = 3  # type: ignore[assignment]

        @staticmethod
        def output(u: float) -> float:
            return u

    with pytest.raises(bd.BlockError, match="icon: 3\nexpected: an Icon, or text"):
        Numbered()


def test_a_wave_of_the_pictures_is_the_wave() -> None:
    (curve,) = pictures()["sine"].lines
    assert max(abs(y - 0.5 - 0.38 * np.sin(2 * np.pi * x)) for x, y in curve) < 0.02
    assert all(abs(hypot(x - 0.5, y - 0.5) - 0.4) < 1e-3 for x, y in pictures()["clock"].lines[0])
