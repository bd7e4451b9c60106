"""How the functions of a program are entered and left: their arguments, their status."""

from __future__ import annotations

from ....solvers.fields import DATA
from ....solvers.layout import Memory
from .body import Body

FIELDS = {
    "z": "z",
    "m": "modes",
    "p": "p",
    "w": "w",
    "g": "g",
    "hit": "hit",
    "fired": "fired",
    "fresh": "fresh",
}
TABLE = {pointer: Memory.fields[name].word + DATA for pointer, name in FIELDS.items()}
"""The word of Memory that holds the address of each array."""
POINTERS = ("x", "dx", *TABLE)
_HEAD = "double %t, " + ", ".join(f"ptr noalias nocapture %{name}" for name in POINTERS)


def finish(body: Body, name: str, result: str = "0", *, entered: bool = True) -> str:
    """The text of a function that returns `result`, or -1 when something in it failed.

    `entered` says whether solvers call it; if not, other functions of the program do, as `<name>_body`.
    """
    writer = body.writer
    body.restore_modes()
    status = writer.load(body.status, 0, "i32")
    failed = writer.do(f"icmp ne i32 {status}, 0")
    writer.put(f"ret i64 {writer.do(f'select i1 {failed}, i64 -1, i64 {result}')}")
    return writer.text(f"define internal i64 @{name}_body({_HEAD})") + (_entry(name) if entered else "")


def _entry(name: str) -> str:
    """The function that solvers call: (t, x, dx, memory) -> i64."""
    lines = [f"define i64 @{name}(double %t, ptr %x, ptr %dx, ptr %memory) {{", "entry:"]
    for pointer, word in TABLE.items():
        lines.append(f"  %{pointer}_at = getelementptr inbounds ptr, ptr %memory, i64 {word}")
        lines.append(f"  %{pointer} = load ptr, ptr %{pointer}_at, align 8")
    arguments = ", ".join(f"ptr %{pointer}" for pointer in POINTERS)
    lines += [f"  %r = call i64 @{name}_body(double %t, {arguments}) alwaysinline", "  ret i64 %r", "}", ""]
    return "\n".join(lines)
