"""Multirotors of any geometry: equations against a derivation of their own, balances, symmetries."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

import blockdyn as bd
from blockdyn.robots import Blades, Multirotor, Rotor, load_vehicle, vehicle_catalogue

Array = NDArray[np.float64]
Call = Callable[..., dict[str, Any]]
RATES = {"d_p": 3, "d_q": 4, "d_v": 3, "d_w": 3}
BLADES = Blades(2, 0.018, 0.005, 0.010, 0.004, 5.5, 0.2548, 0.1187)
EVERYTHING = {
    "motors": True, "gyroscopic": True, "flapping": "published", "rotor_drag": True, "body_drag": True,
    "translational_lift": True,
    "ground_effect": True,
}  # fmt: skip


def tilted(seed: int, count: int = 7) -> Multirotor:
    """A machine with rotors at random places and angles, all different."""
    rng = np.random.default_rng(seed)
    rotors = tuple(
        Rotor(
            rng.uniform(-0.4, 0.4, 3), int(rng.choice([-1, 1])), rng.uniform(1e-5, 2e-5),
            rng.uniform(1e-7, 3e-7), axis=np.array([0, 0, -1]) + rng.uniform(-0.5, 0.5, 3),
            radius=rng.uniform(0.1, 0.2), in_plane_drag=rng.uniform(1e-5, 1e-4),
            axial_drag=rng.uniform(1e-5, 1e-4), time_up=rng.uniform(0.01, 0.1),
            time_down=rng.uniform(0.01, 0.1), inertia=rng.uniform(1e-5, 1e-4), fastest=1500.0, blades=BLADES,
            translational_lift=rng.uniform(1e-3, 1e-2), flapping_moment=rng.uniform(1e-6, 1e-5),
        )
        for _ in range(count)
    )  # fmt: skip
    inertia = np.array([[0.08, 0.01, 0.005], [0.01, 0.12, -0.004], [0.005, -0.004, 0.15]])
    return Multirotor(
        "tilted", 3.0, inertia, rotors, linear_drag=[0.1, 0.2, 0.3], quadratic_drag=[0.3, 0.2, 0.1]
    )


def state(seed: int, vehicle: Multirotor) -> dict[str, Array]:
    rng = np.random.default_rng(100 + seed)
    speeds = vehicle.spins * rng.uniform(400, 900, vehicle.n)
    return {
        "p": rng.uniform(-2, -1, 3), "q": rng.normal(size=4), "v": rng.uniform(-4, 4, 3),
        "w": rng.uniform(-2, 2, 3), "speeds": speeds,
        "omega": speeds * rng.uniform(0.8, 1.2, vehicle.n), "wind": rng.uniform(-3, 3, 3),
        "force": rng.uniform(-1, 1, 3), "torque": rng.uniform(-0.1, 0.1, 3),
        "health": rng.uniform(0.5, 1, vehicle.n),
    }  # fmt: skip


def published_thrust(rotor: Rotor, rho: float, V: Array, w: Array, speed: float) -> Array:
    """The map's formula as it is printed, in axes with z along the shaft."""
    blades = rotor.blades
    assert blades is not None
    r = rotor.radius
    mu = np.hypot(V[0], V[1]) / (abs(speed) * r)
    lc = V[2] / (abs(speed) * r)
    j = np.arctan2(V[1], V[0])
    J = np.array([[np.cos(j), -np.sin(j)], [np.sin(j), np.cos(j)]])
    theta0, theta1 = blades.root_pitch, blades.tip_pitch - blades.root_pitch
    beta = J.T @ [((8 / 3 * theta0 + 2 * theta1) * mu - 2 * lc * mu) / (1 - mu**2 / 2), 0.0]
    inertia = (
        blades.mass * (r - blades.clamp_offset) ** 2 / 4 + blades.clamp_mass * blades.clamp_offset**2 / 4
    )
    gamma = rho * blades.lift_slope * blades.chord * r**4 / inertia
    a1 = beta[0] - 16 / gamma / abs(speed) * w[1]
    b1 = beta[1] - 16 / gamma / abs(speed) * w[0]
    return (
        rotor.thrust * speed**2 * np.array([-np.cos(b1) * np.sin(a1), np.sin(b1), -np.cos(a1) * np.cos(b1)])
    )


