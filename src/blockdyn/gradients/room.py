"""Room: the arrays that the derivatives of a run are kept in."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..solvers.differentiated import Shadows
from ..solvers.loop.run import Run
from ..solvers.variation.fields import POINTS, Variation
from .timers import timer_numbers


def make_variation(
    run: Run, loops: Sequence[tuple[int, int]], memory: tuple[Shadows, Shadows], lanes: int, *, implicit: bool
) -> Variation:
    """Room for so many directions; `memory` are the two shadows of the program's own."""
    shadows, bare = memory
    s, n = run.work, run.memory.x.size
    cuts = np.array(loops, np.int64).reshape(-1, 2)
    sizes = [timer_numbers(timer, s.timer_integers, s.timer_floats).size for timer in s.timers]
    stages, unknowns = max(s.stages, s.other_stages, POINTS), len(cuts)
    square, all_points = (n, POINTS * n) if implicit else (0, 0)
    shapes = {
        "most": run.memory.g.shape, "held": run.memory.z.shape, "most_d": (lanes,), "sizes": (lanes,),
        "errors": (lanes,), "flow_time": (lanes,), "flow_x": (n + 1, lanes),
        "w_rate": run.memory.w.shape, "time_d": (lanes,), "instant_d": (lanes,), "before_d": (lanes,),
        "x": (n,), "begin": (n,), "slopes": (stages, n), "slopes_d": (n + 1, lanes),
        "begin_d": (n + 1, lanes), "trial_d": (n + 1, lanes), "stages_d": (stages, n + 1, lanes),
        "nodes_d": (6 * bool(len(s.delays)), n + 1, lanes), "timers_d": (sum(sizes), lanes),
        "loop": (unknowns, unknowns), "loop_right": (lanes, unknowns), "bare_time": (lanes,),
        "bare_x": (n + 1, lanes), "units_x": (n + 1, lanes), "jacobian": (POINTS, square, square),
        "matrix": (all_points, all_points), "right": (lanes, all_points),
    }  # fmt: skip
    arrays = {name: np.zeros(shape) for name, shape in shapes.items()}
    arrays |= {f"{name}_d": shadows.of(name) for name in ("x", "z", "w", "g")}
    arrays |= {f"{name}_row": arrays[f"{name}_d"].reshape(-1) for name in ("x", "begin", "trial", "slopes")}
    variation = Variation(
        arrays
        | {
            "stage_rows": arrays["stages_d"].reshape(stages, -1),
            "timers_at": np.cumsum([0, *sizes], dtype=np.int64), "cuts": cuts, "meets": np.full(2, -1),
            "bare_w": bare.of("w"), "bare_g": bare.of("g"),
            "loop_pivots": np.zeros(unknowns, np.int64), "pivots": np.zeros(all_points, np.int64),
        }
    )  # fmt: skip
    variation.shadows, variation.bare, variation.lanes = shadows.address, bare.address, lanes
    variation.spare = lanes - 1 if s.turning else -1
    return variation
