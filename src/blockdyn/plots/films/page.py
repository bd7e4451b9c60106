"""A page shows films in one HTML file with rotation and playback, by three.js in the browser.

web/film.js is built from front/src/film, and holds its parts of three.js 0.187.0, under the MIT licence next
to it (web/three.LICENSE). Every page contains it; nothing is loaded from anywhere.
"""

from __future__ import annotations

import base64
import html
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ...base.files import replacing
from ...base.shown import embed_json, frame_page
from ...diagrams.results.errors import ResultFileError
from ...robots.model.poses import Array
from ...robots.shapes.ground import Ground
from ...robots.shapes.shape import CarriedPoints
from ...robots.shapes.solids import WANTED
from ..robots.picture import TRIAD, view_of
from .film import Film
from .scene import setting, steps

if TYPE_CHECKING:
    from .animation import Animation, View

MOST_ON_GROUND = 500_000  # numbers of the lines of one kind: 2.7 MB of a page
WEB = Path(__file__).with_name("web")


def script() -> str:
    """The viewer of films, as JavaScript that defines `blockdynFilm`."""
    return (WEB / "film.js").read_text(encoding="utf-8")


def page(data: Mapping[str, Any]) -> str:
    """The HTML of a `scene`."""
    parts = {
        "title": html.escape(data["title"]),
        "data": embed_json(data),
        "film": script(),
    }
    template = (WEB / "page.html").read_text(encoding="utf-8")
    return re.sub(r"\{\{(\w+)\}\}", lambda place: parts[place[1]], template)


def scene(
    films: Sequence[Film],
    labels: Sequence[str],
    title: str,
    *,
    view: tuple[float, float] | None = None,
    trail: float = math.inf,
    speed: float = 1.0,
) -> dict[str, Any]:
    """Data of films with the same instants, each under its label; arguments as for `Scene`."""
    still = setting(films)
    low, high = still.points.min(axis=0), still.points.max(axis=0)
    low[2] = min(low[2], still.floor)
    elevation, azimuth = view or view_of(still.points, still.extent)
    corners = np.array([face.corners for face in still.still]).reshape(-1, 3)
    colors = np.array([face.color for face in still.still]).reshape(-1, 3)
    normals = np.array([face.normal for face in still.still]).reshape(-1, 3)
    least = float((high - low).max()) / 12
    return {
        "title": title,
        "labels": list(labels),
        "times": _floats(films[0].times),
        "low": low.tolist(),
        "high": high.tolist(),
        "floor": still.floor,
        "step": next(step for step in steps(least) if step >= least),
        "view": [math.radians(elevation), math.radians(azimuth)],
        "trail": min(trail, 1e9),
        "speed": speed,
        "triad": TRIAD,
        "grey": WANTED,
        "still": {"corners": _floats(corners), "normals": _floats(normals), "colors": _floats(colors)},
        "films": [_describe_film(film) for film in films],
        "grounds": [_laid(part) for film in films for part in film.ground],
    }


def _laid(part: Ground) -> dict[str, Any]:
    """Lines on the ground; long ones are thinned to equal spacing, so that the page stays small."""
    every = -(-part.lines.size // MOST_ON_GROUND)
    return {"lines": _floats(part.lines[::every]), "every": every, "color": part.color, "label": part.label}


def _describe_film(film: Film) -> dict[str, Any]:
    """A film as data for the viewer."""
    shape, motion = film.shape, film.motion
    parts = [(frame, sliding) for frame in range(motion.p.shape[1]) for sliding in (False, True)]
    solids = [
        {"frame": frame} | _faces(film, np.flatnonzero(chosen), sliding)
        for frame, sliding in parts
        if (chosen := (shape.frame == frame) & (shape.sliding == sliding)).any()
    ]
    return {
        "frames": motion.p.shape[1],
        "p": _floats(motion.p),
        "q": _floats(quaternions(motion.R)),
        "strokes": _floats(motion.strokes),
        "solids": solids,
        "path": _floats(film.path),
        "pathTimes": _floats(film.path_times),
        "reference": _floats(film.reference) if len(film.reference) else None,
        "trail": film.paint.trail,
        "extent": film.extent,
    }


def _faces(film: Film, chosen: Any, sliding: bool) -> dict[str, Any]:
    """The faces with these indices, in their frame."""
    shape, carried = film.shape, film.shape.corners
    four = (4 * chosen[:, None] + np.arange(4)).ravel()
    faces: dict[str, Any] = {
        "corners": _floats(carried.at[four]),
        "normals": _floats(shape.normals[chosen]),
        "colors": _floats(shape.colors[chosen]),
    }
    if sliding:
        faces |= {"along": _floats(carried.along[four]), "joint": _joints(carried, four)}
    return faces


def _joints(carried: CarriedPoints, four: Any) -> list[int]:
    return [int(joint) for joint in carried.joint[four]]


def quaternions(R: Array) -> Array:
    """Unit quaternions x, y, z, s (..., 4) of rotation matrices (..., 3, 3), by their largest component.

    Source: Shepperd, Quaternion from Rotation Matrix, Journal of Guidance and Control 1(3), 1978.
    """
    a, b, c = R[..., 0, :], R[..., 1, :], R[..., 2, :]
    xx, yy, zz = a[..., 0], b[..., 1], c[..., 2]
    x, y, z = c[..., 1] - b[..., 2], a[..., 2] - c[..., 0], b[..., 0] - a[..., 1]
    xy, xz, yz = a[..., 1] + b[..., 0], a[..., 2] + c[..., 0], b[..., 2] + c[..., 1]
    products = [  # 4 q q', one row per component
        [1 + xx - yy - zz, xy, xz, x],
        [xy, 1 - xx + yy - zz, yz, y],
        [xz, yz, 1 - xx - yy + zz, z],
        [x, y, z, 1 + xx + yy + zz],
    ]
    rows = np.moveaxis(np.array(products), (0, 1), (-2, -1))
    largest = np.argmax(np.diagonal(rows, axis1=-2, axis2=-1), axis=-1)
    q = np.take_along_axis(rows, largest[..., None, None], axis=-2)[..., 0, :]
    return np.asarray(q / np.linalg.norm(q, axis=-1, keepdims=True))


def _floats(values: Array) -> str:
    """Numbers as the browser reads them: four bytes each, little-endian, in base64."""
    return base64.b64encode(np.ascontiguousarray(values, "<f4").tobytes()).decode("ascii")


MOST_SAMPLES = 3000  # the browser interpolates poses between them; about 100 bytes each per body


@dataclass(frozen=True)
class Page:
    """A written page: its file, instants, span of the run in s, and size in a notebook."""

    file: Path
    frames: int
    duration: float
    size: tuple[int, int]

    def _repr_html_(self) -> str | None:
        """The page in a frame; empty if the file is missing."""
        return frame_page(self.file, self.size)


def write_page(
    shown: Animation,
    file: str | PathLike[str],
    *,
    fps: float,
    speed: float,
    size: tuple[int, int],
    view: View,
    trail: float,
) -> Page:
    """Write the page, completely or not at all. Raises ResultFileError if the system refuses."""
    times = shown.times(fps=fps, most=MOST_SAMPLES)
    data = scene(shown.films(times), shown.labels, shown.title, view=view, trail=trail, speed=speed)
    with replacing(file, ResultFileError) as target:
        target.write(page(data).encode("utf-8"))
    return Page(Path(file), len(times), float(times[-1] - times[0]), size)
