"""The paths of axes: looked up as those of `set`, with the place of the axis where one leads nowhere."""

from __future__ import annotations

from ...base.location import Location
from ...diagrams.model import name_errors
from ...diagrams.targets import resolve as paths
from ...diagrams.targets.target import Target
from ...diagrams.targets.view import View
from ..errors import BadAxis, UnknownPath


def resolve(view: View, path: str, location: Location | None = None) -> Target:
    """The target of a path. Raises UnknownPath, BadAxis; see `diagrams.targets.resolve`."""
    try:
        return paths.resolve(view, path)
    except name_errors.UnknownPath as error:
        raise UnknownPath(str(error), path=path, location=location) from None
    except name_errors.NoElement as error:
        raise BadAxis(str(error), path=path, location=location) from None
