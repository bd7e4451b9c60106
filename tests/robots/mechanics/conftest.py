"""Random trees of joints: the same bodies as a Robot, and as what other libraries are built from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import pytest

from blockdyn.robots import Joint, Link, Robot

Array = np.ndarray


@dataclass(frozen=True)
class Part:
    """One joint with its link; frames are 4x4 matrices, `parent` the number of an earlier part, or -1."""

    parent: int
    kind: str
    place: Array
    axis: Array
    offset: float
    frame: Array
    mass: float
    com: Array
    inertia: Array
    armature: float


@dataclass(frozen=True)
class Tree:
    """A random tree: its parts, its tool in the last link, its gravity, and the Robot made of them."""

    parts: list[Part]
    tool: Array
    gravity: Array
    robot: Robot


def some_pose(rng: np.random.Generator) -> Array:
    T = np.eye(4)
    Q, _ = np.linalg.qr(rng.normal(size=(3, 3)))
    T[:3, :3] = Q * np.sign(np.linalg.det(Q))
    T[:3, 3] = rng.normal(size=3)
    return T


def some_part(rng: np.random.Generator, parent: int, kind: str) -> Part:
    axis = rng.normal(size=3)
    spread = rng.normal(size=(3, 3))
    second = spread @ spread.T * 0.05 + 0.02 * np.eye(3)  # second moments of mass: of them, any body is made
    return Part(
        parent, kind, some_pose(rng), axis / np.linalg.norm(axis), float(rng.normal()), some_pose(rng),
        float(rng.uniform(0.5, 3)), 0.3 * rng.normal(size=3), np.trace(second) * np.eye(3) - second,
        float(rng.uniform(0, 0.5)),
    )  # fmt: skip


def make_tree(seed: int, n: int, *, serial: bool = False, fixed: bool = True, slides: bool = True) -> Tree:
    """n moving joints with random axes, some fixed ones between them; depth first, as pinocchio needs it."""
    rng = np.random.default_rng(seed)
    parts: list[Part] = []
    moving = 0
    while moving < n:
        way = [-1]
        at = len(parts) - 1
        while at >= 0:
            way.append(at)
            at = parts[at].parent
        parent = len(parts) - 1 if serial else int(rng.choice(way))
        kind = "prismatic" if slides and rng.random() < 0.35 else "revolute"
        if fixed and moving and rng.random() < 0.25:
            kind = "fixed"
        moving += kind != "fixed"
        parts.append(some_part(rng, parent, kind))
    tool, gravity = some_pose(rng), 5 * rng.normal(size=3)
    return Tree(parts, tool, gravity, robot_of(parts, tool, gravity))


def robot_of(parts: list[Part], tool: Array, gravity: Array) -> Robot:
    joints, links = [], []
    for k, part in enumerate(parts):
        parent = "base" if part.parent < 0 else f"link{part.parent}"
        joint = Joint(f"joint{k}", part.kind, parent, part.place, tuple(part.axis), part.offset)
        joints.append(replace(joint, motor_inertia=part.armature))
        links.append(Link(f"link{k}", part.mass, tuple(part.com), part.inertia, part.frame))
    return Robot("tree", tuple(joints), tuple(links), tool=tool, gravity=tuple(gravity))


@pytest.fixture(scope="session")
def tree() -> Callable[..., Tree]:
    return make_tree
