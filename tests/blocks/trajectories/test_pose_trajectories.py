"""ScrewTrajectory and CartesianTrajectory: their twists, integrated on the group, lead to the last pose."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import blockdyn as bd

T0, T1 = np.eye(4), np.eye(4)
T0[:3, :3], T0[:3, 3] = Rotation.from_euler("xyz", [0.3, -0.5, 1.0]).as_matrix(), (1.0, 2.0, -0.5)
T1[:3, :3], T1[:3, 3] = Rotation.from_euler("xyz", [-1.2, 0.4, 2.5]).as_matrix(), (-0.3, 0.5, 1.5)


@pytest.mark.parametrize("compiled", [True, False], ids=["compiled", "interpreted"])
@pytest.mark.parametrize("frame", ["world", "body"])
@pytest.mark.parametrize("kind", [bd.ScrewTrajectory, bd.CartesianTrajectory])
def test_twists_lead_to_the_last_pose(kind: type[bd.Block], frame: str, compiled: bool) -> None:
    d = bd.Diagram()
    d.add("way", kind(T0=T0, T1=T1, duration=2.0, start=0.3, method="trapezoidal", frame=frame))
    d.add("pose", bd.PoseIntegral(initial=T0, frame=frame))
    d.add("twist", bd.Integrator(np.zeros(6)))
    d.connect("way.twist", "pose")
    d.connect("way.acceleration", "twist")
    r = d.simulate(stop=2.5, rtol=1e-8, atol=1e-10, compiled=compiled)
    np.testing.assert_allclose(r.final("way.T"), T1, rtol=0, atol=1e-14)
    np.testing.assert_allclose(r["pose"].values, r["way.T"].values, rtol=0, atol=1e-7)
    np.testing.assert_allclose(r["twist"].values, r["way.twist"].values, rtol=0, atol=1e-7)


def test_what_is_no_pose_is_refused_by_name() -> None:
    with pytest.raises(bd.ParameterError, match="T1 is not a pose") as error:
        bd.ScrewTrajectory(T0=T0, T1=np.ones((4, 4)), duration=1.0)
    assert error.value.parameter == "T1"
    with pytest.raises(bd.ParameterError, match=r"greater than 0\.5"):
        bd.CartesianTrajectory(T0=T0, T1=T1, duration=2.0, method="trapezoidal", speed=0.4)
