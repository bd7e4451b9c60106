"""blockdyn: block diagrams for robots, declared in Python or YAML and run as native code.

The public names are listed in `__init__.pyi`, for editors and type checkers as well; each is imported when it
is first asked for.
"""

from __future__ import annotations

import lazy_loader

__version__ = "0.1.0"

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
