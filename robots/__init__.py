"""Rigid-body mechanics: spatial algebra, robot and vehicle models, their data files; knows no blocks.

The public names are listed in `__init__.pyi`. Each is imported when it is first asked for, because every part
of blockdyn passes through this file.
"""

if not __name__.startswith("blockdyn."):
    raise ImportError("this folder is a part of blockdyn: import blockdyn.robots")

import lazy_loader

_public, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)


def __getattr__(name: str) -> object:
    try:
        return _public(name)
    except AttributeError:
        from .toolbox import absent

        raise absent(f"module {__name__!r}", name) from None
