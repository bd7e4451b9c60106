"""A robot is rebuilt from base parameters, with standard parameters near to the nominal ones."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..mechanics.regressor import BODY
from ..model.poses import skew
from ..model.robot import Robot
from ..model.table import LINK_P, LINK_R, MASS, PLACE_P
from .base_parameters import BaseParameters, IdentificationError

Array = NDArray[np.float64]

SHARE = 0.1  # of mass times length, or of the trace: the least size of a first moment, of an inertia
PROJECTIONS = 2000
INSIDE = 1e-4  # of the largest eigenvalue: the projection aims so far inside, so that it ends after few steps
LIGHT = 1e-3  # of the arm's largest numbers: how far a parameter of nominal 0 is ready to move
UNSURE = 1e-9  # relative, against rounding: a body at the limit of physics is feasible


@dataclass(frozen=True)
class Nearest:
    """A robot with given base parameters.

    robot      with the joints and names of the nominal one
    theta      its standard parameters, (p,), in the order of `functions.regressor`
    problems   sentences on numbers that no body or drive has; empty if the robot is physical
    """

    robot: Robot
    theta: Array
    problems: tuple[str, ...]


def nearest_robot(base: BaseParameters, values: ArrayLike) -> Nearest:
    """The robot that has these base parameters, (b,), and standard ones near to those of `base.robot`.

        theta = theta0 + D^2 B^T (B D^2 B^T)^-1 (values - B theta0)

    B is `base.mapping` and D the size of each standard parameter, so that it changes the least share of
    them. If a body is then impossible (a mass below 0, or moments that violate the triangle inequality),
    projections in turn onto these equations and onto possible bodies look for another theta. If there is
    none, the first remains, and `problems` reports its bodies. Base parameters determine all torques, and
    so the motion, whichever standard parameters stand for them.

    The change goes to the moving link of each joint; links fixed to it remain. A link without mass that needs
    a first moment starts from 1 kg. Friction or armature below 0 becomes 0 and is reported.
    Raises IdentificationError.
    Source: Sousa, Cortesao, Physical feasibility of robot base inertial parameter identification: A linear
    matrix inequality approach, Int. J. Robotics Research 33(6), 2014; the projections: Bauschke, Borwein,
    SIAM Review 38(3), 1996.
    """
    beta = np.asarray(values, np.float64)
    if beta.shape != (base.count,) or not np.isfinite(beta).all():
        raise IdentificationError("values", f"found shape {beta.shape}", f"({base.count},), finite numbers")
    theta0, sizes = _sizes(base)
    B = base.mapping
    theta = theta0 + sizes * np.linalg.lstsq(B * sizes, beta - B @ theta0, rcond=None)[0]
    places = [
        at for at, name in enumerate(base.standard.names) if name.startswith("m") and name[1:].isdigit()
    ]
    if any(_least_share(theta[at : at + BODY]) < -UNSURE for at in places):
        physical = _project(base, theta, beta, places)
        theta = theta if physical is None else physical
    return _build(base, theta)


def _sizes(base: BaseParameters) -> tuple[Array, Array]:
    """The standard parameters to start from, and how far each is ready to move."""
    arm, theta = base.robot.table(), base.standard.values.copy()
    length = _length(arm)
    heaviest = float(arm[:-1, MASS].max(initial=0.0)) or 1.0
    sizes, leads = np.abs(theta), set(base.columns.tolist())
    for at, name in enumerate(base.standard.names):
        if name.startswith("m") and name[1:].isdigit():
            if theta[at] == 0.0 and leads & {at + 1, at + 2, at + 3}:
                theta[at] = sizes[at] = 1.0
            sizes[at + 1 : at + 4] = np.maximum(sizes[at + 1 : at + 4], SHARE * sizes[at] * length)
            sizes[at + 4 : at + BODY] = np.maximum(
                sizes[at + 4 : at + BODY], SHARE * theta[at + 4 : at + 7].sum()
            )
        if sizes[at] == 0.0 and at in leads:
            sizes[at] = LIGHT * heaviest * max(length, 1.0)
    return theta, sizes


def _length(arm: Array) -> float:
    """The longest distance from joint to joint, m; 1 where all axes meet."""
    return float(np.abs(arm[:-1, PLACE_P : PLACE_P + 3]).max(initial=0.0)) or 1.0


def _least_share(ten: Array) -> float:
    """Least eigenvalue of a body's pseudo-inertia over its largest: below 0 for a body that cannot exist."""
    values = np.linalg.eigvalsh(_pseudo_inertia(ten))
    return float(values[0] / max(abs(values[-1]), abs(values[0]), 1e-300))


