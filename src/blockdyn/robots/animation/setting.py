"""Setting: what stands still around films that are seen together, whoever paints them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..model.poses import Array
from ..pictures.solids import Face
from .film import Film
from .shape import outward


@dataclass(frozen=True)
class Setting:
    """Ground at the height `floor`, m, with solids `still` on it, and `points` (n, 3) that need room.

    `extent` is the size of the largest body, m; `down` says that the numbers of all worlds have z down.
    """

    floor: float
    still: Sequence[Face]
    points: Array
    extent: float
    down: bool


def setting(films: Sequence[Film]) -> Setting:
    """The setting of films."""
    floor = min(film.floor for film in films)
    grounds = [film.body.ground(floor, film.radius) for film in films]
    feet = [[*film.body.foot[:2], floor] for film, faces in zip(films, grounds) if faces]
    scenery = [face for film in films for face in film.scenery]
    reached = [*(film.reached for film in films), *(face.corners for face in scenery)]
    drawn = _near(np.vstack(reached), [ground.lines for film in films for ground in film.ground], floor)
    return Setting(
        floor,
        [outward(face) for faces in (*grounds, scenery) for face in faces],
        np.vstack([*reached, *feet, drawn]),
        max(film.extent for film in films),
        all(film.body.down for film in films),
    )


def _near(reached: Array, lines: Sequence[Array], floor: float) -> Array:
    """The ends of lines that are no farther from what is reached than half of its width."""
    low, high = reached[:, :2].min(axis=0), reached[:, :2].max(axis=0)
    spare = 0.5 * (high - low).max()
    ends = np.vstack(
        [
            np.empty((0, 2)),
            *(part[(part[..., 0, :] != part[..., 1, :]).any(axis=-1)].reshape(-1, 2) for part in lines),
        ]
    )
    near = ends[((ends >= low - spare) & (ends <= high + spare)).all(axis=1)]
    if not len(near):
        return np.empty((0, 3))
    corners = np.array([near.min(axis=0), near.max(axis=0)])
    return np.column_stack([corners, np.full(2, floor)])
