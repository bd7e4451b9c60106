"""Units as text: spellings of one unit agree, others do not, and times seconds is what physics says."""

import pytest

from blockdyn.blocks.contract.units import agree, common, element_units, one_text, times_seconds


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("N m", "J"),
        ("kg m2/s2", "J"),
        ("m/s2", "m s^-2"),
        ("rad/s", "1/s"),
        ("Hz", "1/s"),
        ("N/kg", "m/s2"),
        ("N m/rad", "N m"),
        ("rad or m", "m"),
        ("W", "N m/s"),
        ("", "m"),
    ],
)
def test_spellings_of_one_unit_agree(a: str, b: str) -> None:
    assert agree(a, b)
    assert agree(b, a)


@pytest.mark.parametrize(
    ("a", "b"), [("m", "mm"), ("rad", "deg"), ("N", "N m"), ("m", "m/s"), ("rad or m", "rad/s"), ("V", "A")]
)
def test_different_units_do_not_agree(a: str, b: str) -> None:
    assert not agree(a, b)


@pytest.mark.parametrize(
    ("unit", "power", "expected"),
    [
        ("m/s", 1, "m"),
        ("m/s2", 1, "m/s"),
        ("m", 1, "m s"),
        ("m", -1, "m/s"),
        ("rad/s or m/s", 1, "rad or m"),
        ("N m", -1, "N m/s"),
        ("1/s", 1, "1"),
        ("kg/(m s)", -1, "kg/(m s2)"),
        ("counts per turn?", 1, ""),
        ("", 1, ""),
    ],
)
def test_a_unit_times_seconds(unit: str, power: int, expected: str) -> None:
    assert times_seconds(unit, power) == expected


def test_a_wrench_has_newtons_then_newton_metres() -> None:
    assert element_units("N, N m", (6,)) == ("N", "N", "N", "N m", "N m", "N m")
    assert one_text(["N", "N", "N", "N m", "N m", "N m"]) == "N, N m"
    assert one_text(["rad", "rad", "m"]) == "rad, rad, m"
    assert one_text(["m"] * 5) == "m"


def test_the_unit_that_two_have_in_common_is_the_narrower() -> None:
    assert common(["rad or m", "m", ""]) == "m"
    assert common(["1/s", "rad/s"]) == "rad/s"
