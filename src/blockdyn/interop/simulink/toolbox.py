"""The Robotics Toolbox's library roblocks and MATLAB Function blocks become blocks of blockdyn."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...blocks.discontinuous.saturation import Saturation
from ...blocks.drives.velocity_loop import VelocityLoop
from ...blocks.driving.pure_pursuit import PurePursuit
from ...blocks.mathematics.angle_difference import AngleDifference
from ...blocks.mathematics.expression import Expression
from ...blocks.mathematics.gain import Gain
from ...blocks.mathematics.matrix_gain import MatrixGain
from ...blocks.matrices.matrix_inverse import MatrixInverse
from ...blocks.matrices.matrix_product import MatrixProduct
from ...blocks.matrices.norm import Norm
from ...blocks.matrices.pseudo_inverse import PseudoInverse
from ...blocks.poses.euler_to_pose import EulerToPose
from ...blocks.poses.pose_inverse import PoseInverse
from ...blocks.poses.pose_product import PoseProduct
from ...blocks.poses.pose_to_euler import PoseToEuler
from ...blocks.poses.pose_to_rpy import PoseToRPY
from ...blocks.poses.pose_to_xyz import PoseToXYZ
from ...blocks.poses.rpy_to_pose import RPYToPose
from ...blocks.poses.tr2delta import Tr2Delta
from ...blocks.poses.xyz_to_pose import XYZToPose
from ...blocks.routing.bus_creator import BusCreator
from ...blocks.routing.bus_selector import BusSelector
from ...blocks.routing.demux import Demux
from ...blocks.routing.mux import Mux
from ...blocks.routing.selector import Selector
from ...blocks.sources.constant import Constant
from ...blocks.sources.piecewise_linear import PiecewiseLinear
from ...blocks.sources.sine import Sine
from ...blocks.trajectories.joint_trajectory import JointTrajectory
from ...blocks.vehicles.quadrotor import Quadrotor
from ...blocks.wheels.bicycle import Bicycle
from ...blocks.wheels.unicycle import Unicycle
from .arms import (
    cartesian_inertia,
    dynamics,
    fkine,
    gravload,
    ikine,
    inertia,
    interpreted_function,
    jacobian,
    joints,
    rne,
    s_function,
    s_function_size,
)
from .sources import nothing
from .use import Ends, Maker, Shape, Untranslated, Use, local_shape


def velocity_loop(use: Use) -> Ends:
    return use.single(
        VelocityLoop(
            J=use.number("J"), B=use.number("B"), Km=use.number("Km"), tau_max=use.number("tau_max"),
            Kv=use.number("Kv"), Ki=use.number("Ki"), sample_time=use.number("T"),
        )
    )  # fmt: skip


def quadrotor(use: Use) -> Ends:
    """The X-4 flyer, from a position.

    The library's moment T x r has the opposite sign of r x T: opposite rotors change places to reproduce it.
    """
    start = [*use.vector("x0", "[0 0 0]"), *[0.0] * 12][:12]
    if use.flag("groundflag", "off"):
        use.difference("the ground at z = 0 does not hold the vehicle")
    name = use.add(
        Quadrotor(
            hub_height=0.007,
            initial_position=start[:3], initial_attitude=start[5:2:-1], initial_velocity=start[6:9],
            initial_rates=start[11:8:-1],
        )
    )  # fmt: skip
    fields, bus = (
        use.add(BusSelector([s.lower() for s in STATE]), "fields"),
        use.add(BusCreator(STATE), "bus"),
    )
    use.wire(f"{name}.state", f"{fields}.u")
    for field in STATE:
        use.wire(f"{fields}.{field.lower()}", f"{bus}.{field}")
    opposite = use.add(Selector(indices=[2, 3, 0, 1]), "rotors")
    use.wire(f"{opposite}.y", f"{name}.omega")
    return Ends({1: [f"{opposite}.u"]}, [f"{bus}.y"])


def mixer(use: Use) -> Ends:
    """Thrusts of four rotors from three torques and the total, limited; speeds with the signs 1 -1 1 -1."""
    rows = [[0.0, 1.0, 1.0, 0.25], [-1.0, 0.0, -1.0, 0.25], [0.0, -1.0, 1.0, 0.25], [1.0, 0.0, -1.0, 0.25]]
    b: Any = Quadrotor().b
    mux, mixed = use.add(Mux(count=4), "demands"), use.add(MatrixGain(rows), "thrusts")
    limit = use.add(Saturation(lower=use.number("minrot", "0"), upper=use.number("maxrot", "1000")), "limits")
    speed = use.add(Expression("sign(u) * sqrt(abs(u) / b)", coefficients={"b": float(b)}), "speeds")
    turn = use.add(Gain([1.0, -1.0, 1.0, -1.0]))
    for source, target in (
        (f"{mux}.y", f"{mixed}.u"),
        (f"{mixed}.y", f"{limit}.u"),
        (f"{limit}.y", f"{speed}.u"),
        (f"{speed}.y", f"{turn}.u"),
    ):
        use.wire(source, target)
    return Ends({k + 1: [f"{mux}.u{k}"] for k in range(4)}, [f"{turn}.y", f"{mixed}.y"])


def bicycle(use: Use) -> Ends:
    """x, y and theta of a vehicle whose speed and steering are limited."""
    rate = use.number("accel", "inf")
    steer = use.number("steer_rate", "inf")
    options: dict[str, Any] = {
        "wheelbase": use.number("L", "1"), "initial_pose": use.vector("x0", "[0 0 0]"),
        "speed_limit": use.number("vlim", "1"), "steering_limit": min(use.number("alim", "2"), 1.5707),
    }  # fmt: skip
    if math.isfinite(rate):
        options["acceleration"] = rate
    if math.isfinite(steer):
        options["steering_rate"] = steer
    return _vehicle(use, Bicycle, options)


def _vehicle(use: Use, kind: Any, options: dict[str, Any]) -> Ends:
    """A vehicle with outputs x, y, theta; a limited rate begins at the input, or at 0 if it is sampled."""
    ends = use.single(kind(**options))
    block = ends.outputs[0].partition(".")[0]
    rates = use.translator.rates.of_inputs(use.block)
    limited = {
        "initial_speed": (0, "acceleration", "speed_limit"),
        "initial_steering": (1, "steering_rate", "steering_limit"),
    }
    for name, (port, rate, limit) in limited.items():
        if rate in options and not rates[port].sampled:

            def start(value: float, name: str = name, limit: str = limit) -> Any:
                options[name] = float(np.clip(value, -options[limit], options[limit]))
                return kind(**options)

            use.begin_at(block, ends.inputs[port + 1][0], start)
    parts = use.add(Demux(counts=[1, 1, 1]), "pose")
    use.wire(f"{block}.pose", f"{parts}.u")
    return Ends(ends.inputs, [f"{parts}.y{k}" for k in range(3)])


def unicycle(use: Use) -> Ends:
    """x, y and theta; the frame shift `a` of the library has a wrong sign."""
    if use.number("a", "0"):
        raise Untranslated("a shifted frame, whose rotation has a wrong sign in the library")
    options: dict[str, Any] = {
        "initial_pose": use.vector("x0", "[0 0 0]"),
        "turn_limit": use.number("wlim", "2"),
        "speed_limit": use.number("vlim", "1"),
    }
    rate = use.number("alim", "1")
    if math.isfinite(rate):
        options["acceleration"] = rate
    return _vehicle(use, Unicycle, options)


def circle(use: Use) -> Ends:
    radius, frequency = use.number("radius", "1"), 2 * math.pi * use.number("freq", "0.2")
    return use.single(Sine([radius, radius], frequency=frequency, phase=[math.pi / 2, 0.0]))


def trajectory(use: Use) -> Ends:
    """A quintic or trapezoidal motion of joints; in the Toolbox a table of 101 points, linear in between."""
    trapezoidal = use.block.kind.endswith("lspb")
    block = JointTrajectory(
        q0=use.plain("q0"),
        qf=use.plain("qf"),
        duration=use.number("tmax"),
        method="trapezoidal" if trapezoidal else "quintic",
    )
    use.difference("the motion is exact here, and a table of points in the library")
    return use.single(block, outputs=["q", "qd", "qdd"])


def pursuit(use: Use) -> Ends:
    """The point of a path at the look-ahead distance; here it moves only along the path."""
    use.difference("the point moves along the path and never jumps to another part of it")
    pose = use.add(Mux(count=2), "pose")
    zero = use.add(Constant(0.0), "heading")
    name = use.add(PurePursuit(waypoints=use.matrix("path"), look_ahead=use.number("R", "5")))
    use.wire(f"{zero}.y", f"{pose}.u1")
    use.wire(f"{pose}.y", f"{name}.pose")
    return Ends({1: [f"{pose}.u0"]}, [f"{name}.target"])


def segments(use: Use) -> Ends:
    """Straight segments between via points, each as fast as its slowest axis allows, without blends."""
    scope = use.block.inner.scope if use.block.inner is not None else use.block.system.scope
    path = np.atleast_2d(np.asarray(scope["path"], float))
    speed, step = np.asarray(scope["vaxis"], float).ravel(), float(np.asarray(scope["dt"]).ravel()[0])
    if np.any(np.asarray(scope["tacc"]) != 0) or np.size(scope["tseg"]):
        raise Untranslated("a trajectory with blends or given times", "use a MultiSegment here")
    durations = np.max(np.abs(np.diff(path, axis=0)) / speed, axis=1)
    times = np.concatenate([[0.0], np.cumsum(np.ceil(durations / step - 1e-9) * step)])
    return use.single(PiecewiseLinear(times=times.tolist(), values=path.tolist()))


def angle_difference(use: Use) -> Ends:
    name = use.add(AngleDifference())
    if use.block.inputs == 1:
        zero = use.add(Constant(0.0), "zero")
        use.wire(f"{zero}.y", f"{name}.u1")
        return Ends({1: [f"{name}.u0"]}, [f"{name}.y"])
    return Ends({1: [f"{name}.u0"], 2: [f"{name}.u1"]}, [f"{name}.y"])


def norm(use: Use) -> Ends:
    return use.single(Norm() if local_shape(use.shape(1)) else Expression("abs(u)"))


def _parts(use: Use, name: str, output: str, scale: float = 1.0) -> list[str]:
    """The three elements of an output, times a factor."""
    signal = f"{name}.{output}"
    if scale != 1.0:
        factor = use.add(Gain(scale), "degrees")
        use.wire(signal, f"{factor}.u")
        signal = f"{factor}.y"
    parts = use.add(Demux(counts=[1, 1, 1]), "parts")
    use.wire(signal, f"{parts}.u")
    return [f"{parts}.y{k}" for k in range(3)]


def to_xyz(use: Use) -> Ends:
    name = use.add(PoseToXYZ())
    return Ends({1: [f"{name}.T"]}, _parts(use, name, "xyz"))


def from_xyz(use: Use) -> Ends:
    mux, name = use.add(Mux(count=3), "xyz"), use.add(XYZToPose())
    use.wire(f"{mux}.y", f"{name}.xyz")
    return Ends({k + 1: [f"{mux}.u{k}"] for k in range(3)}, [f"{name}.T"])


def _degrees(use: Use) -> bool:
    return use.text("degrees", "off") in ("on", "1", "degrees")


def to_angles(use: Use) -> Ends:
    """Roll, pitch, yaw, or the Euler angles, in rad or degrees."""
    scale = 180 / math.pi if _degrees(use) else 1.0
    if use.block.kind.endswith("eul"):
        name = use.add(PoseToEuler())
        return Ends({1: [f"{name}.T"]}, _parts(use, name, "euler", scale))
    name = use.add(PoseToRPY(use.text("sequence", "ZYX").strip("'").lower()))
    return Ends({1: [f"{name}.T"]}, _parts(use, name, "rpy", scale))


def from_angles(use: Use) -> Ends:
    euler = "eul2T" in use.block.kind
    name = use.add(EulerToPose() if euler else RPYToPose(use.text("sequence", "ZYX").strip("'").lower()))
    mux = use.add(Mux(count=3), "angles")
    signal = f"{mux}.y"
    if _degrees(use):
        factor = use.add(Gain(math.pi / 180), "radians")
        use.wire(signal, f"{factor}.u")
        signal = f"{factor}.y"
    use.wire(signal, f"{name}.{'euler' if euler else 'rpy'}")
    return Ends({k + 1: [f"{mux}.u{k}"] for k in range(3)}, [f"{name}.T"])


def pose_difference(use: Use) -> Ends:
    """The motion from the first pose to the second."""
    return use.single(Tr2Delta())


def pose_inverse(use: Use) -> Ends:
    return use.single(PoseInverse())


def pose_product(use: Use) -> Ends:
    """A constant pose times the pose, or the pose times it."""
    before = "Pre" in use.block.kind
    pose = use.add(Constant(use.matrix("T" if before else "T2")), "constant")
    name = use.add(PoseProduct())
    ports = [port.name for port in use.diagram.blocks[name].input_ports()]
    use.wire(f"{pose}.y", f"{name}.{ports[0 if before else 1]}")
    return Ends(
        {1: [f"{name}.{ports[1 if before else 0]}"]},
        [f"{name}.{use.diagram.blocks[name].output_ports()[0].name}"],
    )


def inverse_jacobian(use: Use) -> Ends:
    shape = local_shape(use.shape(1))
    return use.single(MatrixInverse(n=shape[0] if shape else 6))


def jacobian_step(use: Use) -> Ends:
    """Joint rates pinv(J) e, and the condition number of J."""
    shape = local_shape(use.shape(1))
    rows, columns = shape if len(shape) == 2 else (6, 6)
    inverse, name = use.add(PseudoInverse(rows=rows, columns=columns), "inverse"), use.add(MatrixProduct())
    use.wire(f"{inverse}.y", f"{name}.A")
    ends = use.add(Demux(counts=[1] * min(rows, columns)), "singular values")
    use.wire(f"{inverse}.singular_values", f"{ends}.u")
    ratio = use.add(Expression("largest / smallest"), "condition")
    use.wire(f"{ends}.y0", f"{ratio}.largest")
    use.wire(f"{ends}.y{min(rows, columns) - 1}", f"{ratio}.smallest")
    return Ends({1: [f"{inverse}.u"], 2: [f"{name}.u"]}, [f"{name}.y", f"{ratio}.y"])


def _joint_vector(use: Use) -> list[Any]:
    return [(joints(use),)] * use.block.outputs


def _trajectory_size(use: Use) -> list[Any]:
    size: Shape = () if use.array("q0").size == 1 else (use.array("q0").size,)
    return [size] * 3


def _shapes(*shapes: Any) -> Any:
    return lambda use: list(shapes)


STATE = ("X", "Y", "Z", "yaw", "pitch", "roll", "dx", "dy", "dz", "dyaw", "dpitch", "droll")
SHAPES: dict[str, Any] = {
    "roblocks/RNE": _joint_vector, "roblocks/Robot": _joint_vector, "roblocks/gravload": _joint_vector,
    "roblocks/ikine": _joint_vector, "roblocks/fkine": _shapes((4, 4)), "roblocks/cinertia": _shapes((6, 6)),
    "roblocks/jacob0": lambda use: [(6, joints(use))], "roblocks/jacobn": lambda use: [(6, joints(use))],
    "roblocks/inertia": lambda use: [(joints(use),) * 2], "roblocks/jtraj": _trajectory_size,
    "roblocks/lspb": _trajectory_size, "roblocks/T2xyz": _shapes((), (), ()), "roblocks/T2eul": _shapes((),
    (), ()),
    "roblocks/T2rpy": _shapes((), (), ()), "roblocks/xyz2T": _shapes((4, 4)),
    "roblocks/eul2T": _shapes((4, 4)),
    "roblocks/rpy2T": _shapes((4, 4)), "roblocks/tr2delta": _shapes((6,)), "roblocks/tr2diff": _shapes((6,)),
    "roblocks/norm": _shapes(()), "roblocks/Circle": _shapes((2,)), "roblocks/pure pursuit": _shapes((2,)),
    "roblocks/Bicycle": _shapes((), (), ()), "roblocks/Unicycle": _shapes((), (), ()),
    "roblocks/vloop": _shapes((), (), (), ()), "roblocks/Quadrotor": _shapes(dict.fromkeys(STATE, ())),
    "roblocks/Control Mixer 4": _shapes((4,), (4,)), "roblocks/Inverse": _shapes((4, 4)),
    "roblocks/mstraj": lambda use: [(2,)], "roblocks/Pre multiply": _shapes((4, 4)),
    "roblocks/Post multiply": _shapes((4, 4)),
    "S-Function": s_function_size,
    "M-S-Function": lambda use: [(4,)],
    "roblocks/pinvJac": lambda use: [None if use.shapes[0] is None else (use.shapes[0][-1],), ()],
    "roblocks/invJac": lambda use: [None if use.shapes[0] is None else (use.shapes[0][-1],), ()],
}  # fmt: skip
TOOLBOX: dict[str, Maker] = {
    "roblocks/RNE": rne, "roblocks/Robot": dynamics, "roblocks/fkine": fkine, "roblocks/jacob0": jacobian,
    "roblocks/jacobn": jacobian, "roblocks/cinertia": cartesian_inertia, "roblocks/inertia": inertia,
    "roblocks/gravload": gravload, "roblocks/ikine": ikine, "roblocks/vloop": velocity_loop,
    "roblocks/Quadrotor": quadrotor, "roblocks/Control Mixer 4": mixer, "roblocks/Bicycle": bicycle,
    "roblocks/Unicycle": unicycle, "roblocks/Circle": circle, "roblocks/jtraj": trajectory,
    "roblocks/lspb": trajectory, "roblocks/pure pursuit": pursuit, "roblocks/angdiff": angle_difference,
    "roblocks/angdiff1": angle_difference, "roblocks/norm": norm, "roblocks/T2xyz": to_xyz,
    "roblocks/xyz2T": from_xyz, "roblocks/T2eul": to_angles, "roblocks/T2rpy": to_angles,
    "roblocks/eul2T": from_angles, "roblocks/rpy2T": from_angles, "roblocks/tr2delta": pose_difference,
    "roblocks/tr2diff": pose_difference, "roblocks/Inverse": pose_inverse,
    "roblocks/ijacob": inverse_jacobian,
    "roblocks/Pre multiply": pose_product, "roblocks/Post multiply": pose_product,
    "roblocks/pinvJac": jacobian_step, "roblocks/invJac": jacobian_step, "roblocks/mstraj": segments,
    "MATLABFcn": interpreted_function, "S-Function": s_function, "M-S-Function": s_function,
    "roblocks/plot": nothing, "roblocks/trprint": nothing, "roblocks/Quadrotor plot": nothing,
}  # fmt: skip