def derived(vehicle: Multirotor, s: dict[str, Array]) -> tuple[Array, Array, Array]:
    """Accelerations in the world, of the body and of the motors, by vectors and from the printed formulas."""
    R = Rotation.from_quat(s["q"], scalar_first=True).as_matrix()
    V = R.T @ (s["v"] - s["wind"])
    J, w = np.array(vehicle.inertia), s["w"]
    force = R.T @ s["force"] - np.array(vehicle.linear_drag) * V
    force -= np.array(vehicle.quadratic_drag) * np.linalg.norm(V) * V
    moment, momentum, slopes = s["torque"].copy(), np.zeros(3), []
    for i, rotor in enumerate(vehicle.rotors):
        D, shaft, u = np.array(rotor.place), -np.array(rotor.axis), s["speeds"][i]
        turn, _ = Rotation.align_vectors([shaft], [[0.0, 0.0, 1.0]])  # the smallest rotation
        own = V + np.cross(w, D)
        height = -(s["p"] + R @ D)[2]
        upright = (R @ shaft)[2]
        gain = 1 + (1 / (1 - (rotor.radius / 4 / height) ** 2) - 1) * max(upright, 0.0)
        tilt = published_thrust(rotor, vehicle.air_density, turn.inv().apply(own), turn.inv().apply(w), u)
        along = (own @ shaft) * shaft
        drag = -abs(u) * (rotor.in_plane_drag * (own - along) + rotor.axial_drag * along)
        lift = -rotor.translational_lift * np.sum((own - along) ** 2) * shaft
        f = s["health"][i] * (gain * turn.apply(tilt) + drag + lift)
        moment += s["health"][i] * rotor.flapping_moment * abs(u) * np.cross(own, shaft)
        target = rotor.spin * s["omega"][i]
        slope = (target - rotor.spin * u) / (rotor.time_up if target > rotor.spin * u else rotor.time_down)
        slopes.append(rotor.spin * slope)
        force += f
        moment += np.cross(D, f) - s["health"][i] * rotor.torque * u * abs(u) * shaft
        moment -= rotor.inertia * slopes[-1] * shaft
        momentum += rotor.inertia * u * shaft
    turning = np.linalg.solve(J, moment - np.cross(w, J @ w + momentum))
    return np.array([0, 0, vehicle.gravity]) + R @ force / vehicle.mass, turning, np.array(slopes)


@pytest.mark.parametrize("seed", range(12))
def test_rates_are_those_of_a_derivation_by_vectors(call: Call, seed: int) -> None:
    vehicle = tilted(seed, 3 + seed % 10)
    s = state(seed, vehicle)
    out = call(bd.NRotor(vehicle=vehicle, **EVERYTHING), "derivative", {**RATES, "d_speeds": vehicle.n}, **s)
    linear, angular, slopes = derived(vehicle, s)
    np.testing.assert_allclose(out["d_speeds"], slopes, rtol=1e-12)
    np.testing.assert_allclose(out["d_v"], linear, rtol=1e-11, atol=1e-11)
    np.testing.assert_allclose(out["d_w"], angular, rtol=1e-11, atol=1e-11)
    np.testing.assert_allclose(out["d_p"], s["v"], rtol=0)


def test_the_x4_flaps_as_published(call: Call) -> None:
    """To rounding, with R'v and the moments D x T, in fast, climbing, turning flight."""
    x4 = load_vehicle("x4")
    block = bd.NRotor(vehicle=x4, flapping="published")
    for seed in range(20):
        s = state(seed, x4)
        s |= {"force": np.zeros(3), "torque": np.zeros(3), "health": np.ones(4), "omega": s["speeds"]}
        R = Rotation.from_quat(s["q"], scalar_first=True).as_matrix()
        V, w = R.T @ (s["v"] - s["wind"]), s["w"]
        T = [
            published_thrust(rotor, 1.184, V + np.cross(w, D), w, u)
            for rotor, D, u in zip(x4.rotors, x4.hubs, s["speeds"])
        ]
        moment = np.cross(x4.hubs, T).sum(axis=0) - [
            0,
            0,
            (1.0697152e-7 * s["speeds"] * abs(s["speeds"])).sum(),
        ]
        out = call(block, "output_forces", {"forces": 4 + 9}, **s)["forces"]
        np.testing.assert_allclose(out[4:7], np.sum(T, axis=0), rtol=1e-13, atol=1e-13)
        np.testing.assert_allclose(out[7:10], moment, rtol=1e-7, atol=1e-7)


