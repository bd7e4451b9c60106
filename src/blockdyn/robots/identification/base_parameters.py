"""Base parameters are the smallest set of combinations of parameters that inverse dynamics depends on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...base.checked import checked_numbers
from ...base.shown import NotebookText
from ...base.words import nearest
from ..calls.kernel import as_robot
from ..errors import RobotError
from ..functions.dynamics import regressor, sum_terms
from ..mechanics.bodies import ARMATURE, FRICTION
from ..mechanics.regressor import BODY, parameter_count, standard_parameters as read_parameters
from ..model.poses import skew
from ..model.robot import Robot
from ..model.table import COORDINATE, LINK_P, LINK_R, MASS, PLACE_P, PRISMATIC

Array = NDArray[np.float64]

BODY_NAMES = ("m", "mx", "my", "mz", "Ixx", "Iyy", "Izz", "Ixy", "Ixz", "Iyz")
BODY_UNITS = ("kg", *["kg m"] * 3, *["kg m2"] * 6)
ARMATURE_NAME, FRICTION_NAMES = "Ia", ("fv", "fcp", "fcm")
ARMATURE_UNIT = {False: "kg m2", True: "kg"}  # by whether the joint is prismatic
FRICTION_UNITS = {False: ("N m s/rad", "N m", "N m"), True: ("N s/m", "N", "N")}
# Parameters enter the base in this order, body by body from the base outwards, unless they are
# combinations of earlier ones. For a body on a revolute joint, Iyy, mz and m are last: tables in
# books move them to the previous body (Gautier, Khalil 1990); the armature of the first joints joins Izz.
PREFERENCE = ("Ixx", "Ixy", "Ixz", "Iyz", "Izz", "mx", "my", "Iyy", "mz", "m", "Ia", "fv", "fcp", "fcm")

TOLERANCE = 1e-8  # least new component of a column, relative to its length; rounding leaves 1e-13
ZERO = 1e-13  # of the longest column: a shorter column is rounding only
CLEAN = 1e-10  # least share, by the lengths of both columns, that a combination's name includes
SHARE = 0.1  # of mass times length, or of the trace: least scale of a first moment, or an inertia
PROJECTIONS = 2000
INSIDE = 1e-4  # of the largest eigenvalue: margin of the projection, so that it ends after few steps
LIGHT = 1e-3  # of the arm's largest values: scale of a parameter with nominal 0
UNSURE = 1e-9  # relative, for rounding: a body at the physical limit is feasible
SEED = 1990  # of the random states, so that results are reproducible


class IdentificationError(RobotError):
    """An identification has no solution: the argument, its value, and the values expected."""

    def __init__(self, argument: str, actual: str, expected: str) -> None:
        self.argument, self.actual, self.expected = argument, actual, expected
        super().__init__(f"{argument}: {actual}\nexpected: {expected}")


@dataclass(frozen=True, repr=False, eq=False)
class StandardParameters(NotebookText):
    """The standard parameters of a robot, in which inverse dynamics is linear.

    names    such as m2, mx2, Ixx2, Ia2, fv2: columns of `functions.regressor`, in order
    values   (p,); units: one for each
    """

    names: tuple[str, ...]
    values: Array
    units: tuple[str, ...]

    def __getitem__(self, name: str) -> float:
        """The value of the parameter with this name. Raises IdentificationError."""
        return float(self.values[_index(name, self.names)])

    def __str__(self) -> str:
        rows = zip(self.names, self.values.tolist(), self.units, strict=True)
        return "\n".join(f"{name:<6}{value:12.6g}  {unit}" for name, value, unit in rows)


@checked_numbers(IdentificationError)
def standard_parameters(
    robot: Robot | str, *, friction: bool = True, armature: bool = True
) -> StandardParameters:
    """The parameters theta of a robot for which tau = Y theta, Y of `functions.regressor`: (p,).

    For each moving joint 14 numbers: mass, first moment (3) and inertia (6) of the body that it carries,
    about the origin of the body frame; armature; viscous and Coulomb friction. `functions.regressor` lists
    names, order and units. Links fixed to the base are excluded. Raises WrongSize, UnknownRobot.
    """
    robot = as_robot(robot)
    arm, terms = robot.table(), sum_terms(gravity=True, friction=friction, armature=armature)
    theta = np.zeros(parameter_count(arm, terms))
    read_parameters(arm, terms, theta)
    names, units = list[str](), list[str]()
    for i in range(len(arm) - 1):
        names += [f"{name}{i + 1}" for name in BODY_NAMES]
        units += BODY_UNITS
        if i < robot.n:
            slides = robot.moving[i].kind == "prismatic"
            if terms & ARMATURE:
                names.append(f"{ARMATURE_NAME}{i + 1}")
                units.append(ARMATURE_UNIT[slides])
            if terms & FRICTION:
                names += [f"{name}{i + 1}" for name in FRICTION_NAMES]
                units += FRICTION_UNITS[slides]
    return StandardParameters(tuple(names), theta, tuple(units))


@dataclass(frozen=True, repr=False, eq=False)
class BaseParameters(NotebookText):
    """The smallest set of parameters in which inverse dynamics of a robot is linear.

        beta = mapping theta        tau = Y theta = Y[:, columns] beta

    robot       the robot; `values` (b,) are its beta
    names       combinations of standard parameters, such as `Izz1 + Iyy2 + 0.1865 m3`
    short       the standard parameter that leads each combination, such as Izz1
    units       one for each
    columns     (b,), the remaining columns of the full regressor
    mapping     (b, p), from the p standard parameters to the base parameters
    standard    the standard parameters of the robot
    no_effect   names of standard parameters that no torque depends on
    tolerance   new fraction of a column below which it counts as a combination of others
    gap         least new fraction of base columns over the largest of the others; 1e3 is unambiguous
    condition   of the base regressor at random states, its columns scaled to unit length
    gravity, friction, armature: whether weight, friction and motors are included
    """

    robot: Robot
    names: tuple[str, ...]
    short: tuple[str, ...]
    units: tuple[str, ...]
    values: Array
    columns: NDArray[np.int64]
    mapping: Array
    standard: StandardParameters
    no_effect: tuple[str, ...]
    tolerance: float
    gap: float
    condition: float
    gravity: bool = True
    friction: bool = True
    armature: bool = True

    @property
    def count(self) -> int:
        """The number of base parameters, b."""
        return len(self.columns)

    def __getitem__(self, name: str) -> float:
        """The value of a base parameter by its leading parameter or its full name.

        Raises IdentificationError.
        """
        return float(self.values[_index(name, self.names if name in self.names else self.short)])

    def regressor(self, q: ArrayLike, qd: ArrayLike, qdd: ArrayLike) -> Array:
        """The base regressor, (n, b), or (k, n, b) for k states: tau = regressor beta. Raises WrongSize."""
        Y = regressor(
            self.robot, q, qd, qdd, gravity=self.gravity, friction=self.friction, armature=self.armature
        )
        return np.ascontiguousarray(Y[..., self.columns])

    def of(self, robot: Robot | str) -> Array:
        """The base parameters of another robot with the same joints, (b,). Raises IdentificationError."""
        other = standard_parameters(robot, friction=self.friction, armature=self.armature)
        if other.names != self.standard.names:
            problem = f"{len(other.names)} parameters, and {self.robot.name} has {len(self.standard.names)}"
            raise IdentificationError("robot", problem, "a robot with as many joints, and other numbers")
        return combine(self.mapping, other.values)

    def __str__(self) -> str:
        head = (
            f"{self.robot.name}: {self.count} base parameters of {len(self.standard.names)} standard ones,"
            f" gap {self.gap:.1e}, condition {self.condition:.3g}"
        )
        rows = zip(self.values.tolist(), self.units, self.names, strict=True)
        lines = [f"{value:12.6g}  {unit:<10} {name}" for value, unit, name in rows]
        rest = [f"without effect: {', '.join(self.no_effect)}"] if self.no_effect else []
        return "\n".join([head, *lines, *rest])


@checked_numbers(IdentificationError)
def base_parameters(
    robot: Robot | str,
    *,
    gravity: bool = True,
    friction: bool = True,
    armature: bool = True,
    tolerance: float = TOLERANCE,
) -> BaseParameters:
    """The base parameters of a robot: the fewest numbers that determine its torques in every motion.

    Columns of the regressor at random states are orthogonalised in sequence (a QR factorisation without
    pivoting): a column with a new component below `tolerance` of its length is a combination of earlier
    columns, and its parameter joins theirs. Columns are ordered by bodies from the base outwards, so
    parameters of a body move to the previous body, as in the tables of books. The set depends only on the
    geometry and the direction of gravity, `values` also on this robot's masses.

    `friction` and `armature` as in `functions.regressor`; `gravity=False` is for an arm without weight.
    Geometry that is rounded (an angle of 1.5708 for pi/2) makes parameters separable in theory that no
    measurement separates; `gap` and `condition` show it, and a larger `tolerance` joins them.
    Raises IdentificationError for a robot without effective parameters, WrongSize.
    Source: Gautier, Numerical calculation of the base inertial parameters of robots, J. Robotic Systems 8(4),
    1991; Gautier, Khalil, Direct calculation of minimum set of inertial parameters of serial robots, IEEE
    Trans. Robotics and Automation 6(3), 1990; Mayeda, Yoshida, Osuka, Base parameters of manipulator dynamic
    models, IEEE Trans. Robotics and Automation 6(3), 1990.
    """
    robot = as_robot(robot)
    if not 0.0 < tolerance < 1.0:
        raise IdentificationError(
            "tolerance", f"found {tolerance!r}", "a number between 0 and 1, such as 1e-8"
        )
    standard = standard_parameters(robot, friction=friction, armature=armature)
    rows = regressor(
        robot, *_random_states(robot, len(standard.names)),
        gravity=gravity, friction=friction, armature=armature,
    )  # fmt: skip
    W = rows.reshape(-1, len(standard.names))
    lengths = np.linalg.norm(W, axis=0)
    live = lengths > ZERO * lengths.max(initial=1e-300)
    if not live.any():
        expected = "a robot with joints, and weight, friction or motion that takes torque"
        raise IdentificationError("robot", f"no torque of {robot.name} depends on any parameter", expected)
    order = sorted(np.flatnonzero(live).tolist(), key=lambda c: _rank(standard.names[c]))
    scaled = W / np.where(live, lengths, 1.0)
    independent, new = _first_independent(scaled, order, tolerance)
    columns = np.array(sorted(independent))
    rest = [c for c in order if c not in independent]
    mapping = np.zeros((len(columns), len(standard.names)))
    mapping[np.arange(len(columns)), columns] = 1.0
    if rest:
        shares = np.linalg.lstsq(scaled[:, columns], scaled[:, rest], rcond=None)[0]
        shares[np.abs(shares) < CLEAN] = 0.0
        mapping[:, rest] = shares * lengths[rest] / lengths[columns, None]
    singular = np.linalg.svd(scaled[:, columns], compute_uv=False)
    largest = max((new[c] for c in rest), default=np.finfo(float).eps)
    return BaseParameters(
        robot,
        tuple(_combination(row, standard.names, c) for row, c in zip(mapping, columns.tolist(), strict=True)),
        tuple(standard.names[c] for c in columns),
        tuple(standard.units[c] for c in columns),
        combine(mapping, standard.values),
        columns,
        mapping,
        standard,
        tuple(name for name, counts in zip(standard.names, live, strict=True) if not counts),
        tolerance,
        float(min(new[c] for c in independent) / max(largest, np.finfo(float).eps)),
        float(singular[0] / singular[-1]),
        gravity,
        friction,
        armature,
    )


def combine(mapping: Array, theta: Array) -> Array:
    """mapping theta, with 0 if terms cancel to rounding."""
    values = mapping @ theta
    return np.where(np.abs(values) > ZERO * (np.abs(mapping) @ np.abs(theta)), values, 0.0)


def _random_states(robot: Robot, parameters: int) -> Array:
    """q, qd, qdd of enough random states, (3, k, n), equal at every call."""
    rng = np.random.Generator(np.random.Philox(SEED))
    arm, n = robot.table(), max(robot.n, 1)
    states = rng.uniform(-1.0, 1.0, (3, ceil(3 * parameters / n) + 10, robot.n))
    states[0] *= np.pi
    size = float(np.abs(arm[:-1, PLACE_P : PLACE_P + 3]).max(initial=0.0)) or 1.0
    for row in arm[:-1]:  # a slide moves over the length of the arm
        if row[PRISMATIC]:
            states[0, :, int(row[COORDINATE])] *= size / np.pi
            states[1:, :, int(row[COORDINATE])] *= size
    states[1:] *= 3.0  # so that the terms of weight, speed and acceleration have similar sizes
    return np.asarray(states)


def _rank(name: str) -> tuple[int, int]:
    """The position of a parameter in the order in which parameters enter the base."""
    kind = name.rstrip("0123456789")
    return int(name[len(kind) :]), PREFERENCE.index(kind)


def _first_independent(W: Array, order: Sequence[int], tolerance: float) -> tuple[set[int], dict[int, float]]:
    """The columns that are not combinations of earlier columns, and the independent part of each column."""
    basis = np.zeros((len(W), len(order)))
    independent: set[int] = set()
    new: dict[int, float] = {}
    for c in order:
        Q, column = basis[:, : len(independent)], W[:, c].copy()
        for _ in range(2):  # two suffice: Parlett, The Symmetric Eigenvalue Problem (1980), section 6-9
            column -= Q @ (Q.T @ column)
        new[c] = float(np.linalg.norm(column))
        if new[c] > tolerance:
            basis[:, len(independent)] = column / new[c]
            independent.add(c)
    return independent, new


def _combination(row: Array, names: Sequence[str], lead: int) -> str:
    """A row of the mapping as text, its leading parameter first."""
    terms = [names[lead]]
    for name, share in zip(names, row.tolist(), strict=True):
        if share and name != names[lead]:
            size = f"{abs(share):.5g}"
            terms.append(f"{'-' if share < 0 else '+'} {'' if size == '1' else size + ' '}{name}")
    return " ".join(terms)


def _index(name: str, names: Sequence[str]) -> int:
    if name not in names:
        raise IdentificationError(
            "parameter", f"there is no {name!r}{nearest(str(name), names)}", ", ".join(names)
        )
    return names.index(name)


@dataclass(frozen=True)
class Nearest:
    """A robot with given base parameters.

    robot      with the joints and names of the nominal one
    theta      its standard parameters, (p,), in the order of `functions.regressor`
    problems   sentences on values that no body or drive can have; empty if the robot is physical
    """

    robot: Robot
    theta: Array
    problems: tuple[str, ...]


def nearest_robot(base: BaseParameters, values: ArrayLike) -> Nearest:
    """The robot with these base parameters, (b,), and standard parameters near the nominal ones.

        theta = theta0 + D^2 B^T (B D^2 B^T)^-1 (values - B theta0)

    B is `base.mapping` and D the size of each standard parameter, so relative changes are smallest. If a body
    is then impossible (a mass below 0, or moments that violate the triangle inequality), alternating
    projections onto these equations and onto possible bodies search for another theta. Without one,
    the first theta remains, and `problems` reports its bodies. Base parameters determine all torques, and
    so the motion, for any standard parameters that produce them.

    The moving link of each joint is changed; links fixed to it are not. A link without mass that needs
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
    """The initial standard parameters, and the weights of their changes."""
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
    """The longest distance between joints, m; 1 if all axes meet."""
    return float(np.abs(arm[:-1, PLACE_P : PLACE_P + 3]).max(initial=0.0)) or 1.0


