"""The command line: `blockdyn run`, `animate`, `check`, `robots`, `vehicles`, `gallery` and others."""

from .command import main

__all__ = ["main"]
