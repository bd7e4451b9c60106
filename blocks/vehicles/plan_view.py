"""Plan view: a multirotor's booms and rotors from above, as the icon of the blocks that fly it."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from ..contract.icon import Icon
from ..contract.marks import arc

EDGE = 0.04  # fraction of the unit square, free around it


def plan_view(hubs: ArrayLike, radius: float) -> Icon:
    """Nose up: x of the body goes up, y to the right."""
    places = np.asarray(hubs, np.float64)[:, [1, 0]]
    reach = float(np.abs(places).max()) + radius
    scale = (0.5 - EDGE) / (reach or 1.0)
    ends = [(float(x), float(y)) for x, y in 0.5 + scale * places]
    rotors = [arc(x, y, scale * radius) for x, y in ends]
    booms = [[(0.5, 0.5), end] for end in ends]
    return Icon(lines=[*booms, *rotors], fills=[arc(0.5, 0.5, 0.07)])
