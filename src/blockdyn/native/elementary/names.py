"""Calls of the C library's elementary functions in LLVM text become calls of ours, under names of their own.

LLVM knows the functions of the C library by name: it computes their values at constants with the library of
the machine that compiles. It knows nothing about ours.
"""

from __future__ import annotations

import re

PREFIX = "elementary."
OF_ONE = (
    "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh",
    "exp", "exp2", "expm1", "log", "log2", "log10", "log1p",
)  # fmt: skip
OF_TWO = ("atan2", "hypot", "pow", "fmod")
ATTRIBUTES = "nounwind willreturn nofree nosync speculatable memory(none)"

_any = "|".join((*OF_ONE, *OF_TWO))
_DECLARED = re.compile(rf"^declare [^@\n]*@(?:{_any}|llvm\.(?:{_any})\.f64)\(.*\n", re.MULTILINE)
_CALLED = re.compile(rf"@(?:llvm\.({_any})\.f64|({_any}))(?=\()")
_ROOT = re.compile(r"^declare double @(?:llvm\.sqrt\.f64|sqrt)\(.*\n", re.MULTILINE)
_REMAINDER = re.compile(r"= frem (double [^,\n]+), ([^,\n]+)")


def declaration(name: str) -> str:
    """Declaration of a function of ours."""
    return f"declare double @{PREFIX}{name}(double{', double' if name in OF_TWO else ''}) {ATTRIBUTES}\n"


def replace_functions(text: str) -> str:
    """LLVM text with our functions in place of the C library's, and of the instruction for remainders."""
    if "@sqrt(" in text:
        text = _ROOT.sub("", text).replace("@sqrt(", "@llvm.sqrt.f64(")
        text += "\ndeclare double @llvm.sqrt.f64(double)\n"
    text = _DECLARED.sub("", text)
    text = _REMAINDER.sub(rf"= call double @{PREFIX}fmod(\1, double \2)", text)
    text = _CALLED.sub(lambda match: f"@{PREFIX}{match[1] or match[2]}", text)
    called = {name for name in (*OF_ONE, *OF_TWO) if f"@{PREFIX}{name}(" in text}
    return text + "\n" + "".join(declaration(name) for name in sorted(called))


def is_ours(symbol: str) -> bool:
    """True for the name of a function of the C library or of LLVM that is replaced."""
    return symbol == "sqrt" or _CALLED.match(f"@{symbol}(") is not None
