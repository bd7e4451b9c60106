"""Icons: every block of the library has one that can be drawn, and users' blocks declare theirs."""

from __future__ import annotations

import dataclasses
from math import hypot

import numpy as np
import pytest

import blockdyn as bd
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
        ({"lines": [(0, 0)]}, "no list of curves"),
        ({"shape": "star"}, "expected: one of box"),
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
