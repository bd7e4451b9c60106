"""Cameras: published numbers, images that move as Jacobians say, poses found again, points out of sight."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.linalg import expm
from scipy.optimize import least_squares
from scipy.spatial.transform import Rotation

import blockdyn as bd
from blockdyn.robots import functions, load

SQUARE = np.array([[-0.2, -0.2, 2.0], [0.2, -0.2, 2.0], [0.2, 0.2, 2.0], [-0.2, 0.2, 2.0]])
MOUNT = [[0, -1, 0, 0.1], [0.6, 0, 0.8, -0.05], [-0.8, 0, 0.6, 0.2], [0, 0, 0, 1]]
LENS: dict[str, Any] = {"focal_length": 0.015, "pixel_size": [1e-5, 1.2e-5], "image_size": [1280, 1024]}


def pose(turn: Any, place: Any) -> Any:
    T = np.eye(4)
    T[:3, :3], T[:3, 3] = Rotation.from_rotvec(turn).as_matrix(), place
    return T


def moved(T: Any, twist: Any) -> Any:
    """T after a second at a constant velocity and angular velocity in its own axes."""
    v, w = twist[:3], twist[3:]
    log = np.zeros((4, 4))
    log[:3, :3], log[:3, 3] = [[0, -w[2], w[1]], [w[2], 0, -w[0]], [-w[1], w[0], 0]], v
    return T @ expm(log)


def looking(camera: bd.Block, jacobian: bd.Block, far: str) -> bd.Diagram:
    """A camera at the pose `T.value`, and how its image moves."""
    d = bd.Diagram("looking")
    d.connect(d.add("T", bd.Constant(np.eye(4))), d.add("camera", camera))
    d.add("J", jacobian)
    d.connect("camera.p", "J.p")
    d.connect(f"camera.{far}", f"J.{far}")
    return d


def test_the_book_s_camera() -> None:
    """Corke, Robotics, Vision and Control (2nd ed., 2017): sections 11.1.2 and 15.2.1."""
    lens = {**LENS, "pixel_size": 1e-5}
    d = looking(
        bd.CentralCamera(points=[[0.3, 0.4, 3.0]], **lens), bd.ImageJacobian(count=1, **lens), "depth"
    )
    np.testing.assert_allclose(d.simulate(stop=0.0).final("camera.p"), [790, 712])
    beside = pose([0, 0, 0], [-0.5, 0, 0])
    np.testing.assert_allclose(d.simulate(stop=0.0, set={"T.value": beside}).final("camera.p"), [1040, 712])
    d = bd.Diagram("visjac_p")
    d.connect(d.add("p", bd.Constant([672, 672])), d.add("J", bd.ImageJacobian(count=1, distance=5.0)))
    published = [[-160, 0, 32, 32, -832, 160], [0, -160, 32, 832, -32, -160]]
    np.testing.assert_allclose(d.simulate(stop=0.0).final("J"), published)


@pytest.mark.parametrize("kind", ["central", "spherical"])
def test_images_move_as_their_jacobian_says(kind: str) -> None:
    rng = np.random.default_rng(1)
    points = SQUARE + rng.uniform(-0.3, 0.3, (4, 3))
    if kind == "central":
        camera: bd.Block = bd.CentralCamera(points=points, mount=MOUNT, **LENS)
        d = looking(camera, bd.ImageJacobian(mount=MOUNT, **LENS), "depth")
    else:
        camera = bd.SphericalCamera(points=points, mount=MOUNT)
        d = looking(camera, bd.SphericalImageJacobian(mount=MOUNT), "distances")

    def seen(T: Any) -> Any:
        return d.simulate(stop=0.0, set={"T.value": T})

    for _ in range(3):
        T = pose(rng.uniform(-0.2, 0.2, 3), rng.uniform(-0.2, 0.2, 3)) @ np.linalg.inv(MOUNT)
        twist = rng.uniform(-1.0, 1.0, 6)
        h = 1e-5
        slope = (
            seen(moved(T, h * twist)).final("camera.p") - seen(moved(T, -h * twist)).final("camera.p")
        ) / (2 * h)
        expected = seen(T).final("J") @ twist
        np.testing.assert_allclose(slope, expected, rtol=1e-6, atol=1e-6 * abs(expected).max())


def test_a_camera_in_the_hand_of_a_puma() -> None:
    """dp/dq is the image's Jacobian times the tool's, in the tool's axes."""
    d = bd.Diagram("hand")
    q = d.add("q", bd.Constant(np.zeros(6)))
    here = np.array([0.1, 0.7, -3.0, 0.2, 0.6, -0.3])
    lens = functions.fkine(load("puma560"), here) @ MOUNT
    camera = bd.CentralCamera(points=SQUARE @ lens[:3, :3].T + lens[:3, 3], mount=MOUNT)
    d.connect(q, d.add("fkine", bd.FKine("puma560")), d.add("camera", camera))
    d.connect(q, d.add("arm", bd.Jacobian("puma560", frame="body")))
    image = d.add("image", bd.ImageJacobian(mount=MOUNT))
    d.connect("camera.p", image["p"])
    d.connect("camera.depth", image["depth"])
    p, h = [], 1e-6
    now = d.simulate(stop=0.0, set={"q.value": here})
    for k in range(6):
        ends = [
            d.simulate(stop=0.0, set={"q.value": here + s * h * np.eye(6)[k]}).final("camera.p")
            for s in (1, -1)
        ]
        p.append((ends[0] - ends[1]) / (2 * h))
    np.testing.assert_allclose(np.transpose(p), now.final("image") @ now.final("arm"), rtol=1e-5, atol=1e-3)


