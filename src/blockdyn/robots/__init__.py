"""Rigid-body mechanics: spatial algebra, robot and vehicle models, their data files; knows no blocks.

The public names are listed in `__init__.pyi`. Each is imported when it is first asked for, because every part
of blockdyn passes through this file.
"""

from .toolbox import face

__getattr__, __dir__, __all__ = face(__name__, __file__)
