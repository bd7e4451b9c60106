"""A robot as text, and its Denavit-Hartenberg rows."""

from __future__ import annotations

import numpy as np
import pytest

from blockdyn.robots import (
    ConversionError,
    InvalidRobot,
    catalogue,
    frames,
    from_dh,
    from_elementary,
    from_tree,
    load,
)


def test_print_shows_the_published_rows_of_the_puma() -> None:
    lines = str(load("puma560")).splitlines()
    row = next(line.split() for line in lines if line.strip().startswith("joint3"))
    assert row[:6] == ["joint3", "revolute", "q3", "0.15005", "0.0203", "-90"]
    assert any(line.split()[:2] == ["link2", "17.4"] for line in lines)
    assert "Denavit-Hartenberg parameters, standard" in lines
    assert repr(load("puma560")) == "Robot('puma560', 6R)"


def test_rows_say_offsets_and_directions() -> None:
    arm = from_dh(
        [{"d": 0.1, "alpha": np.pi / 2, "offset": -np.pi / 2}, {"a": 0.3, "flip": True, "offset": 0.5}]
    )
    table = arm.dh()
    assert (table.convention, table.rows[0]["offset"], table.rows[1]["flip"]) == (
        "standard",
        -np.pi / 2,
        True,
    )
    assert "q1 - 90" in str(table)
    assert "-q2 + 28.6479" in str(table)


@pytest.mark.parametrize("name", sorted(catalogue()))
def test_rows_make_the_arm_again(name: str) -> None:
    arm = load(name)
    q = np.random.default_rng(0).uniform(-1, 1, arm.n)
    for convention in ("standard", "modified", None):
        table = arm.dh(convention)  # type: ignore[arg-type]
        assert convention in (None, table.convention)
        again = from_dh(table.rows, convention=table.convention, base=table.base, tool=table.tool)
        np.testing.assert_allclose(frames(again, q)["tool"], frames(arm, q)["tool"], rtol=0, atol=1e-12)


def test_robots_without_rows() -> None:
    written = from_elementary("Rx(q1) Ty(0.5) Ry(q2) Tz(0.3)")
    assert "parent" in str(written)
    assert written.dh().convention == "standard"
    arms = from_tree([{"name": "a"}, {"name": "b", "parent": "a"}, {"name": "c", "parent": "a"}])
    assert "kinematics only" in str(arms)
    with pytest.raises(ConversionError):
        arms.dh()
    with pytest.raises(InvalidRobot, match="standard or modified"):
        written.dh("craig")  # type: ignore[arg-type]
