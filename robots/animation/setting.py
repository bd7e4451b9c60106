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
    return Setting(
        floor,
        [outward(face) for faces in (*grounds, scenery) for face in faces],
        np.vstack([*(film.reached for film in films), *feet, *(face.corners for face in scenery)]),
        max(film.extent for film in films),
        all(film.body.down for film in films),
    )
