"""Plug-ins: installed packages add objects through entry points; a broken one does not affect others."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, TypeVar

from .errors import PrintableText

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

Read = TypeVar("Read")


class PluginWarning(PrintableText, UserWarning):
    """A package with entry points is broken; its objects are left out."""


def load_plugins(group: str, part: str, read: Callable[[Any], Read]) -> Iterator[tuple[str, Read]]:
    """Each package of a group of entry points, by name, and the result of `read` for the object it names.

    A package that cannot be imported, or that `read` refuses with any exception, is a PluginWarning,
    which names the `part` left out.
    """
    from importlib.metadata import entry_points  # late: most processes need no plug-ins

    for point in sorted(entry_points(group=group), key=lambda point: (_package(point), point.name)):
        package = _package(point)
        try:
            thing = read(point.load())
        except (Exception, SystemExit) as error:  # noqa: BLE001  a stranger's import may raise anything
            warnings.warn(
                f"{part} of package {package} cannot be used: entry point `{point.name} = {point.value}`"
                f" failed with {type(error).__name__}: {error}\nrepair or remove the package; the rest works",
                PluginWarning,
                stacklevel=2,
            )
        else:
            yield package, thing


def _package(point: EntryPoint) -> str:
    return point.dist.name if point.dist is not None else point.module.partition(".")[0]
