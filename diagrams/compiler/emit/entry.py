"""How the functions of a program are entered and left: their arguments, their status."""

from __future__ import annotations

from ....solvers.fields import DATA
from ....solvers.layout import Memory
from ..plan.layout import Plan
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


SOLVING = ("derivative", "evaluate", "remember")  # the functions that solve loops at trial points
UNSOLVED = 2  # what a function returns when a loop of it was not solved


def finish(body: Body, name: str, result: str = "0", *, entered: bool = True) -> str:
    """The text of a function that returns `result`, or -1 when something in it failed.

    `entered` says whether solvers call it; if not, other functions of the program do, as `<name>_body`.
    """
    writer = body.writer
    status = writer.load(body.status, 0, "i32")
    failed = writer.do(f"icmp ne i32 {status}, 0")
    writer.put(f"ret i64 {writer.do(f'select i1 {failed}, i64 -1, i64 {result}')}")
    return writer.text(f"define internal i64 @{name}_body({_HEAD})") + (
        _entry(body.plan, name) if entered else ""
    )


def _entry(plan: Plan, name: str) -> str:
    """The function that solvers call: (t, x, dx, memory) -> i64."""
    lines = [f"define i64 @{name}(double %t, ptr %x, ptr %dx, ptr %memory) {{", "entry:"]
    for pointer, word in TABLE.items():
        lines.append(f"  %{pointer}_at = getelementptr inbounds ptr, ptr %memory, i64 {word}")
        lines.append(f"  %{pointer} = load ptr, ptr %{pointer}_at, align 8")
    arguments = ", ".join(f"ptr %{pointer}" for pointer in POINTERS)
    call = f"call i64 @{name}_body(double %t, {arguments})"
    lines.append(f"  %r = {call} alwaysinline")
    if name in SOLVING and plan.joint is not None and plan.joint_modes:
        lines += _again(plan.joint.mode_at, plan.joint_modes, call)
    return "\n".join([*lines, "  ret i64 %r", "}", ""])


def _again(joint: int, modes: list[int], call: str) -> list[str]:
    """The function once more where a loop has no solution in its modes: they are solved for, and put back.

    A branch may end at its kink, as the root of a limited signal does: the step goes across, to the event.
    """
    lines = [
        f"  %joint = getelementptr inbounds i64, ptr %m, i64 {joint}",
        "  %searched = load i64, ptr %joint",
    ]
    lines += [f"  %unsolved = icmp eq i64 %r, {UNSOLVED}", "  %first = icmp eq i64 %searched, 0"]
    lines += ["  %retry = and i1 %unsolved, %first", "  br i1 %retry, label %again, label %end", "again:"]
    lines.append("  store i64 1, ptr %joint")
    for k, mode in enumerate(modes):
        lines.append(f"  %at{k} = getelementptr inbounds i64, ptr %m, i64 {mode}")
        lines.append(f"  %before{k} = load i64, ptr %at{k}")
    lines.append(f"  %s = {call} noinline")
    lines += [f"  store i64 %before{k}, ptr %at{k}" for k in range(len(modes))]
    return [*lines, "  store i64 0, ptr %joint", "  ret i64 %s", "end:"]
