"""Rigid-body mechanics: spatial algebra, robot and vehicle models, their data files; independent of blocks.

The public names are listed in `__init__.pyi`. Each is imported on first use, because all
of blockdyn imports this file.
"""

from .toolbox import face

__getattr__, __dir__, __all__ = face(__name__, __file__)
