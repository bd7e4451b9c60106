"""RRT among forty discs on 500 by 500 cells, seed after seed, against PythonRobotics.

PythonRobotics is no package: its checkout has to be on PYTHONPATH. It knows the discs themselves, and looks
at points 0.5 m apart; ours has the cells that they cover, and looks at every cell of a line.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from statistics import median
from typing import Any

import numpy as np

from ..contract import Row, Settings
from ..measure import once

TITLE = "RRT, 500 by 500 cells with 40 discs, steps of 25"
CASE = "rrt"
MOST = 5.0  # ms, the median of ours
LEAST = 50.0  # times PythonRobotics
STEP, SIZE, SEEDS = 25.0, 500, 25
START, GOAL = [10.0, 10.0], [490.0, 490.0]


def discs() -> list[list[float]]:
    """x, y and radius, none near the start or the goal."""
    rng = np.random.default_rng(3)
    rows = np.column_stack([rng.uniform(0, SIZE, (40, 2)), rng.uniform(8, 35, 40)])
    ends = np.array([START, GOAL])
    away = np.linalg.norm(rows[:, np.newaxis, :2] - ends, axis=2).min(axis=1)
    return rows[away > rows[:, 2] + 20].tolist()  # type: ignore[no-any-return]


def ours() -> Callable[[int], object]:
    from blockdyn.robots import planning

    y, x = np.mgrid[:SIZE, :SIZE] + 0.5
    cells = np.zeros((SIZE, SIZE), bool)
    for cx, cy, radius in discs():
        cells |= (x - cx) ** 2 + (y - cy) ** 2 <= radius**2
    of = planning.OccupancyMap(cells)
    return lambda seed: planning.rrt(of, START, GOAL, step=STEP, seed=seed)


def peer() -> Callable[[int], object]:
    from PathPlanning.RRT.rrt import RRT  # type: ignore[import-not-found,unused-ignore]

    circles = discs()

    def plan(seed: int) -> object:
        random.seed(seed)
        tree: Any = RRT(
            START, GOAL, circles, [0, SIZE], expand_dis=STEP, max_iter=100_000, play_area=[0, SIZE, 0, SIZE]
        )
        return tree.planning(animation=False)

    return plan


def rows(settings: Settings) -> list[Row]:
    plan = ours()
    plan(0)
    seeds = range(5 if settings.quick else SEEDS)
    try:
        other = peer()
    except ImportError as missing:
        other, reason = None, f"skipped: no checkout of PythonRobotics on PYTHONPATH ({missing})"
    mine, theirs = [], []
    for seed in seeds:
        mine += [once(lambda seed=seed: plan(seed))]  # type: ignore[misc]
        if other is not None:
            theirs += [once(lambda seed=seed: other(seed))]  # type: ignore[misc]
    wall = 1e3 * median(mine)
    limit = Row(
        CASE, "ours, median of seeds", wall=wall, required=f"<= {MOST:g} ms", met=wall <= MOST, runs=len(mine)
    )
    if other is None:
        return [limit, Row(CASE, "PythonRobotics", required=f">= {LEAST:g}", note=reason)]
    ratio = 1e3 * median(theirs) / wall
    return [
        limit,
        Row(
            CASE, "PythonRobotics", wall=1e3 * median(theirs), ratio=ratio, required=f">= {LEAST:g}",
            met=ratio >= LEAST, runs=len(theirs),
        ),
    ]  # fmt: skip
