"""Named: the entries of the API that the names in docstrings mean."""

from __future__ import annotations

import functools
import inspect
import re
from typing import Any

from .api import PAGES, classes
from .returned import members


def target(name: str, place: str, value: Any) -> str | None:
    """The full name of the entry that `name` means in the docstring of `value`, whose entry is `place`.

    It is a member of the same class or module, a class, or a member of one: `Result`, `Result.plot`. None for
    everything else, arguments of `value` included.
    """
    name = name.removesuffix("()")
    if name in argument_names(value):
        return None
    around = (place, place.rpartition(".")[0])
    known = _entries()
    near = (entry for each in around if (entry := f"{each}.{name}") in known)
    return next(near, None) or _apart().get(name)


def with_right_anchors(source: str, module: str) -> str:
    """The page of a module's source with links that lead back to entries, whichever module these are under.

    Sphinx takes one module for all of them: that of the first entry.
    """

    def right(link: re.Match[str]) -> str:
        parts = link[2].split(".")
        ends = (".".join(parts[start:]) for start in range(len(parts)))
        known = (f"{module}.{end}" for end in ends if f"{module}.{end}" in _entries())
        return link[1] + (link[2] if link[2] in _entries() else next(known, link[2]))

    return re.sub(r'(class="viewcode-back" href="[^"#]*#)([\w.]+)', right, source)


def argument_names(value: Any) -> frozenset[str]:
    """The names of the arguments of a function or class."""
    try:
        return frozenset(inspect.signature(value).parameters)
    except (TypeError, ValueError):
        return frozenset()


@functools.cache
def _entries() -> frozenset[str]:
    """The full names of everything that has an entry."""
    functions = (
        f"{page.module.__name__}.{name}"
        for page in PAGES.values()
        for name in page.module.__all__
        if inspect.isfunction(getattr(page.module, name))
    )
    inside = (f"{name}.{member}" for kind, name in classes().items() for member in members(kind))
    return frozenset((*functions, *classes().values(), *inside))


@functools.cache
def _apart() -> dict[str, str]:
    """Full names by what is said anywhere: `Result`, `Result.plot`, `robots.load`, `functions.rne`."""
    known: dict[str, str] = {}
    for full in sorted(_entries(), key=lambda full: full.count("."), reverse=True):  # the public ones win
        parts = full.split(".")
        start = next((at for at, part in enumerate(parts) if part[:1].isupper()), len(parts) - 2)
        known[".".join(parts[max(start, 1) :])] = full
    return known
