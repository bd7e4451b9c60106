"""Article: `a` or `an` before a name, as it is spoken."""

from __future__ import annotations

import re

_AN = r"[AEIO]|[FHLMNRSX](?=[A-Z0-9])|U(?!ni|[A-Z])"  # what begins with a vowel when spoken


def article(name: str) -> str:
    """The name behind its article: a Gain, an Expression, an FKine, a UnitDelay."""
    spoken = name[:1].upper() + name[1:]
    return f"{'an' if re.match(_AN, spoken) else 'a'} {name}"
