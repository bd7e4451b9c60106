"""Shortest curves between random poses, Dubins and Reeds-Shepp, on one core, against OMPL and others.

All find the length of the shortest path and its segments. OMPL is C++, called from Python pair by pair; the
others are Python. PythonRobotics is no package: its checkout has to be on PYTHONPATH.
"""

from __future__ import annotations

from collections.abc import Callable
from statistics import median
from typing import Any

import numpy as np

from ..contract import Row, Settings
from ..rounds import interleaved, ratio

CASE = "shortest_curves"
TITLE = "shortest curves, microseconds a path"
LIMIT = 1.0  # us a path by Dubins: a million a second
MANY, FEW = 100_000, 2000
PYTHON = 20  # paths of the peers in Python, which are slow


def poses(count: int) -> tuple[Any, Any]:
    """Starts and goals."""
    rng = np.random.default_rng(1)
    pairs = rng.uniform([-10, -10, -np.pi], [10, 10, np.pi], (2, count, 3))
    return pairs[0], pairs[1]


def ours(name: str) -> Callable[[], Any]:
    from blockdyn.robots import planning

    starts, goals = poses(MANY)
    function = getattr(planning, f"{name}_many")
    return lambda: function(starts, goals, 1.0).length


def ompl(name: str) -> Callable[[], Any]:
    from ompl import base  # type: ignore[import-not-found,unused-ignore]

    space = {"dubins": base.DubinsStateSpace, "reeds_shepp": base.ReedsSheppStateSpace}[name](1.0)
    states = []
    for pose in np.concatenate(poses(MANY))[[*range(FEW), *range(MANY, MANY + FEW)]].tolist():
        state = space.allocState()
        state.setXY(pose[0], pose[1])
        state.setYaw(pose[2])
        states.append(state)
    pairs = list(zip(states[:FEW], states[FEW:], strict=True))
    return lambda: np.array([space.distance(a, b) for a, b in pairs])


def python_robotics(name: str) -> Callable[[], Any]:
    starts, goals = (rows[:PYTHON].tolist() for rows in poses(MANY))
    if name == "dubins":
        from PathPlanning.DubinsPath.dubins_path_planner import (  # type: ignore[import-not-found,unused-ignore]
            plan_dubins_path,
        )

        return lambda: np.array(
            [np.sum(plan_dubins_path(*a, *b, 1.0)[4]) for a, b in zip(starts, goals, strict=True)]
        )
    from PathPlanning.ReedsSheppPath.reeds_shepp_path_planning import (  # type: ignore[import-not-found,unused-ignore]
        reeds_shepp_path_planning,
    )

    return lambda: np.array(
        [
            np.sum(np.abs(reeds_shepp_path_planning(*a, *b, 1.0, 0.2)[4]))
            for a, b in zip(starts, goals, strict=True)
        ]
    )


def robotics_toolbox(name: str) -> Callable[[], Any]:
    import roboticstoolbox as rtb

    planner = {"dubins": rtb.DubinsPlanner, "reeds_shepp": rtb.ReedsSheppPlanner}[name](curvature=1.0)
    starts, goals = (rows[:PYTHON] for rows in poses(MANY))
    return lambda: np.array([planner.query(a, b)[1].length for a, b in zip(starts, goals, strict=True)])


PEERS = {"OMPL": ompl, "PythonRobotics": python_robotics, "roboticstoolbox": robotics_toolbox}


def rows(settings: Settings) -> list[Row]:
    measured = []
    for name in ("dubins", "reeds_shepp"):
        runs, missing = {"ours": ours(name)}, {}
        for peer, prepare in PEERS.items():
            try:
                runs[peer] = prepare(name)
            except (ImportError, AttributeError) as error:
                missing[peer] = f"skipped: not on this machine ({error})"
        lengths = {engine: np.asarray(run()) for engine, run in runs.items()}
        samples = interleaved(runs, settings.runs)
        best = median(samples["ours"].cpu) / MANY
        measured.append(
            Row(
                CASE, f"ours, {name}", wall=1e6 * median(samples["ours"].wall) / MANY, cpu=1e6 * best,
                required=f"<= {LIMIT:g} us" if name == "dubins" else "",
                met=1e6 * best <= LIMIT if name == "dubins" else None, unit="us", runs=settings.runs,
            )
        )  # fmt: skip
        for peer in PEERS:
            if peer in missing:
                measured.append(Row(CASE, f"{peer}, {name}", note=missing[peer]))
                continue
            theirs, peer_time = lengths[peer], samples[peer]
            count, share = len(theirs), MANY / len(theirs)
            longer = float(np.max(lengths["ours"][:count] - theirs))
            measured.append(
                Row(
                    CASE, f"{peer}, {name}", wall=1e6 * median(peer_time.wall) / count,
                    cpu=1e6 * median(peer_time.cpu) / count, ratio=share * ratio(peer_time, samples["ours"]),
                    cpu_ratio=share * ratio(peer_time, samples["ours"], cpu=True), error=max(longer, 0.0),
                    unit="us", runs=settings.runs,
                )
            )  # fmt: skip
    return measured
