"""A robot is changed into another one, for robustness studies."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from ...base.checked import checked_numbers
from ..errors import InvalidRobot
from .link import Link, tensor
from .poses import Array, skew, vector
from .robot import TOOL, Robot

FRICTIONS = ("coulomb", "viscous")


@checked_numbers(InvalidRobot)
def payload(
    robot: Robot,
    mass: float,
    at: ArrayLike = (0, 0, 0),
    inertia: ArrayLike = (0, 0, 0),
    *,
    frame: str | None = None,
) -> Robot:
    """A copy with a body of `mass` (kg), centre of mass `at` (m), ADDED to the link that carries the tool.

        m = m1 + m2     m c = m1 c1 + m2 c2
        I = sum_k (I_k + m_k (|d_k|^2 1 - d_k d_k'))     d_k = c_k - c

    `at` and the body's `inertia` about its own centre of mass are in the frame of that link, or of the
    tool with frame="tool". Raises InvalidRobot.
    """
    here = f"{robot.name}, payload"
    added = vector([mass], f"{here}, mass", 1)[0]
    if added < 0:
        raise InvalidRobot(f"{here}, mass", f"found {added:g} kg", "at least 0 kg")
    if frame not in (None, TOOL, robot.tip):
        raise InvalidRobot(f"{here}, frame", f"found {frame!r}", f"tool, or the link `{robot.tip}`")
    if robot.tip not in {link.name for link in robot.links}:
        raise InvalidRobot(here, "the tool sits on the base, which does not move", "a robot with a link")
    c2, I2 = np.array(vector(at, f"{here}, at")), tensor(inertia, f"{here}, inertia")
    if frame == TOOL:
        tool = np.array(robot.tool)
        c2 = tool[:3, :3] @ c2 + tool[:3, 3]
        I2 = tool[:3, :3] @ I2 @ tool[:3, :3].T
    link = robot.link(robot.tip)
    total = link.mass + added
    c1 = np.array(link.com)
    c = (link.mass * c1 + added * c2) / total if total else c1
    both = np.array(link.inertia) + I2 + link.mass * _about(c1 - c) + added * _about(c2 - c)
    return robot.with_link(link.name, mass=total, com=c, inertia=both)


@checked_numbers(InvalidRobot)
def perturb(robot: Robot, fraction: float, seed: int, *, com: bool = False) -> Robot:
    """A copy with masses and inertias that deviate by up to `fraction`, drawn for each link separately.

        m' = m (1 + fraction u0)
        s_k' = s_k (1 + fraction u_k)      c_k' = c_k (1 + fraction v_k)      k = 1, 2, 3

    u, v are uniform on [-1, 1]; s_k are the second moments of mass along the principal axes, I_1 = s_2 +
    s_3 and so on, so every principal moment changes by at most `fraction`, and a valid inertia stays
    valid. (An inertia that no body can have is scaled as a whole.)
    The centre of mass c moves only with com=True. The draws depend only on the seed and the link's place
    in the robot (Philox 4x64, Salmon et al., SC 2011): they are equal on every machine and for all
    options.

    The toolbox scales the mass and the whole tensor by two numbers instead. Raises InvalidRobot.
    """
    here = f"{robot.name}, perturb"
    spread = vector([fraction], f"{here}, fraction", 1)[0]
    if not 0 <= spread < 1:
        raise InvalidRobot(f"{here}, fraction", f"found {spread:g}", "at least 0 and below 1")
    if isinstance(seed, bool) or not isinstance(seed, (int, np.integer)) or seed < 0:
        raise InvalidRobot(f"{here}, seed", f"found {seed!r}", "an integer, at least 0")
    links = []
    for i, link in enumerate(robot.links):
        key = np.random.SeedSequence([int(seed), i])
        factors = 1 + spread * np.random.Generator(np.random.Philox(key)).uniform(-1, 1, 7)
        links.append(_perturb(link, factors, com))
    return replace(robot, links=tuple(links))


def _perturb(link: Link, factors: Array, com: bool) -> Link:
    centre = np.array(link.com) * factors[4:] if com else link.com
    mass = link.mass * factors[0]
    return replace(link, mass=mass, com=centre, inertia=_scale_inertia(np.array(link.inertia), factors[1:4]))


def _scale_inertia(inertia: Array, factors: Array) -> Array:
    moments, axes = np.linalg.eigh(inertia)
    second = moments.sum() / 2 - moments
    if second.min() < 0:
        return np.asarray(inertia * factors[0])
    second = second * factors
    return np.asarray(axes @ np.diag(second.sum() - second) @ axes.T)


@checked_numbers(InvalidRobot)
def without_friction(robot: Robot, *kinds: Literal["coulomb", "viscous"]) -> Robot:
    """A copy without the named kinds of friction, or without friction if none is named."""
    for kind in kinds:
        if not isinstance(kind, str) or kind not in FRICTIONS:
            place = f"{robot.name}, without_friction"
            raise InvalidRobot(place, f"found {kind!r}", "coulomb or viscous; nothing for both")
    removed: dict[str, Any] = {}
    if not kinds or "coulomb" in kinds:
        removed["coulomb"] = (0.0, 0.0)
    if not kinds or "viscous" in kinds:
        removed["viscous"] = 0.0
    return replace(robot, joints=tuple(replace(joint, **removed) for joint in robot.joints))


def _about(d: Array) -> Array:
    """|d|^2 1 - d d': the inertia added by a unit mass at d."""
    return np.asarray(skew(d) @ skew(d).T)
