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
    from .unknown_name import unknown_name

    raise unknown_name(name, __all__)