def test_points_leave_the_image_and_pass_behind_at_their_instants() -> None:
    """A camera that flies past three points at 1 m/s, along its axis."""
    d = bd.Diagram("way")
    d.add("time", bd.Clock())
    d.add("xyz", bd.MatrixGain([[0.0], [0.0], [1.0]]))
    d.add("T", bd.XYZToPose())
    d.add(
        "camera", bd.CentralCamera(points=[[0, 0, 2], [0.1, 0, 3], [0, -0.064, 1]], image_size=[1024, 1024])
    )
    d.connect("time", d.add("column", bd.Reshape(shape=[1])), "xyz", "T", "camera")
    r = d.simulate(stop=4.0)
    visible, p = r.trace("camera.visible"), r.trace("camera.p")
    # 0.1 / Z is seen at half the width, 512 pixels of 1e-5 m over 8 mm, where Z = 0.15625 m
    leaves = [2.0, 3.0 - 0.1 * 800 / 512, 1.0 - 0.064 * 800 / 512]
    events = {round(e.time, 12) for e in r.events if e.path == "camera"}
    assert events == {round(instant, 12) for instant in (*leaves, 1.0, 3.0)}
    for i, instant in enumerate(leaves):
        assert visible.at(instant - 1e-6)[i] == 1.0
        assert visible.at(instant + 1e-6)[i] == 0.0
    assert p.at(2.5)[[0, 1, 4, 5]].tolist() == [-1024.0] * 4  # behind: no image, and none upside down
    late = visible.time < leaves[1]
    expected = 512 + 800 * 0.1 / r["camera.depth"].values[late, 1]
    np.testing.assert_allclose(p.values[late, 2], expected, rtol=1e-12)


def test_longitudes_jump_at_events_and_their_differences_do_not() -> None:
    """A camera that turns at 1 rad/s about its axis sees a point turn back, past the jump."""
    d = bd.Diagram("turning")
    d.connect(d.add("rate", bd.Constant([0, 0, 0, 0, 0, 1.0])), d.add("T", bd.PoseIntegral()))
    d.connect("T", d.add("camera", bd.SphericalCamera(points=[[-1.0, -0.5, 2.0]])))
    start = d.add("start", bd.Constant([np.arctan2(-0.5, -1.0), np.arctan2(np.hypot(1, 0.5), 2.0)]))
    error = d.add("error", bd.AngleDifference())
    d.connect(start, error["u0"])
    d.connect("camera.p", error["u1"])
    r = d.simulate(stop=2.0, rtol=1e-9, atol=1e-12)
    late = r.trace("error")
    np.testing.assert_allclose(late.values[:, 0], late.time, atol=1e-9)
    cut = np.pi + np.arctan2(-0.5, -1.0)
    np.testing.assert_allclose([e.time for e in r.events if e.path == "camera"], [cut], atol=1e-9)


