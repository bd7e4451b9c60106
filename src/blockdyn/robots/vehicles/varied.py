"""Varied: a multirotor with a load, or with wrong numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...base.checked import guarded
from ...base.shown import Shown
from ..errors import InvalidRobot

if TYPE_CHECKING:
    from .multirotor import Multirotor


class Varied(Shown):
    """Base of Multirotor: the vehicles that differ from it in masses or coefficients."""

    @guarded(InvalidRobot)
    def payload(self: Any, mass: float, at: Any = (0, 0, 0), inertia: Any = (0, 0, 0)) -> Multirotor:
        """With a body of `mass` (kg), centre of mass `at` (m) and `inertia` about that (kg m2) fixed to it.

            m = m1 + m2     m c = m2 p     I = I1 + I2 + sum_k m_k (|d_k|^2 1 - d_k d_k')     d_k = p_k - c

        The centre of mass moves by c: rotors, sensors and gear are said from the new one.
        Raises InvalidRobot.
        """
        from .changes import payload

        return payload(self, mass, at, inertia)

    @guarded(InvalidRobot)
    def perturb(self: Any, fraction: float, seed: int) -> Multirotor:
        """With mass, inertia and coefficients that are wrong by up to `fraction`, each by itself.

        Every number is multiplied by 1 + fraction u, u uniform on [-1, 1]: the mass, the second moments of
        mass along the principal axes (so that the result is the inertia of some body), the drag of the body,
        and for each rotor its thrust, its torque and its drag. The draws depend on the seed and on the
        rotor's place in the list alone (Philox 4x64, Salmon et al., SC 2011): they are the same on every
        machine. Raises InvalidRobot.
        """
        from .changes import perturb

        return perturb(self, fraction, seed)
