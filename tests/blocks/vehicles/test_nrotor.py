"""NRotor: flights with known answers, one compiled diagram for many of them; options, ports, bad input."""

from __future__ import annotations

from math import cosh, exp, log, pi, sqrt, tanh
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation
from scipy.special import ellipj, ellipk

import blockdyn as bd
from blockdyn.diagrams import yaml
from blockdyn.robots import load_vehicle

Array = NDArray[np.float64]
TIGHT: dict[str, Any] = {"rtol": 1e-11, "atol": 1e-13}


def flown(
    omega: Any, inputs: dict[str, Any] | None = None, settings: dict[str, Any] | None = None, **options: Any
) -> bd.Result:
    d = bd.Diagram()
    craft = d.add("craft", bd.NRotor(**options))
    port = "command" if options.get("commands") else "omega"
    d.connect(d.add("drive", bd.Constant(omega)), craft[port])
    for name, value in (inputs or {}).items():
        d.connect(d.add(name, bd.Constant(value)), craft[name])
    d.log(craft)
    r = d.simulate(**{"stop": 1.0, **TIGHT, **(settings or {})})
    assert not [name for name in r.statistics if name.startswith("python")], "all of it is machine code"
    return r


def jacobi_rates(moments: Array, start: Array, t: Array) -> Array:
    """Rates of a free body, in Jacobi's elliptic functions: Landau, Lifshitz, Mechanics, section 37.

    For moments I1 < I2 < I3, a start with w2 = 0 and L^2 > 2 E I2.
    """
    I1, I2, I3 = moments
    E2, L2 = moments @ start**2, (moments**2) @ start**2  # twice the energy, the square of the momentum
    a1, a2 = sqrt((E2 * I3 - L2) / (I1 * (I3 - I1))), sqrt((E2 * I3 - L2) / (I2 * (I3 - I2)))
    a3 = sqrt((L2 - E2 * I1) / (I3 * (I3 - I1)))
    tau = t * sqrt((I3 - I2) * (L2 - E2 * I1) / (I1 * I2 * I3))
    m = (I2 - I1) * (E2 * I3 - L2) / ((I3 - I2) * (L2 - E2 * I1))
    sn, cn, dn, _ = ellipj(tau, m)
    assert tau[-1] > 8 * ellipk(m)  # two turns at least
    return np.column_stack([a1 * cn, a2 * sn, a3 * dn])


def test_a_free_body_tumbles_as_jacobi_says() -> None:
    moments, start = np.array([0.05, 0.08, 0.11]), np.array([2.0, 0.0, 3.0])
    vehicle = load_vehicle("x4").replaced(inertia=moments, gravity=0.0)
    r = flown(np.zeros(4), None, {"stop": 20.0}, vehicle=vehicle, initial_rates=start)
    t = r["craft.rates"].time.values
    expected = jacobi_rates(moments, start, t)
    rates = r["craft.rates"].values
    expected[:, 1] *= np.sign(rates[5, 1]) * np.sign(expected[5, 1])  # the start leaves the sense of w2 open
    np.testing.assert_allclose(rates, expected, rtol=0, atol=1e-8)


def test_free_fall_with_drag_reaches_its_speed() -> None:
    """v = v_t tanh(g t / v_t), z = v_t^2/g log cosh, v_t^2 = m g / c; in a steady downdraught too."""
    vehicle = load_vehicle("hummingbird")
    v_t = sqrt(0.5 * 9.81 / 0.01)
    r = flown(np.zeros(4), None, {"stop": 3.0}, vehicle=vehicle, body_drag=True)
    assert r.final("craft.velocity")[2] == pytest.approx(v_t * tanh(9.81 * 3.0 / v_t), rel=1e-9)
    assert r.final("craft.position")[2] == pytest.approx(
        v_t**2 / 9.81 * log(cosh(9.81 * 3.0 / v_t)), rel=1e-9
    )
    carried = flown(
        np.zeros(4), {"wind": [3.0, 0.0, 2.0]}, {"stop": 3.0}, vehicle=vehicle, body_drag=True,
        initial_velocity=[3.0, 0.0, 2.0],
    )  # fmt: skip
    felt, speed = r.final("craft.specific_force"), r.final("craft.velocity")[2]
    np.testing.assert_allclose(carried.final("craft.velocity"), [3.0, 0.0, speed + 2.0], atol=1e-8)
    np.testing.assert_allclose(carried.final("craft.specific_force"), felt, atol=1e-8)


def test_motors_step_up_and_down_as_exponentials_and_stop_at_their_limits() -> None:
    vehicle = load_vehicle("crazyflie")
    start = np.array([-1500.0, 1500.0, -1500.0, 1500.0])
    wanted = np.array([-2000.0, 1000.0, -9000.0, -500.0])  # the last asks for the wrong sense
    t = 0.02
    r = flown(wanted, None, {"stop": t}, vehicle=vehicle, motors=True, initial_speeds=start)
    up, down = exp(-t / 0.0125), exp(-t / 0.025)
    expected = [-2000 + 500 * up, 1000 + 500 * down, -2618 + 1118 * up, 1500 * down]
    np.testing.assert_allclose(r.final("craft.rotor_speeds"), expected, rtol=1e-9)


