"""Paint: the colours of one body of an animation."""

from __future__ import annotations

from dataclasses import dataclass

from ..pictures.picture import LINK, PRISMATIC, REVOLUTE

TRAIL, WANTED = "#CC79A7", "#8C9199"


@dataclass(frozen=True)
class Paint:
    """Colours as #RRGGBB: of limbs, of what turns, of what stands out among it, of the path left behind."""

    limb: str = LINK
    turning: str = REVOLUTE
    accent: str = PRISMATIC
    trail: str = TRAIL


UNPAINTED = Paint()


def paint_of(color: str) -> Paint:
    """Shades of one colour, that tell a body from its neighbours."""
    return Paint(lighter(color), color, _mixed(color, 0, 0.45), color)


def lighter(color: str) -> str:
    """A lighter shade of a colour."""
    return _mixed(color, 255, 0.5)


def _mixed(color: str, grey: int, share: float) -> str:
    parts = (int(color[i : i + 2], 16) for i in (1, 3, 5))
    return "#" + "".join(f"{round((1 - share) * part + share * grey):02X}" for part in parts)
