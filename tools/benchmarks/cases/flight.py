"""A Hummingbird along a figure eight, 10 s: motors that lag, drag of rotors and body, steady wind."""

from __future__ import annotations

from math import pi, sin
from typing import Any

import numpy as np

from ..contract import Candidate
from ..peers import ATOL, DRAKE_NOTE, RTOL, drake_candidate, drake_simulator

TITLE = "Hummingbird along a figure eight in the wind, 10 s, rtol 1e-6"
STOP = 10.0
LENGTH, WIDTH, PACE, HEIGHT = 6.0, 3.0, 1.2, 2.0  # m, m, rad/s, m
WIND = (3.0, 1.0, 0.0)  # m/s, in axes x forward, y right, z down
LAG = 0.05  # s
REFERENCE = (-2.92383015, 0.62724581, -1.99558661)  # DOP853 at 1e-12, Tsitouras at 1e-11
REQUIRED = {"rotorpy": 500.0, "drake": 5.0}
SLOW = frozenset({"rotorpy"})


def diagram() -> Any:
    """Flight, cascade, mixer, vehicle and wind: five blocks."""
    import blockdyn as bd

    d = bd.Diagram("flight")
    eight = d.add(
        "eight", bd.FigureEight(length=LENGTH, width=WIDTH, frequency=PACE, ramp=2.0, centre=[0, 0, -HEIGHT])
    )
    model = {"name": "hummingbird", "linear_drag": [0.22, 0.22, 0.44]}  # four rotors in hovering flight
    control = d.add("control", bd.CascadeControl(model, against_drag=True))
    mixer = d.add("mixer", bd.MotorMixer("hummingbird"))
    vehicle = d.add(
        "vehicle",
        bd.NRotor(
            "hummingbird", motors=True, rotor_drag=True, body_drag=True, initial_position=[0, 0, -HEIGHT]
        ),
    )
    d.connect(vehicle["*"], control["*"])
    d.connect(eight["*"], control["*_ref"])
    d.connect(control["*"], mixer["*"])
    d.connect(mixer["omega"], vehicle["omega"])
    d.connect(d.add("wind", bd.Constant(WIND)), vehicle["wind"])
    return d


def ours() -> Candidate:
    program = diagram().compile()
    last: list[Any] = [None]

    def run() -> None:
        last[0] = program.simulate(stop=STOP, method="dopri5", rtol=RTOL, atol=ATOL, log=["vehicle.position"])

    note = "CascadeControl, MotorMixer and NRotor with motors and drag; every step logged"
    return Candidate(run, lambda: [float(x) for x in last[0].final("vehicle.position")], note=note)


class Eight:
    """The same eight for RotorPy, in its axes: x forward, y left, z up."""

    def update(self, t: float) -> dict[str, Any]:
        a, b, w, v = LENGTH / 2, WIDTH / 2, PACE, 2 * PACE
        scale = ((a, w), (-b, v))
        derivatives = [
            np.array([*(k * rate**order * sin(rate * t + order * pi / 2) for k, rate in scale), 0.0])
            for order in range(5)
        ]
        derivatives[0][2] = HEIGHT
        names = ("x", "x_dot", "x_ddot", "x_dddot", "x_ddddot")
        return {**dict(zip(names, derivatives)), "yaw": 0.0, "yaw_dot": 0.0, "yaw_ddot": 0.0}


def rotorpy() -> Candidate:
    """Its Hummingbird, whose numbers ours are, with its controller on SE(3) at 100 Hz, in its own loop."""
    from rotorpy.controllers.quadrotor_control import SE3Control
    from rotorpy.environments import Environment
    from rotorpy.vehicles.hummingbird_params import quad_params
    from rotorpy.vehicles.multirotor import Multirotor
    from rotorpy.wind.default_winds import ConstantWind

    parameters = {**quad_params, "tau_m": LAG}
    start = {
        "x": np.array([0.0, 0.0, HEIGHT]), "v": np.array([LENGTH / 2 * PACE, -WIDTH * PACE, 0.0]),
        "q": np.array([0.0, 0.0, 0.0, 1.0]), "w": np.zeros(3), "wind": np.zeros(3),
        "rotor_speeds": np.full(4, 469.0),
    }  # fmt: skip
    last: list[Any] = [None]

    def run() -> None:
        vehicle = Multirotor(parameters, initial_state=start, control_abstraction="cmd_motor_speeds")
        world = Environment(
            vehicle=vehicle, controller=SE3Control(parameters), trajectory=Eight(),
            wind_profile=ConstantWind(WIND[0], -WIND[1], 0.0), sim_rate=100,
        )  # fmt: skip
        last[0] = world.run(t_final=STOP, use_mocap=False, terminate=False, plot=False, verbose=False)

    note = (
        "RotorPy: RK45 at its default tolerance between samples of 10 ms; error: the distance from the eight"
    )
    ends = Eight().update(STOP)["x"]
    return Candidate(run, lambda: [float(x) for x in last[0]["state"]["x"][-1]], reference=ends, note=note)


def drake() -> Candidate:
    """Its rigid QuadrotorPlant under its regulator about hover: no motors, no drag, nothing to follow."""
    from pydrake.examples import QuadrotorPlant, StabilizingLQRController
    from pydrake.systems.framework import DiagramBuilder

    builder = DiagramBuilder()
    plant = builder.AddSystem(QuadrotorPlant())
    control = builder.AddSystem(StabilizingLQRController(plant, [0.0, 0.0, HEIGHT]))
    builder.Connect(control.get_output_port(0), plant.get_input_port(0))
    builder.Connect(plant.get_output_port(0), control.get_input_port(0))
    simulator = drake_simulator(builder.Build(), longest_step=0.1)
    state = simulator.get_mutable_context().get_mutable_continuous_state_vector()
    state.SetFromVector([1.0, -1.0, HEIGHT + 0.5, 0.2, -0.1, 0.3, *[0.0] * 6])
    note = DRAKE_NOTE + "; a rigid body that comes to rest: less than ours does"
    return drake_candidate(simulator, STOP, states=(0, 1, 2), reference=(0.0, 0.0, HEIGHT), note=note)


ENGINES = {"ours": ours, "rotorpy": rotorpy, "drake": drake}