def test_a_battery_sags_under_load_and_drains() -> None:
    """Against the quadratic for the voltage, and the charge by SciPy, with the rotors at their commands."""
    vehicle = load_vehicle("crazyflie").replaced(
        battery=bd.robots.Battery(full=4.2, empty=3.0, capacity=0.02, resistance=0.4, efficiency=0.3)
    )
    r = flown(
        np.full(4, 0.75), None, {"stop": 20.0, "rtol": 1e-8, "atol": 1e-10}, vehicle=vehicle, motors=True,
        commands=True, battery=True,
    )  # fmt: skip
    k = vehicle.rotors[0].torque

    def volts(charge: float, power: float) -> float:
        V_o = 3.0 + 1.2 * charge
        return float(np.roots([1.0, -V_o, 0.4 * power]).max())  # V^2 - V_o V + R P = 0

    def slopes(t: float, y: Array) -> list[float]:
        power = 4 * k * y[0] ** 3 / 0.3
        V = volts(y[1], power)
        wanted = 0.75 * 2618.0 * V / 4.2
        return [(wanted - y[0]) / (0.0125 if wanted > y[0] else 0.025), -power / V / (3600 * 0.02)]

    hover = abs(float(vehicle.hover_speeds()[0]))
    exact = solve_ivp(slopes, (0, 20.0), [hover, 1.0], rtol=1e-9, atol=1e-12, method="LSODA").y[:, -1]
    speed, charge = abs(r.final("craft.rotor_speeds")[0]), r.final("craft.battery")[2]
    np.testing.assert_allclose([speed, charge], exact, rtol=1e-6)
    assert r.final("craft.battery")[0] == pytest.approx(volts(charge, 4 * k * speed**3 / 0.3), rel=1e-9)
    assert charge < 0.9


def test_outputs_of_attitude_agree_and_the_matrix_stays_a_rotation() -> None:
    """Over 1000 s of tumbling: R'R = 1, det R = 1, and all outputs tell one attitude."""
    r = flown(
        np.zeros(4), None, {"stop": 1000.0, "rtol": 1e-8, "atol": 1e-10, "times": [0.0, 500.0, 1000.0]},
        vehicle="x4", initial_rates=[0.5, 0.7, -0.2], initial_attitude=[0.3, -0.2, 1.0],
    )  # fmt: skip
    for k in range(3):
        R = r["craft.rotation"].values[k]
        np.testing.assert_allclose(R.T @ R, np.eye(3), atol=1e-14)
        assert np.linalg.det(R) == pytest.approx(1.0, abs=1e-14)
        quaternion = Rotation.from_quat(r["craft.quaternion"].values[k], scalar_first=True)
        np.testing.assert_allclose(quaternion.as_matrix(), R, atol=1e-14)
        roll, pitch, yaw = r["craft.rpy"].values[k]
        np.testing.assert_allclose(Rotation.from_euler("ZYX", [yaw, pitch, roll]).as_matrix(), R, atol=1e-13)
        np.testing.assert_allclose(r["craft.state"].values[k, 3:6], [yaw, pitch, roll], atol=1e-14)
        v, body = r["craft.velocity"].values[k], r["craft.body_velocity"].values[k]
        np.testing.assert_allclose(R @ body, v, atol=1e-9)
    assert abs(np.linalg.norm(np.stack([r[f"craft.q[{i}]"].values[-1] for i in range(4)])) - 1.0) < 1e-6
    momentum = (
        r["craft.rotation"].values @ (np.array([0.082, 0.082, 0.149]) * r["craft.rates"].values)[:, :, None]
    )
    np.testing.assert_allclose(momentum[-1], momentum[0], rtol=1e-4)


def test_gimbal_lock_breaks_nothing_and_is_told() -> None:
    """Through a pitch of 90 degrees at a steady rate: only the angles are flagged."""
    r = flown(
        np.zeros(4), None, {"times": [0.25, 0.5, 1.0]}, vehicle="x4", initial_rates=[0, pi, 0],
    )  # fmt: skip
    assert r["craft.gimbal_lock"].values.tolist() == [0.0, 1.0, 0.0]
    np.testing.assert_allclose(r["craft.rates"].values, [[0, pi, 0]] * 3, atol=1e-12)
    turned = Rotation.from_rotvec([0, pi, 0]).as_matrix()
    np.testing.assert_allclose(r["craft.rotation"].values[2], turned, atol=1e-9)