@pytest.mark.parametrize("name", vehicle_catalogue())
def test_hover_is_at_rest(call: Call, name: str) -> None:
    vehicle = load_vehicle(name)
    rest = {"p": np.zeros(3), "q": np.array([1.0, 0, 0, 0]), "v": np.zeros(3), "w": np.zeros(3)}
    out = call(bd.NRotor(vehicle=vehicle), "derivative", RATES, omega=vehicle.hover_speeds(), **rest)
    sideways = name == "coaxial"  # its arms lean a little unevenly, and its rotors cannot help that
    out["d_v"][:2] *= not sideways
    for part in out.values():
        np.testing.assert_allclose(part, 0.0, atol=1e-12)


def test_four_rotors_are_the_quadrotor(call: Call) -> None:
    x4 = load_vehicle("x4")
    quadrotor = bd.Quadrotor(b=x4.rotors[0].thrust, k=x4.rotors[0].torque)
    numbers = quadrotor.numbers()
    for seed in range(10):
        s = state(seed, x4)
        s |= {"force": np.zeros(3), "torque": np.zeros(3), "health": np.ones(4)}
        out = call(bd.NRotor(vehicle=x4), "derivative", RATES, **s)
        from blockdyn.robots.vehicles.rigid_flight import Airframe, fly

        own = {name: np.zeros(shape) for name, shape in RATES.items()}
        frame = Airframe(*(numbers[name] for name in Airframe._fields))  # type: ignore[arg-type]
        fly(frame, s["q"], s["v"], s["w"], s["omega"], *own.values())
        for name, value in own.items():
            np.testing.assert_allclose(out[name], value, rtol=1e-13, atol=1e-13)


def test_angular_momentum_changes_by_outer_moments_alone(call: Call) -> None:
    """d/dt R (J w + sum I u e) = R (drag torques): what motors do to speed rotors up stays inside."""
    vehicle = tilted(1).with_rotors(thrust=0.0).with_gravity(0.0)
    block = bd.NRotor(vehicle=vehicle, motors=True, gyroscopic=True)
    for seed in range(5):
        s = state(seed, vehicle) | {"force": np.zeros(3), "torque": np.zeros(3), "health": np.ones(7)}
        out = call(block, "derivative", {**RATES, "d_speeds": 7}, **s)
        J, shafts = np.array(vehicle.inertia), -vehicle.axes
        spinning = vehicle.numbers("inertia")[:, None] * shafts
        total = J @ s["w"] + s["speeds"] @ spinning
        change = J @ out["d_w"] + out["d_speeds"] @ spinning + np.cross(s["w"], total)
        drag = -(vehicle.numbers("torque") * s["speeds"] * abs(s["speeds"])) @ shafts
        np.testing.assert_allclose(change, drag, rtol=1e-10, atol=1e-12)


def test_kinetic_energy_grows_by_the_power_of_forces_and_moments(call: Call) -> None:
    vehicle = tilted(2)
    block = bd.NRotor(vehicle=vehicle, flapping="published", rotor_drag=True, body_drag=True)
    for seed in range(5):
        s = state(seed, vehicle)
        out = call(block, "derivative", RATES, **s)
        f = call(block, "output_forces", {"forces": vehicle.n + 9}, **s)["forces"][vehicle.n :]
        R = Rotation.from_quat(s["q"], scalar_first=True).as_matrix()
        power = (R @ (f[:3] + f[6:9]) + s["force"] + [0, 0, vehicle.mass * vehicle.gravity]) @ s["v"]
        power += (f[3:6] + s["torque"]) @ s["w"]
        rate = vehicle.mass * out["d_v"] @ s["v"] + s["w"] @ np.array(vehicle.inertia) @ out["d_w"]
        assert rate == pytest.approx(power, rel=1e-11)


