"""Scalars: what unquoted text means by the core schema of YAML 1.2 (specification 1.2.2, section 10.3.2)."""

from __future__ import annotations

import math
import re

Scalar = None | bool | int | float | str

_WORDS: dict[str, bool | float | None] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), None),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
    **{sign + word: math.inf for sign in ("", "+") for word in (".inf", ".Inf", ".INF")},
    **dict.fromkeys(("-.inf", "-.Inf", "-.INF"), -math.inf),
    **dict.fromkeys((".nan", ".NaN", ".NAN"), math.nan),
}
_BASES = {"0o": 8, "0x": 16}
_WHOLE = re.compile(r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+")
_REAL = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_EXACT = 2**63  # larger integers are kept in double precision


def resolve(text: str) -> Scalar:
    """The value of unquoted text: 1e5 is a number, 012 is twelve, `on` is text.

    Raises OverflowError for a number beyond double precision.
    """
    if text in _WORDS:
        return _WORDS[text]
    if text[0] not in "+-.0123456789":
        return text
    if _WHOLE.fullmatch(text):
        base = _BASES.get(text[:2])
        if len(text) <= 20:
            integer = int(text[2:], base) if base else int(text)
            if abs(integer) < _EXACT:
                return integer
        return _finite(text if base is None else str(float.fromhex(text)) if base == 16 else _octal(text))
    return _finite(text) if _REAL.fullmatch(text) else text


def _octal(text: str) -> str:
    if len(text) > 345:  # 8**342 is the largest power that double precision holds
        raise OverflowError
    return str(int(text[2:], 8))


def _finite(text: str) -> float:
    value = float(text)
    if math.isinf(value):
        raise OverflowError
    return value
