"""Target paths: `kp`, `sub/block.parameter[0,1]`, `plant.robot.links.link2.mass`, taken apart."""

from __future__ import annotations

import re
from typing import NamedTuple, TypeAlias

Index: TypeAlias = "tuple[int, ...]"
Step: TypeAlias = "str | Index"

_OWNER = re.compile(r"[^\W\d]\w*(?:/[^\W\d]\w*)*")
_STEP = re.compile(r"\.([^.\[\]]+)|\[\s*(\d{1,9})\s*(?:,\s*(\d{1,9})\s*)?\]")
FORM = "`kp`, `block.parameter`, `sub/block.parameter[0]`, `plant.robot.payload.mass` or `simulate.rtol`"


class Parts(NamedTuple):
    """The block, subsystem or diagram parameter that a path begins with, and the steps behind it."""

    owner: str
    steps: tuple[Step, ...]


def parts(path: str) -> Parts | None:
    """The parts of a path; None where it is none."""
    text = path.strip()
    owner = _OWNER.match(text)
    if owner is None:
        return None
    steps: list[Step] = []
    at = owner.end()
    while at < len(text):
        step = _STEP.match(text, at)
        if step is None:
            return None
        name, first, second = step.groups()
        if name is not None:
            steps.append(name)
        else:
            steps.append((int(first),) if second is None else (int(first), int(second)))
        at = step.end()
    return Parts(owner.group(), tuple(steps))


def written(steps: tuple[Step, ...]) -> str:
    """Steps as text."""
    return "".join(
        f".{step}" if isinstance(step, str) else f"[{', '.join(map(str, step))}]" for step in steps
    )
