"""Film of a page: what moves in the run, where something does and the diagram in the result says what."""

from __future__ import annotations

from typing import Any

from ...diagrams.results.errors import ResultError
from ...diagrams.results.result import Result
from ...plots.films.page import MOST_SAMPLES
from ...robots.errors import RobotError


def film(result: Result) -> dict[str, Any] | None:
    """The scene that the viewer shows, or None where nothing moves, or it is not known what."""
    from ...plots.films.animation import animation

    try:
        shown = animation(result)
        times = shown.times(most=MOST_SAMPLES)
        films = shown.films(times)
    except (ResultError, RobotError):
        return None
    from ...plots.films.page import scene

    return scene(films, shown.labels, shown.title)
