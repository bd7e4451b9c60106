"""The functions of the book Modern Robotics, on blockdyn's kernels: `import blockdyn.modern_robotics as mr`.

All functions of the library that accompanies the book (Lynch, Park, Cambridge University Press 2017), by
name, argument order and result. Twists and wrenches are (angular, linear), as in the book.
"""

from __future__ import annotations

from .robots import modern_robotics as _book
from .robots.modern_robotics import *  # noqa: F403  one list of the names, in the package's stub

__all__ = dir(_book)  # pyright: ignore[reportUnsupportedDunderAll]