def _least_share(ten: Array) -> float:
    """Least eigenvalue of a body's pseudo-inertia over its largest: below 0 for an impossible body."""
    values = np.linalg.eigvalsh(_pseudo_inertia(ten))
    return float(values[0] / max(abs(values[-1]), abs(values[0]), 1e-300))


def _project(base: BaseParameters, theta: Array, beta: Array, places: list[int]) -> Array | None:
    """Standard parameters of possible bodies and drives with these base parameters, or None."""
    length, count = _length(base.robot.table()), len(theta)
    # Coordinates in which the squared distance of two bodies is the Frobenius norm of the difference of their
    # pseudo-inertias, lengths in units of the arm's length: the projection sets negative eigenvalues to 0.
    unit = np.diag([1.0 / length] * 3 + [1.0])
    to_matrix = np.array([(unit @ _pseudo_inertia(row) @ unit).ravel() for row in np.eye(BODY)]).T
    from_matrix = np.linalg.pinv(to_matrix)
    metric = np.ones(count)
    inverse = np.diag(metric)
    for at in places:
        mass = max(abs(theta[at]), SHARE)  # a heavy body may change more than a light one
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
    """P = [[S, h], [h', m]], S = tr(I) / 2 - I; a pose T transforms it to T P T'.

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
    """Sentences on an impossible body: its pseudo-inertia has an eigenvalue below 0."""
    if P[3, 3] < 0.0:
        return [f"link `{link}`: the mass is {P[3, 3]:.4g} kg, below 0"]
    least, most = np.linalg.eigvalsh(P)[[0, -1]]
    if least < -UNSURE * max(most, 1e-300):
        return [f"link `{link}`: the moments violate the triangle inequality, by {-2 * least:.3g} kg m2"]
    return []
