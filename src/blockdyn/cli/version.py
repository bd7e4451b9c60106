"""`blockdyn version`: blockdyn, and what it computes with."""

from __future__ import annotations

import platform
from argparse import Namespace

from ..diagrams.runs.ended import versions
from .console import show


def version(arguments: Namespace) -> int:
    """Print the versions in one line."""
    from .. import __version__

    packages = ", ".join(f"{name} {number}" for name, number in versions().items() if name != "blockdyn")
    show(f"blockdyn {__version__} (Python {platform.python_version()}, {packages})")
    return 0
