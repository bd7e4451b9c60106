"""Estimators of poses and maps: least squares, an exact histogram, derivatives, bad parameters."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import norm

import blockdyn as bd
from blockdyn.robots import planning
from blockdyn.robots.localization.models import direction

LANDMARKS = np.array([[8.0, 1.0], [0.0, 5.0], [-6.0, -2.0], [3.0, 9.0], [2.0, -7.0]])
READINGS = ("ranges", "bearings", "seen")


def fed(blocks: dict[str, bd.Block], odometry: np.ndarray, ranges: np.ndarray) -> bd.Diagram:
    """Estimators that are fed rows of odometry and ranges, a row each 0.1 s; bearings are 0."""
    d, times = bd.Diagram(), np.arange(len(odometry)) / 10.0
    ranges = ranges[:, 0] if ranges.shape[1] == 1 else ranges
    rows = {"ranges": ranges, "bearings": 0.0 * ranges, "seen": np.where(ranges > 0.0, 1.0, 0.0)}
    d.add("odometry", bd.PiecewiseConstant(times=times, values=odometry))
    for name in READINGS:
        d.add(name, bd.PiecewiseConstant(times=times, values=rows[name]))
    for name, block in blocks.items():
        d.add(name, block)
        for port in ("odometry", *READINGS):
            d.connect(port, f"{name}.{port}")
    return d


# ---- derivatives, by those of the blocks themselves ----


def jacobian(d: bd.Diagram, of: list[str], to: list[str], time: float) -> np.ndarray:
    s = d.sensitivities(to=to, of=of, times=[time])
    slopes = [np.stack([s[name, path].values[-1] for path in to], -1) for name in of]
    return np.concatenate([np.atleast_2d(rows) for rows in slopes])


POSE0, STEP = [1.0, -2.0, 0.7], [0.8, -0.6]
P0 = np.array([[0.04, 0.01, 0.002], [0.01, 0.09, -0.003], [0.002, -0.003, 0.01]])
V, W = np.array([[0.01, 0.002], [0.002, 0.004]]), np.array([[0.02, 0.001], [0.001, 0.003]])


@pytest.mark.parametrize("turn", [-0.6, 0.0, 0.04, 3.0])
def test_covariance_of_dead_reckoning_follows_the_derivatives_of_its_pose(turn: float) -> None:
    d = bd.Diagram()
    dr = bd.DeadReckoning(initial_pose=POSE0, P0=P0, V=V)
    d.connect(d.add("step", bd.Constant([0.8, turn])), d.add("dr", dr))
    F = jacobian(d, ["dr.pose"], [f"dr.initial_pose[{k}]" for k in range(3)], 0.1)
    G = jacobian(d, ["dr.pose"], ["step.value[0]", "step.value[1]"], 0.1)
    P = d.simulate(stop=0.1).final("dr.covariance")
    np.testing.assert_allclose(P, F @ P0 @ F.T + G @ V @ G.T, atol=1e-10)


def test_a_reading_corrects_as_the_derivatives_of_the_sensor_say() -> None:
    d = bd.Diagram()
    d.connect(d.add("pose", bd.Constant(POSE0)), d.add("sensor", bd.RangeBearing([[8.0, 1.0]], W=0.0)))
    H = jacobian(d, ["sensor.ranges", "sensor.bearings"], [f"pose.value[{k}]" for k in range(3)], 0.1)
    ekf = bd.EKFLocalization([[8.0, 1.0]], initial_pose=POSE0, P0=P0, W=W)
    d = fed({"ekf": ekf}, np.zeros((1, 2)), np.array([[7.5]]))
    r = d.simulate(stop=0.05)
    K = P0 @ H.T @ np.linalg.inv(H @ P0 @ H.T + W)
    away = np.array([7.0, 3.0])
    e = np.array([7.5 - np.hypot(*away), 0.0 - (np.arctan2(away[1], away[0]) - POSE0[2])])
    np.testing.assert_allclose(r.final("ekf.pose"), POSE0 + K @ e, atol=1e-10)
    np.testing.assert_allclose(r.final("ekf.covariance"), (np.eye(3) - K @ H) @ P0, atol=1e-10)


def test_a_new_landmark_has_the_covariance_that_the_derivatives_of_its_place_say() -> None:
    d = bd.Diagram()
    d.add("slam", bd.EKFSLAM(1, initial_pose=POSE0, P0=P0, W=W))
    d.add("mapping", bd.EKFMapping(1, W=W))
    d.connect(d.add("odometry", bd.Constant([0.0, 0.0])), "slam.odometry")
    d.connect(d.add("pose", bd.Constant(POSE0)), "mapping.pose")
    for name, value in zip(READINGS, (7.5, 0.4, 1.0), strict=True):
        d.connect(d.add(name, bd.Constant(value)), [f"slam.{name}", f"mapping.{name}"])
    to = [*(f"slam.initial_pose[{k}]" for k in range(3)), "ranges.value", "bearings.value"]
    by_all, by_mapping = jacobian(d, ["slam.landmarks", "mapping.landmarks"], to, 0.05)
    by_pose, by_reading = by_all[:, :3], by_all[:, 3:]
    np.testing.assert_allclose(by_mapping[:, 3:], by_reading, atol=1e-14)
    r = d.simulate(stop=0.05)
    read_alone = by_reading @ W @ by_reading.T
    np.testing.assert_allclose(r.final("mapping.covariance"), read_alone, atol=1e-14)
    P = r.final("slam.covariance")
    np.testing.assert_allclose(P[3:, :3], by_pose @ P0, atol=1e-14)
    np.testing.assert_allclose(P[3:, 3:], by_pose @ P0 @ by_pose.T + read_alone, atol=1e-14)


def test_dead_reckoning_without_noise_is_exact_on_arcs() -> None:
    d = bd.Diagram()
    car = d.add("car", bd.Bicycle(wheelbase=1.0))
    d.connect(d.add("v", bd.Constant(-2.0)), car["v"])
    d.connect(d.add("gamma", bd.Constant(0.4)), car["gamma"])
    d.connect(car["*"], d.add("odometry", bd.Odometry(V=0.0, sample_time=0.7))["*"])
    d.connect("odometry", d.add("dr", bd.DeadReckoning(sample_time=0.7)))
    r = d.simulate(stop=70.0)
    np.testing.assert_allclose(r.final("dr.pose"), r.final("car.pose"), atol=1e-11)


# ---- a line, on which all is linear ----

STEPS, PLACES = 40, np.array([30.0, 45.0, 60.0])
RANDOM = np.random.default_rng(5)
GONE = np.concatenate([[0.0], 0.5 + 0.3 * RANDOM.random(STEPS - 1)])
TRUE = np.cumsum(GONE)
ODOMETRY = np.stack([GONE + 0.1 * RANDOM.standard_normal(STEPS), np.zeros(STEPS)], axis=1)
RANGES = PLACES - TRUE[:, None] + 0.3 * RANDOM.standard_normal((STEPS, 3))
RANGES[RANDOM.random((STEPS, 3)) < 0.4] = 0.0  # not seen
LINE = {"V": [0.01, 0.0], "W": [0.09, 0.01], "P0": [0.25, 0.0, 0.0], "initial_pose": [0.2, 0.0, 0.0]}


def least_squares(places: np.ndarray | None) -> tuple[np.ndarray, np.ndarray]:
    """All poses, and the places unless these are known, from all equations at once, and the covariance."""
    unknown = STEPS + (3 if places is None else 0)
    rows, values = [np.eye(unknown)[0] / 0.5], [0.2 / 0.5]
    for k in range(1, STEPS):
        rows.append((np.eye(unknown)[k] - np.eye(unknown)[k - 1]) / 0.1)
        values.append(ODOMETRY[k, 0] / 0.1)
    for k, i in np.argwhere(RANGES > 0.0):
        row = -np.eye(unknown)[k] / 0.3
        if places is None:
            row = row + np.eye(unknown)[STEPS + i] / 0.3
        rows.append(row)
        values.append((RANGES[k, i] - (0.0 if places is None else places[i])) / 0.3)
    A = np.array(rows)
    return np.linalg.lstsq(A, np.array(values), rcond=None)[0], np.linalg.inv(A.T @ A)


@pytest.fixture(scope="module")
def line() -> bd.Result:
    at = np.stack([PLACES, 0.0 * PLACES], axis=1)
    blocks = {
        "slam": bd.EKFSLAM(3, **LINE),
        "ekf": bd.EKFLocalization(at, **LINE),
        "ukf": bd.UKFLocalization(at, **LINE, alpha=0.5, kappa=1.0),
    }
    return fed(blocks, ODOMETRY, RANGES).simulate(stop=0.1 * STEPS - 0.05)


def test_slam_on_a_line_is_least_squares_over_all_readings(line: bd.Result) -> None:
    best, covariance = least_squares(None)
    along = [0, 3, 5, 7]
    P = line.final("slam.covariance")
    np.testing.assert_allclose(line.final("slam.pose"), [best[STEPS - 1], 0.0, 0.0], atol=1e-8)
    np.testing.assert_allclose(line.final("slam.landmarks")[:, 0], best[STEPS:], atol=1e-8)
    np.testing.assert_allclose(P[np.ix_(along, along)], covariance[STEPS - 1 :, STEPS - 1 :], rtol=1e-8)


@pytest.mark.parametrize("name", ["ekf", "ukf"])
def test_localization_on_a_line_is_least_squares_too(line: bd.Result, name: str) -> None:
    best, covariance = least_squares(PLACES)
    np.testing.assert_allclose(line.final(f"{name}.pose"), [best[-1], 0.0, 0.0], atol=1e-8)
    assert line.final(f"{name}.covariance")[0, 0] == pytest.approx(covariance[-1, -1], rel=1e-8)


def test_particles_on_a_line_are_as_dense_as_the_exact_histogram() -> None:
    """Ranges without a direction: two places are as likely, until the second landmark is seen."""
    at, steps = np.array([[5.0, 0.0], [14.0, 0.0]]), 12
    ranges = np.zeros((steps, 2))
    true = 2.0 + 0.25 * np.arange(steps)
    ranges[:, 0] = np.abs(5.0 - true)
    ranges[8:, 1] = 14.0 - true[8:]
    odometry = np.tile([0.25, 0.0], (steps, 1))
    pf = bd.ParticleFilter(
        at, count=20000, V=[0.01, 0.0], W=[0.16, 1e9], area=[[0.0, 10.0], [0.0, 0.0], [0.0, 0.0]]
    )
    r = fed({"pf": pf}, odometry, ranges).simulate(stop=0.1 * steps - 0.05, every=0.1, seed=2)
    x = np.linspace(-2.0, 16.0, 1201)
    density = ((x >= 0.0) & (x <= 10.0)).astype(float)
    kernel = norm.pdf(x[:, None] - x[None, :] - 0.25, scale=0.1)
    for k in range(steps):
        if k:
            density = kernel @ density
        for i in range(2):
            if ranges[k, i] > 0.0:
                density = density * norm.pdf(ranges[k, i], np.abs(at[i, 0] - x), 0.4)
        density /= density.sum()
        mean = density @ x
        deviation = np.sqrt(density @ (x - mean) ** 2)
        # particles drawn anew a few times: their mean is some 2 / sqrt(n) deviations off, 0.014
        assert r["pf.pose"].values[k, 0] == pytest.approx(mean, abs=0.04 * deviation), k
        assert np.sqrt(r["pf.covariance"].values[k, 0, 0]) == pytest.approx(deviation, rel=0.04), k
        weights, places = r["pf.weights"].values[k], r["pf.particles"].values[k, :, 0]
        assert weights[places < 5.0].sum() == pytest.approx(density[x < 5.0].sum(), abs=0.02), k


# ---- the plane ----


def driven(sensor: bd.Block, estimators: dict[str, bd.Block], **odometry: object) -> bd.Diagram:
    """A car on a circle among the landmarks."""
    d = bd.Diagram()
    car = d.add("car", bd.Bicycle(wheelbase=1.0))
    d.connect(d.add("v", bd.Constant(1.0)), car["v"])
    d.connect(d.add("gamma", bd.Constant(0.3)), car["gamma"])
    d.connect(car["*"], d.add("odometry", bd.Odometry(**odometry))["*"])
    d.connect(car["pose"], d.add("sensor", sensor))
    for name, block in estimators.items():
        d.add(name, block)
        if "odometry" in [port.name for port in block.input_ports()]:
            d.connect("odometry", f"{name}.odometry")
        else:
            d.connect(car["pose"], f"{name}.pose")
        for port in READINGS:
            d.connect(f"sensor.{port}", f"{name}.{port}")
    return d


def test_a_covariance_stays_positive_and_symmetric_over_3e4_steps() -> None:
    """Readings a million times as good as the first pose, in variance: rounding bears on differences."""
    exact = {"W": [1e-6, 1e-8], "V": [1e-8, 1e-8]}
    estimators = {
        "slam": bd.EKFSLAM(5, P0=[1.0, 1.0, 0.1], **exact),
        "ekf": bd.EKFLocalization(LANDMARKS, P0=[1.0, 1.0, 0.1], **exact),
    }
    d = driven(bd.RangeBearing(LANDMARKS, W=[1e-6, 1e-8]), estimators, V=[1e-8, 1e-8])
    log = ["slam.covariance", "ekf.covariance", "ekf.pose", "car.pose"]
    r = d.simulate(stop=3000.0, every=50.0, log=log)
    for name in ("slam", "ekf"):
        for P in r[f"{name}.covariance"].values:
            np.testing.assert_array_equal(P, P.T)
            deviations = np.sqrt(np.diag(P))
            assert np.linalg.eigvalsh(P / np.outer(deviations, deviations))[0] > 0.0
    np.testing.assert_allclose(r.final("ekf.pose"), r.final("car.pose"), atol=1e-3)


def test_association_by_distance_is_the_true_one_where_landmarks_are_apart() -> None:
    first = {"P0": [0.01, 0.01, 0.001]}
    estimators = {
        "known": bd.EKFLocalization(LANDMARKS, **first),
        "told": bd.EKFLocalization(LANDMARKS, **first, association="nearest"),
        "unscented": bd.UKFLocalization(LANDMARKS, **first, association="nearest"),
        "slam": bd.EKFSLAM(5, association="nearest"),
        "map": bd.EKFMapping(5),
    }
    r = driven(bd.RangeBearing(LANDMARKS), estimators).simulate(stop=50.0, every=0.1, seed=3)
    good = (r["told.associated"].values == [0, 1, 2, 3, 4]).all(axis=1)
    assert good.mean() > 0.98  # a thousandth of the readings is beyond the gate
    np.testing.assert_allclose(r.final("told.pose"), r.final("known.pose"), atol=0.02)
    np.testing.assert_allclose(r.final("unscented.pose"), r.final("told.pose"), atol=0.02)
    np.testing.assert_array_equal(r.final("slam.mapped"), 1.0)
    np.testing.assert_allclose(r.final("slam.landmarks"), LANDMARKS, atol=0.3)
    deviation = np.sqrt(r.final("map.covariance").reshape(5, 2, 2)[:, [0, 1], [0, 1]])
    assert (np.abs(r.final("map.landmarks") - LANDMARKS) < 4.0 * deviation).all()
    assert (deviation < 0.02).all()


def test_particles_find_a_place_by_scans_alone() -> None:
    cells = np.zeros((60, 80))
    cells[0] = cells[-1] = cells[:, 0] = cells[:, -1] = 1
    cells[20:35, 15:22] = cells[45:47, 30:60] = cells[10:12, 55:70] = 1
    of = planning.OccupancyMap(cells, 0.1)
    d = bd.Diagram()
    car = d.add("car", bd.Unicycle(initial_pose=[4.0, 1.0, 0.3]))
    d.connect(d.add("v", bd.Constant(0.4)), car["v"])
    d.connect(d.add("omega", bd.Constant(0.25)), car["omega"])
    d.connect(car["*"], d.add("odometry", bd.Odometry(V=[1e-4, 1e-4]))["*"])
    d.connect(car["pose"], d.add("lidar", bd.Lidar(of, beams=24)))
    pf = bd.ParticleFilter(
        map=of, beams=24, V=[4e-4, 4e-4], count=4000, area=[[0.0, 8.0], [0.0, 6.0], [-np.pi, np.pi]],
        resample=0.3,
    )  # fmt: skip
    d.connect("odometry", d.add("pf", pf)["odometry"])
    d.connect("lidar", "pf.scan")
    r = d.simulate(stop=12.0, seed=1)
    error = r.final("pf.pose") - r.final("car.pose")
    assert np.hypot(error[0], error[1]) < 0.1
    assert abs(np.angle(np.exp(1j * error[2]))) < 0.05


def test_nees_is_the_quadratic_form_and_wraps_angles() -> None:
    d = bd.Diagram()
    d.connect(d.add("a", bd.Constant([1.0, 2.0, 3.0])), d.add("nees", bd.NEES())["estimate"])
    d.connect(d.add("b", bd.Constant([1.5, 1.0, 3.1 + 4.0 * np.pi])), d["nees"]["truth"])
    d.connect(d.add("P", bd.Constant(P0)), d["nees"]["covariance"])
    e = np.array([-0.5, 1.0, -0.1])
    assert d.simulate(stop=0.1).final("nees") == pytest.approx(e @ np.linalg.inv(P0) @ e, rel=1e-10)
    with pytest.raises(bd.RunError, match=r"nees.*covariance"):
        d.simulate(stop=0.1, set={"P.value": np.zeros((3, 3))})


@pytest.mark.parametrize("block", [bd.EKFLocalization, bd.UKFLocalization, bd.ParticleFilter])
@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"landmarks": [[1, 2], [3, 4], [1, 2]]}, "0 and 2 are both at"),
        ({"W": [0.01, 0.0]}, "covariance above 0"),
        ({"W": [[1.0, 2.0], [2.0, 1.0]]}, "least eigenvalue is -1"),
        ({"V": [-1.0, 1.0]}, "V"),
        ({"P0": [1.0, 1.0]}, "P0"),
        ({"initial_pose": [0.0, 0.0]}, "initial_pose"),
    ],
)
def test_bad_parameters(block: type[bd.Block], parameters: dict[str, object], message: str) -> None:
    with pytest.raises(bd.ParameterError, match=message):
        block(**{"landmarks": LANDMARKS, **parameters})


@pytest.mark.parametrize(
    ("block", "parameters", "message"),
    [
        (bd.EKFSLAM, {"count": 0}, "count"),
        (bd.EKFSLAM, {"count": 3, "beyond": 1.0}, "beyond"),
        (bd.EKFMapping, {"count": 0}, "count"),
        (bd.ParticleFilter, {}, "landmarks, position_covariance, map"),
        (bd.ParticleFilter, {"map": planning.OccupancyMap(np.zeros((3, 3)))}, "has occupied cells"),
        (bd.ParticleFilter, {"landmarks": LANDMARKS, "area": [[1, 0], [0, 1], [0, 1]]}, "area"),
        (bd.NEES, {"size": 2}, "angles"),
        (bd.NEES, {"size": 10**400}, "size"),
    ],
)
def test_bad_parameters_of_others(block: type[bd.Block], parameters: dict[str, object], message: str) -> None:
    with pytest.raises(bd.ParameterError, match=message):
        block(**parameters)


def test_what_cannot_go_on_says_so() -> None:
    on_it = fed({"ekf": bd.EKFLocalization([[0.0, 0.0]])}, np.zeros((1, 2)), np.array([[1.0]]))
    with pytest.raises(bd.RunError, match=r"ekf.*on a landmark"):
        on_it.simulate(stop=0.05)
    ranges = np.array([[2.0], [9.0]])
    full = fed({"slam": bd.EKFSLAM(1, association="nearest")}, np.zeros((2, 2)), ranges)
    with pytest.raises(bd.RunError, match=r"slam.*more landmarks than `count`"):
        full.simulate(stop=0.15)


@pytest.mark.parametrize("kind", [bd.EKFLocalization, bd.UKFLocalization], ids=["ekf", "ukf"])
def test_a_covariance_beyond_numbers_is_refused(kind):
    """1e300 m2 times 1e300 m2 is no number: no pose comes out of it."""
    d = bd.Diagram("lost")
    f = d.add("f", kind([[10, 0], [0, 10]], P0=[1e300] * 3, W=[1e-4, 1e-4], sample_time=0.1))
    readings = {"odometry": [0.1, 0.0], "ranges": [9.0, 9.5], "bearings": [0.1, 1.4], "seen": [1.0, 1.0]}
    for port, value in readings.items():
        d.connect(d.add(port, bd.Constant(value)), f[port])
    with pytest.raises(bd.RunError, match=r"f failed.*innovation is not positive"):
        d.simulate(stop=0.5)


def test_directions_are_those_of_the_c_library() -> None:
    points = np.random.default_rng(5).standard_normal((4000, 2)) * 10.0 ** np.arange(-4, 6, 0.0025)[:, None]
    for ahead, left in [*points.tolist(), (0.0, 0.0), (-2.0, 0.0), (0.0, -2.0), (-3.0, 3.0), (1e-300, 1e300)]:
        assert direction(ahead, left) == pytest.approx(math.atan2(left, ahead), rel=4e-16, abs=0.0)
