"""NRotor with a payload that changes in flight: as two bodies that hold each other, and by closed forms."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

import blockdyn as bd
from blockdyn.robots import load_vehicle

Array = NDArray[np.float64]
TIGHT: dict[str, Any] = {"rtol": 1e-11, "atol": 1e-13}
NEO = load_vehicle("neo")
AT, GYRATION = np.array([0.15, -0.1, 0.2]), np.array([0.03, 0.05, 0.04])


def diagram(omega: Any, mass: bd.Block, **options: Any) -> bd.Diagram:
    d = bd.Diagram()
    craft = d.add("craft", bd.NRotor(payload=True, **options))
    d.connect(d.add("drive", bd.Constant(omega)), craft["omega"])
    d.connect(d.add("mass", mass), craft["payload"])
    d.log(craft)
    return d


def two_bodies(m: float, R: Array, w: Array, force: Array, moment: Array) -> tuple[Array, Array]:
    """Accelerations of the vehicle and of its attitude, with the force f and moment t that carry the payload.

    m1 a1 = m1 g + R (F - f)             J dw/dt = M - t - r x f - w x J w
    m2 a2 = m2 g + R f                   I dw/dt = t - w x I w
    a2 = a1 + R (dw/dt x r + w x (w x r))
    """
    J, own, one = np.array(NEO.inertia), m * np.diag(GYRATION**2), np.eye(3)
    across = np.cross(AT, one).T  # across f = r x f
    A, b = np.zeros((12, 12)), np.zeros(12)  # of a1, dw/dt, f, t
    A[:3, :3], A[:3, 6:9] = NEO.mass * one, R
    A[3:6, 3:6], A[3:6, 6:9], A[3:6, 9:] = J, across, one
    A[6:9, :3], A[6:9, 3:6], A[6:9, 6:9] = m * one, -m * R @ across, -R
    A[9:, 3:6], A[9:, 9:] = own, -one
    weight = np.array([0.0, 0.0, 9.81])
    b[:3], b[3:6] = NEO.mass * weight + R @ force, moment - np.cross(w, J @ w)
    b[6:9] = m * (weight - R @ np.cross(w, np.cross(w, AT)))
    b[9:] = -np.cross(w, own @ w)
    x = np.linalg.solve(A, b)
    return x[:3], x[3:6]


@pytest.fixture(scope="module")
def flying() -> bd.Diagram:
    made = {
        "payload_at": AT,
        "payload_gyration": GYRATION,
        "vehicle": NEO,
        "motors": True,
        "gyroscopic": True,
    }
    return diagram(1.1 * NEO.hover_speeds(), bd.Constant(0.7), rotor_drag=True, **made)


@pytest.mark.parametrize("seed", range(6))
def test_moves_as_two_bodies_that_hold_each_other(flying: bd.Diagram, seed: int) -> None:
    rng = np.random.default_rng(seed)
    q, w, m = rng.normal(size=4), rng.uniform(-4, 4, 3), rng.uniform(0.1, 3.0)
    speeds = NEO.hover_speeds() * rng.uniform(0.7, 1.3, 6)
    start = {
        "initial_attitude": q, "initial_rates": w, "initial_velocity": rng.uniform(-5, 5, 3),
        "initial_speeds": speeds,
    }  # fmt: skip
    r = flying.simulate(stop=1e-9, set={"mass.value": m, **{f"craft.{k}": v for k, v in start.items()}})
    first = {
        name: r[f"craft.{name}"].values[0] for name in ("forces", "acceleration", "angular_acceleration")
    }
    shafts = -NEO.axes
    slopes = (1.1 * NEO.hover_speeds() - speeds) / 0.0182
    moment = first["forces"][9:12] - (NEO.numbers("inertia") * slopes) @ shafts
    R = Rotation.from_quat(q, scalar_first=True).as_matrix()
    linear, angular = two_bodies(m, R, w, first["forces"][6:9], moment)
    np.testing.assert_allclose(first["acceleration"], linear, rtol=1e-10, atol=1e-10)
    np.testing.assert_allclose(first["angular_acceleration"], angular, rtol=1e-10, atol=1e-10)
    felt = R.T @ (linear - [0, 0, 9.81])
    np.testing.assert_allclose(r["craft.specific_force"].values[0], felt, rtol=1e-10, atol=1e-10)


def test_a_spinning_pair_parts_along_tangents() -> None:
    """In free space, about their common centre of mass: the vehicle circles, and leaves in a straight line.

    With r along x: radius c = m2/(m1 + m2) r, speed w c; the spin goes on as it was.
    """
    m2, r, spin, t1 = 0.5, 0.4, 2.0, 1.0
    c = m2 / (NEO.mass + m2) * r
    d = diagram(
        np.zeros(6), bd.Step(time=t1, initial=m2, final=0.0), vehicle=NEO.with_gravity(0.0),
        payload_at=[r, 0, 0], payload_gyration=[0.1, 0.1, 0.1], initial_rates=[0, 0, spin],
        initial_position=[-c, 0, 0], initial_velocity=[0, -spin * c, 0],
    )  # fmt: skip
    out = d.simulate(stop=3.0, times=[0.6, t1, 3.0], **TIGHT)
    angle = spin * np.array([0.6, t1])
    circle = -c * np.column_stack([np.cos(angle), np.sin(angle), 0 * angle])
    np.testing.assert_allclose(out["craft.position"].values[:2], circle, atol=1e-11)
    tangent = -spin * c * np.array([-np.sin(angle[1]), np.cos(angle[1]), 0.0])
    np.testing.assert_allclose(out.final("craft.velocity"), tangent, atol=1e-11)
    np.testing.assert_allclose(out.final("craft.position"), circle[1] + 2.0 * tangent, atol=1e-11)
    np.testing.assert_allclose(out.final("craft.rates"), [0, 0, spin], atol=1e-12)


def test_a_payload_that_stays_is_the_vehicle_with_it() -> None:
    """`Multirotor.payload` tells of the common centre of mass; both are one motion."""
    m, c = 0.6, 0.6 / (NEO.mass + 0.6) * AT
    whole = NEO.payload(0.6, AT, 0.6 * GYRATION**2)
    w, drive = np.array([0.3, -0.2, 0.5]), 1.2 * NEO.hover_speeds()
    d = diagram(
        drive, bd.Constant(m), vehicle=NEO, payload_at=AT, payload_gyration=GYRATION, initial_rates=w,
    )  # fmt: skip
    craft = d.add("whole", bd.NRotor(vehicle=whole, initial_rates=w, initial_position=c,
                                     initial_velocity=np.cross(w, c)))  # fmt: skip
    d.connect("drive", craft["omega"])
    d.log(craft)
    r = d.simulate(stop=1.0, **TIGHT)
    np.testing.assert_allclose(r.final("craft.rotation"), r.final("whole.rotation"), atol=1e-9)
    centre = r.final("craft.position") + r.final("craft.rotation") @ c
    np.testing.assert_allclose(centre, r.final("whole.position"), atol=1e-9)


def test_taken_up_in_hover_it_falls_and_on_the_ground_it_is_lifted_later() -> None:
    """Under the thrust m1 g: g m2/(m1 + m2) downwards. On the ground: 4 b (c t)^2 = (m1 + m2) g."""
    x4 = load_vehicle("x4").replaced(gear=0.1)
    d = diagram(x4.hover_speeds(), bd.Step(time=0.5, final=1.0), vehicle=x4, payload_at=[0, 0, 0.1])
    spins = d.add("spins", bd.Gain(x4.spins))
    d.connect(d.add("ramp", bd.Ramp(slope=400.0)), spins)
    riser = d.add("riser", bd.NRotor(
        vehicle=x4, payload=True, payload_at=[0.02, 0, 0.1], ground=True, initial_position=[0, 0, -0.1],
    ))  # fmt: skip
    d.connect(spins, riser["omega"])
    d.connect("mass", riser["payload"])
    r = d.simulate(stop=2.5, **TIGHT)
    assert r.final("craft.position")[2] == pytest.approx(0.5 * 9.81 / 5.0 * 2.0**2, rel=1e-9)
    lifted = [event.time for event in r.events if event.path.startswith("riser")]
    assert lifted[0] == pytest.approx(np.sqrt(5.0 * 9.81 / (4 * x4.rotors[0].thrust)) / 400.0, abs=1e-9)


def test_no_such_payload() -> None:
    for options, message in (
        ({"payload_at": [0, 1]}, "three numbers"),
        ({"payload_gyration": [0.1, 0, 0]}, "no square above the sum"),
        ({"payload_gyration": [-0.1, 0.1, 0.1]}, "payload_gyration"),
    ):
        with pytest.raises(bd.ParameterError, match=message):
            bd.NRotor(vehicle="x4", payload=True, **options)
    d = bd.Diagram()
    craft = d.add("craft", bd.NRotor(vehicle="x4", payload=True))
    d.connect(d.add("drive", bd.Constant(np.zeros(4))), craft["omega"])
    with pytest.raises(bd.DiagramError, match=r"craft.*payload"):
        d.simulate(stop=1.0)