def _project(base: BaseParameters, theta: Array, beta: Array, places: list[int]) -> Array | None:
    """Standard parameters of possible bodies and drives with these base parameters, or None."""
    length, count = _length(base.robot.table()), len(theta)
    # Coordinates in which the squared distance of two bodies is the Frobenius norm of the difference of their
    # pseudo-inertias, lengths in units of the arm's: cutting eigenvalues below 0 is then the projection.
    unit = np.diag([1.0 / length] * 3 + [1.0])
    to_matrix = np.array([(unit @ _pseudo_inertia(row) @ unit).ravel() for row in np.eye(BODY)]).T
    from_matrix = np.linalg.pinv(to_matrix)
    metric = np.ones(count)
    inverse = np.diag(metric)
    for at in places:
        mass = max(abs(theta[at]), SHARE)  # a heavy body is ready to move further than a light one
        inverse[at : at + BODY, at : at + BODY] = mass**2 * from_matrix @ from_matrix.T
    B = base.mapping
    gain = inverse @ B.T @ np.linalg.pinv(B @ inverse @ B.T)
    drives = np.array(
        [not name.startswith(("m", "Ixx", "Iyy", "Izz", "Ixy", "Ixz", "Iyz")) for name in base.standard.names]
    )
    x = theta.copy()
    for _ in range(PROJECTIONS):
        for at in places:
            values, axes = np.linalg.eigh((to_matrix @ x[at : at + BODY]).reshape(4, 4))
            floor = INSIDE * max(float(values[-1]), 0.0)
            if values[0] < floor:
                cut = (axes * np.maximum(values, floor)) @ axes.T
                x[at : at + BODY] = from_matrix @ cut.ravel()
        x[drives] = np.maximum(x[drives], 0.0)
        x = x + gain @ (beta - B @ x)
        if all(_least_share(x[at : at + BODY]) >= 0.0 for at in places) and x[drives].min(initial=0.0) >= 0.0:
            return x
    return None


def _pseudo_inertia(ten: Array) -> Array:
    """P = [[S, h], [h', m]], S = tr(I) / 2 - I; a pose T takes it to T P T'.

    A body is possible if P has no eigenvalue below 0. Wensing, Kim, Slotine, Linear matrix inequalities for
    physically consistent inertial parameter identification, IEEE Robotics and Automation Letters 3(1), 2018.
    """
    m, h = ten[0], ten[1:4]
    xx, yy, zz, xy, xz, yz = ten[4:10]
    inertia = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    P = np.empty((4, 4))
    P[:3, :3] = 0.5 * np.trace(inertia) * np.eye(3) - inertia
    P[:3, 3] = P[3, :3] = h
    P[3, 3] = m
    return P


def _build(base: BaseParameters, theta: Array) -> Nearest:
    """The robot with these standard parameters."""
    robot, problems = base.robot, list[str]()
    arm, place = robot.table(), {name: at for at, name in enumerate(base.standard.names)}
    change = theta - base.standard.values
    moving = [(joint, link) for joint, link in zip(robot.joints, robot.links, strict=True) if joint.moves]
    for i, (_, link) in enumerate(moving):
        at = place[f"m{i + 1}"]
        problems += _body_problems(_pseudo_inertia(theta[at : at + BODY]), link.name)
        if not change[at : at + BODY].any():
            continue
        frame = np.eye(4)
        frame[:3, :3], frame[:3, 3] = arm[i, LINK_R : LINK_R + 9].reshape(3, 3), arm[i, LINK_P : LINK_P + 3]
        back = np.linalg.inv(frame)
        m, c = link.mass, np.array(link.com)
        inertia = np.array(link.inertia) + m * skew(c) @ skew(c).T
        P = back @ _pseudo_inertia(change[at : at + BODY]) @ back.T
        P[:3, :3] += 0.5 * np.trace(inertia) * np.eye(3) - inertia
        P[:3, 3] += m * c
        m += P[3, 3]
        c = P[:3, 3] / m if m else np.zeros(3)
        about = np.trace(P[:3, :3]) * np.eye(3) - P[:3, :3] - m * skew(c) @ skew(c).T
        robot = robot.with_link(link.name, mass=m, com=c, inertia=0.5 * (about + about.T), accepted=True)
    for i, joint in enumerate(base.robot.moving):
        gear = abs(joint.gear)
        fields = {"Ia": gear * gear, "fv": gear * gear, "fcp": gear, "fcm": gear}
        numbers = dict(zip(fields, (joint.motor_inertia, joint.viscous, *joint.coulomb), strict=True))
        for kind, factor in fields.items():
            at_ = place.get(f"{kind}{i + 1}")
            if at_ is None:
                continue
            numbers[kind] += change[at_] / factor
            if numbers[kind] < 0.0:
                problems.append(f"{kind}{i + 1} is {theta[at_]:.4g}, below 0: the robot has 0")
                numbers[kind] = 0.0
        robot = robot.with_joint(
            joint.name, motor_inertia=numbers["Ia"], viscous=numbers["fv"],
            coulomb=(numbers["fcp"], numbers["fcm"]),
        )  # fmt: skip
    return Nearest(robot, theta, tuple(problems))


def _body_problems(P: Array, link: str) -> list[str]:
    """Sentences on a body that no distribution of mass has: its pseudo-inertia has an eigenvalue below 0."""
    if P[3, 3] < 0.0:
        return [f"link `{link}`: the mass is {P[3, 3]:.4g} kg, below 0"]
    least, most = np.linalg.eigvalsh(P)[[0, -1]]
    if least < -UNSURE * max(most, 1e-300):
        return [f"link `{link}`: the moments violate the triangle inequality, by {-2 * least:.3g} kg m2"]
    return []