def test_a_rotor_that_fails_rolls_the_hexarotor_towards_it() -> None:
    vehicle = load_vehicle("neo")
    health = np.array([1.0, 0.0, 1.0, 1.0, 1.0, 1.0])  # rotor 2 is on the left
    r = flown(vehicle.hover_speeds(), {"health": health}, {"stop": 1e-3}, vehicle=vehicle)
    thrust = 6.8e-6 * vehicle.hover_speeds()[1] ** 2
    rates = r.final("craft.rates")
    assert rates[0] == pytest.approx(-thrust * np.cos(np.radians(5)) * 0.24939 / 0.0331 * 1e-3, rel=1e-2)
    gone = vehicle.failure(2)
    np.testing.assert_allclose(
        flown(vehicle.hover_speeds(), None, {"stop": 1e-3}, vehicle=gone).final("craft.rates"),
        rates,
        rtol=1e-12,
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"vehicle": "crazyfly"}, "did you mean `crazyflie`"),
        (
            {"vehicle": "octorotor", "motors": True},
            "time_up and time_down of every rotor: octorotor has none",
        ),
        ({"vehicle": "crazyflie", "flapping": "published"}, "radius and blades of every rotor"),
        ({"vehicle": "hummingbird", "motors": True, "gyroscopic": True}, "the inertia of every rotor"),
        ({"vehicle": "hummingbird", "motors": True, "battery": True}, "a battery"),
        ({"vehicle": "octorotor", "ground_effect": True}, "the radius of every rotor"),
        ({"vehicle": "crazyflie", "commands": True}, "motors: true as well"),
        ({"vehicle": "crazyflie", "initial_speeds": [1.0]}, "4 numbers"),
        ({"vehicle": "crazyflie", "initial_attitude": [0, 0, 0, 0]}, "expected"),
        ({"vehicle": "crazyflie", "flapping": "wild"}, "one of 'none', 'published'"),
        ({"vehicle": {"name": "x4", "inertia": [1, 1, 3]}}, "triangle inequality"),
    ],
)
def test_what_cannot_fly_is_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(bd.ParameterError, match=message):
        bd.NRotor(**options)


VEHICLE = """\
vehicle: mine
mass: 2.0
inertia: [0.01, 0.01, 0.02]
rotor: {thrust: 1e-5, torque: 1e-7}
rotors:
  - {place: [0.2, 0, 0], spin: 1}
  - {place: [-0.1, 0.17, 0], spin: -1}
  - {place: [-0.1, -0.17, 0], spin: 1}
"""
FLIGHT = """\
blockdyn: 1
parameters: {load: 0.5}
blocks:
  drive: {type: Constant, value: [0, 0, 0]}
  craft: {type: NRotor, vehicle: mine.yaml}
wires: [drive -> craft.omega]
"""


def test_vehicles_in_yaml_by_file_mapping_and_expression(tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text(VEHICLE)
    path = tmp_path / "flight.yaml"
    for text, mass in (
        ("mine.yaml", 2.0), ("{file: mine.yaml, mass: 3}", 3.0),
        ("{file: mine.yaml, payload: {mass: =load}}", 2.5), ("crazyflie", 0.027),
    ):  # fmt: skip
        count = 4 if text == "crazyflie" else 3
        path.write_text(
            FLIGHT.replace("vehicle: mine.yaml", f"vehicle: {text}").replace("[0, 0, 0]", str([0] * count))
        )
        diagram = bd.load(path)
        assert diagram.compile().plan.units[0].block.model.mass == mass  # type: ignore[attr-defined]
    path.write_text(FLIGHT.replace("mine.yaml", "{name: x4, mas: 3}"))
    with pytest.raises(bd.DiagramError, match=r"flight.yaml:5.*unknown key `mas`, did you mean `mass`"):
        bd.load(path)


def test_a_vehicle_made_in_python_is_written_and_read_back() -> None:
    made = load_vehicle("x4").payload(0.3, [0.1, 0, 0]).failure(2, 0.5)
    d = bd.Diagram()
    craft = d.add("craft", bd.NRotor(vehicle=made, flapping="published"))
    d.connect(d.add("drive", bd.Constant(np.zeros(4))), craft["omega"])
    again = yaml.loads(bd.dumps(d))
    assert again.blocks["craft"].model == made  # type: ignore[union-attr]
    assert bd.dumps(again) == bd.dumps(d)


def test_a_sweep_reaches_the_vehicle_through_a_parameter(tmp_path: Path) -> None:
    """Still rotors fall alike; under the thrust of hover m g, a load of p kg falls with g p/(m + p)."""
    (tmp_path / "mine.yaml").write_text(VEHICLE)
    speed = float(np.sqrt(2.0 * 9.81 / 3e-5))
    text = FLIGHT.replace("mine.yaml", "{file: mine.yaml, payload: {mass: =load}}")
    diagram = yaml.loads(text.replace("[0, 0, 0]", str([speed, -speed, speed])), folder=tmp_path)
    sweep = bd.Sweep(
        diagram, axes={"load": [0.0, 0.5, 1.0]}, measures={"a": {"final": "craft.acceleration[2]"}},
        stop=1e-6,
    )  # fmt: skip
    loads = np.array([0.0, 0.5, 1.0])
    expected = 9.81 * loads / (2.0 + loads)
    np.testing.assert_allclose(sweep.run(progress=False).dataset["a"], expected, atol=1e-6)
    run = diagram.simulate(stop=1e-6, set={"craft.vehicle.payload.mass": 1.0}, log=["craft.acceleration"])
    np.testing.assert_allclose(run.final("craft.acceleration")[2], expected[-1], atol=1e-6)
