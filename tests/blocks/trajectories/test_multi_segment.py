"""MultiSegment in a diagram: rates that integrate to the last point, whatever the blends."""

from __future__ import annotations

import numpy as np
import pytest

import blockdyn as bd

POINTS = [[0.0, 0.0], [1.0, 0.0], [1.0, 2.0], [-1.0, 2.0]]


@pytest.mark.parametrize("compiled", [True, False], ids=["compiled", "interpreted"])
@pytest.mark.parametrize("given", [{"blend": "parabolic"}, {"blend": "quintic"}, {"blend_time": 0.0}])
def test_rates_integrate_to_the_points(given: dict[str, object], compiled: bool) -> None:
    block = bd.MultiSegment(POINTS, **{"speed": [0.5, 1.0], "blend_time": 0.3, "start": 0.7, **given})
    d = bd.Diagram()
    d.connect(d.add("m", block)["qd"], d.add("x", bd.Integrator([0.0, 0.0])))
    r = d.simulate(stop=12.0, compiled=compiled)
    np.testing.assert_allclose(r.final("x"), POINTS[-1], rtol=0, atol=1e-12)
    np.testing.assert_allclose(r["x"].values, r["m.q"].values, rtol=0, atol=1e-12)
    assert (abs(r["m.qd"].values).max(axis=0) <= np.array([0.5, 1.0]) + 1e-12).all()


def test_a_scalar_motion() -> None:
    d = bd.Diagram()
    d.add("m", bd.MultiSegment([0.0, 1.0, 0.0], segment_times=[1.0, 2.0], blend_time=0.2))
    r = d.simulate(stop=3.0, times=[0.0, 0.5, 1.5, 3.0])
    assert r["m.qd"].values.tolist() == pytest.approx([0.0, 1 / 0.9, -1 / 1.9, 0.0], abs=1e-14)


def test_segments_without_room_for_their_blends_are_refused() -> None:
    with pytest.raises(bd.ParameterError, match=r"MultiSegment\.segment_times.*\nexpected: at least 0\.6 s"):
        bd.MultiSegment([0.0, 1.0, 0.0], segment_times=0.5, blend_time=0.4)