def test_turning_the_world_about_the_vertical_changes_nothing(call: Call) -> None:
    vehicle = tilted(3)
    block = bd.NRotor(vehicle=vehicle, **EVERYTHING)
    yaw = Rotation.from_euler("z", 1.1)
    s = state(0, vehicle)
    turned = s | {name: yaw.apply(s[name]) for name in ("p", "v", "wind", "force")}
    turned["q"] = (yaw * Rotation.from_quat(s["q"], scalar_first=True)).as_quat(scalar_first=True)
    shapes = {**RATES, "d_speeds": vehicle.n}
    a, b = call(block, "derivative", shapes, **s), call(block, "derivative", shapes, **turned)
    np.testing.assert_allclose(b["d_v"], yaw.apply(a["d_v"]), rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(b["d_w"], a["d_w"], rtol=1e-12, atol=1e-12)


def test_rotors_that_stop_in_the_wind_give_less_and_less(call: Call) -> None:
    """Regular at zero speed, upside down as well: forces are continuous and go to zero."""
    x4 = load_vehicle("x4")
    block = bd.NRotor(vehicle=x4, flapping="published")
    for q in ([1.0, 0, 0, 0], [0.0, 1.0, 0, 0]):
        s = {
            "p": np.zeros(3),
            "q": np.array(q),
            "v": np.array([8.0, -3.0, 5.0]),
            "w": np.array([3.0, 2.0, 1.0]),
        }
        sizes = []
        for speed in (*np.linspace(900.0, 0.0, 901), 1e-300):
            out = call(block, "output_forces", {"forces": 13}, omega=x4.spins * speed, **s)["forces"]
            assert np.isfinite(out).all()
            sizes.append(out[4:10])
        assert np.abs(sizes[-2]).max() == 0.0
        assert np.abs(np.diff(sizes, axis=0)).max() < 0.4  # N: of 40 N in steps of 1 rad/s


def test_ground_effect_of_cheeseman_and_bennett(call: Call) -> None:
    """At a height of one radius 16/15, at two 64/63; 4/3 at half a radius and below; none upside down."""
    x4 = load_vehicle("x4").payload(0.0)
    block = bd.NRotor(vehicle=x4, ground_effect=True, ground_level=0.5)
    r, free = 0.165, 4 * x4.rotors[0].thrust * 800.0**2
    cases = ((1.0, 16 / 15, 1), (2.0, 64 / 63, 1), (0.5, 4 / 3, 1), (0.1, 4 / 3, 1), (1.0, 1.0, -1))
    for height, gain, up in cases:
        q = np.array([1.0, 0, 0, 0] if up > 0 else [0.0, 1.0, 0, 0])
        p = np.array([0, 0, 0.5 - height * r + up * 0.007])
        s = {"p": p, "q": q, "v": np.zeros(3), "w": np.zeros(3), "omega": 800.0 * x4.spins}
        out = call(block, "output_forces", {"forces": 13}, **s)["forces"]
        assert -out[6] == pytest.approx(gain * free, rel=1e-12)


def test_translational_lift_of_the_hummingbird_is_that_of_rotorpy(call: Call) -> None:
    """Four times k_h = 3.39e-3 N s2/m2 at 8 m/s: 18 % of the weight, along the thrust; none straight up."""
    vehicle = load_vehicle("hummingbird")
    s = state(0, vehicle) | {"w": np.zeros(3), "q": np.array([1.0, 0, 0, 0]), "wind": np.zeros(3)}
    s |= {"health": np.ones(4)}

    def force(v: list[float], lift: bool) -> Array:
        block = bd.NRotor(vehicle=vehicle, body_drag=True, translational_lift=lift)
        return call(block, "output_forces", {"forces": 4 + 9}, **s, v=np.array(v))["forces"][4:7]

    s.pop("v")
    sideways = force([4.8, -6.4, 0.0], True) - force([4.8, -6.4, 0.0], False)
    np.testing.assert_allclose(sideways, [0.0, 0.0, -4 * 3.39e-3 * 64.0], rtol=1e-12, atol=1e-12)
    assert -sideways[2] / (0.5 * 9.81) == pytest.approx(0.18, abs=0.005)
    np.testing.assert_array_equal(force([0.0, 0.0, -8.0], True), force([0.0, 0.0, -8.0], False))
