"""blockdyn: block diagrams for robots, declared in Python or YAML and run as native code.

The public names are listed in `__init__.pyi`, for editors and type checkers as well, and every block of the
library is one; each is imported when it is first asked for.
"""

from __future__ import annotations

import lazy_loader

__version__ = "0.1.0"

_public, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)


def __getattr__(name: str) -> object:
    try:
        return _public(name)
    except AttributeError:
        if name in __all__ or name.startswith("_"):
            raise
    from .blocks.contract.registry import library_type

    kind = library_type(name)
    if kind is not None:
        return kind
    from .base.absence import absence
    from .blocks.contract.foreign_names import block_named
    from .elsewhere import place_of
    from .robots.toolbox import answer as of_toolbox

    text = f"module {__name__!r} has no attribute {name!r}"
    block, robot = block_named(name, __all__), of_toolbox(name)
    place = place_of(name, block)
    if robot:
        text += f"\nthe Robotics Toolbox's `{name}` is here (in blockdyn.robots): {robot}"
    if place:
        text, block = f"{text}\nhere it is {place}", ""
    raise absence(text + block, name if block else "")
