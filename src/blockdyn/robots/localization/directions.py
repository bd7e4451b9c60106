"""Directions of many points at once: an arc tangent without branches, for compiled loops."""

from __future__ import annotations

from math import pi

NEAR_DIAGONAL = 0.66  # above this tangent the diagonal is nearer than the axis, as the fit below has it


def direction(ahead: float, left: float) -> float:
    """atan2(left, ahead), to the last bit or two; 0 for the origin.

    Sums, products, quotients and choices alone: compilers take several elements of a loop at once, which they
    do not with a call of the C library. The angle is reduced to +-0.58 rad about an axis or a diagonal. The
    rational fit is that of Moshier, Methods and Programs for Mathematical Functions (1989), `atan` of Cephes.
    """
    a, b = abs(ahead), abs(left)
    great, small = (a, b) if a > b else (b, a)
    steep = small > NEAR_DIAGONAL * great
    over = small - great if steep else small
    under = small + great if steep else great
    x = over / (under if under > 0.0 else 1.0)
    z = x * x
    top = (
        ((-0.8750608600031904 * z - 16.157537187333652) * z - 75.00855792314705) * z - 122.88666844901361
    ) * z
    bottom = (
        (((z + 24.858464901423062) * z + 165.02700983169885) * z + 432.88106049129027) * z + 485.3903996359137
    ) * z
    angle = x + x * z * (top - 64.85021904942025) / (bottom + 194.5506571482614)
    angle = angle + 0.25 * pi if steep else angle
    angle = 0.5 * pi - angle if b > a else angle
    angle = pi - angle if ahead < 0.0 else angle
    return -angle if left < 0.0 else angle
