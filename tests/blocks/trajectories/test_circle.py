"""Circle: a point at constant distance and speed, with its derivatives."""

from __future__ import annotations

from math import pi

import numpy as np
import pytest

import blockdyn as bd


@pytest.mark.parametrize("compiled", [True, False], ids=["compiled", "interpreted"])
def test_circle_in_any_plane(compiled: bool) -> None:
    centre, normal = np.array([0.6, -0.15, 0.2]), np.array([1.0, 2.0, -1.0])
    d = bd.Diagram()
    d.add("c", bd.Circle(radius=0.3, frequency=2.0, phase=0.4, centre=centre, normal=normal))
    d.connect("c.velocity", d.add("x", bd.Integrator(np.zeros(3))))
    d.connect("c.acceleration", d.add("v", bd.Integrator(np.zeros(3))))
    r = d.simulate(stop=5.0, rtol=1e-9, atol=1e-11, compiled=compiled)
    arms = r["c.position"].values - centre
    np.testing.assert_allclose(np.linalg.norm(arms, axis=1), 0.3, rtol=1e-13)
    np.testing.assert_allclose(arms @ normal, 0.0, atol=1e-14)
    turning = np.cross(arms, r["c.velocity"].values)
    np.testing.assert_allclose(turning, 0.18 * normal / np.linalg.norm(normal) + 0 * arms, atol=1e-14)
    for moved, path in (("x", "c.position"), ("v", "c.velocity")):
        values = r[path].values
        np.testing.assert_allclose(r[moved].values, values - values[0], atol=1e-8)


def test_default_starts_on_x_and_turns_to_y() -> None:
    d = bd.Diagram()
    d.add("c", bd.Circle(frequency=2 * pi * 0.2, radius=0.05))
    r = d.simulate(stop=1.25, times=[0.0, 1.25])
    np.testing.assert_allclose(r["c.position"].values, [[0.05, 0, 0], [0, 0.05, 0]], atol=1e-16)


@pytest.mark.parametrize("wrong", [{"centre": [1.0, 2.0]}, {"across": [0.0, 0.0, 2.0]}, {"radius": -1.0}])
def test_impossible_circles(wrong: dict[str, object]) -> None:
    with pytest.raises(bd.ParameterError, match=next(iter(wrong))):
        bd.Circle(**wrong)  # type: ignore[arg-type]