PLANE = (
    np.array([[0, 0, 0], [0.4, 0, 0], [0.4, 0.3, 0], [0, 0.3, 0], [0.1, 0.2, 0.0]])
    @ pose([0.4, -0.3, 0.2], [0, 0, 0])[:3, :3]
)
SPACE = np.random.default_rng(5).uniform(-0.3, 0.3, (7, 3))


@pytest.mark.parametrize("points", [PLANE, PLANE[:4], SPACE], ids=["plane", "square", "space"])
def test_poses_come_back_from_images(points: Any) -> None:
    rng = np.random.default_rng(3)
    d = bd.Diagram("pose")
    T = d.add("T", bd.Constant(np.eye(4)))
    d.connect(T, d.add("camera", bd.CentralCamera(points=points, mount=MOUNT, **LENS)))
    noise = d.add("noise", bd.Constant(np.zeros(2 * len(points))))
    d.connect(d["camera"]["p"] + noise, d.add("found", bd.PoseFromPoints(points, mount=MOUNT, **LENS)))
    middle = points.mean(axis=0)
    for k in range(6):
        turn = rng.uniform(-0.8, 0.8, 3)
        away = pose(turn, middle - Rotation.from_rotvec(turn).apply([0.05, -0.02, rng.uniform(0.8, 3.0)]))
        true = away @ np.linalg.inv(MOUNT)
        r = d.simulate(stop=0.0, set={"T.value": true})
        assert r.final("found.valid") == 1.0
        np.testing.assert_allclose(r.final("found.T"), true, rtol=0, atol=1e-9)
        assert r.final("found.residual") < 1e-9
        if k < 2:  # with noise it is the least squares that SciPy finds from the true pose
            wrong = rng.normal(0.0, 0.3, 2 * len(points))
            r = d.simulate(stop=0.0, set={"T.value": true, "noise.value": wrong})
            image = r.final("camera.p") + wrong

            def errors(x: Any, away: Any = away, image: Any = image) -> Any:
                seen = (points - away[:3, 3]) @ moved(away, x)[:3, :3] - moved(np.eye(4), x)[:3, 3] @ moved(
                    np.eye(4), x
                )[:3, :3]
                f = [1500.0, 1250.0]
                return (seen[:, :2] / seen[:, 2:] * f + [640, 512]).ravel() - image

            best = least_squares(errors, np.zeros(6), xtol=1e-15, ftol=1e-15, gtol=1e-15)
            expected = moved(away, best.x) @ np.linalg.inv(MOUNT)
            np.testing.assert_allclose(r.final("found.T"), expected, rtol=0, atol=1e-6)


def test_no_pose_where_a_point_is_behind() -> None:
    d = bd.Diagram("behind")
    T = d.add("T", bd.Constant(np.diag([1.0, -1.0, -1.0, 1.0])))
    d.connect(T, d.add("camera", bd.CentralCamera(points=SQUARE)))
    d.connect("camera.p", d.add("found", bd.PoseFromPoints(SQUARE)))
    d.connect("camera.visible", "found.visible")
    r = d.simulate(stop=0.1)
    assert r.final("camera.visible").tolist() == [0.0] * 4
    assert r.final("found.valid") == 0.0
    assert np.array_equal(r.final("found.T"), np.eye(4))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: bd.PoseFromPoints(SQUARE[:3]), "at least 4 coplanar points"),
        (lambda: bd.PoseFromPoints(np.outer(np.arange(5.0), [1, 2, 3])), "not collinear"),
        (lambda: bd.PoseFromPoints(SPACE[:5]), "because these are not coplanar; there are 5"),
        (lambda: bd.CentralCamera(points=SQUARE, mount=np.diag([1, 1, 2, 1])), "CentralCamera.mount"),
        (lambda: bd.SphericalCamera(points=[[1, 2]]), r"a row \(x, y, z\) per point"),
        (lambda: bd.CentralCamera(image_size=[640]), "image_size"),
        (lambda: bd.ImageJacobian(count=0), "a number from 1"),
        (lambda: bd.ImageJacobian(count=3, distance=[1, 2]), "a number, or 3"),
    ],
)
def test_what_no_camera_is_is_refused(make: Any, message: str) -> None:
    with pytest.raises(bd.ParameterError, match=message):
        make()
