"""Absence: the error of a module for a name that it does not have, also where the name is imported."""

from __future__ import annotations

import dis
import sys

_IMPORT_FROM = dis.opmap.get("IMPORT_FROM", -1)


def absence(text: str, name: str = "", *, level: int = 2) -> AttributeError | ImportError:
    """What a module's `__getattr__` raises: AttributeError, and ImportError in `from module import name`.

    Of an AttributeError Python would make an ImportError in words of its own. `level` is the number of
    frames from here to the line that asks. With a `name` Python adds no guess to an AttributeError.
    """
    frame = sys._getframe(level)
    at = frame.f_lasti
    if 0 <= at < len(frame.f_code.co_code) and frame.f_code.co_code[at] == _IMPORT_FROM:
        return ImportError(text)
    return AttributeError(text, name=name) if name else AttributeError(text)
