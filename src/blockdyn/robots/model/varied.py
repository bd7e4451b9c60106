"""Varied: a robot with a load, with wrong masses, without friction."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from ...base.checked import guarded
from ...base.shown import Shown
from ..errors import InvalidRobot

if TYPE_CHECKING:
    from .robot import Robot


class Varied(Shown):
    """Base of Robot: the robots that differ from it in masses or friction."""

    @guarded(InvalidRobot)
    def payload(
        self: Any, mass: float, at: Any = (0, 0, 0), inertia: Any = (0, 0, 0), *, frame: str | None = None
    ) -> Robot:
        """With a body of `mass` (kg), its centre of mass `at` (m), ADDED to the link that carries the tool.

            m = m1 + m2     m c = m1 c1 + m2 c2
            I = sum_k (I_k + m_k (|d_k|^2 1 - d_k d_k'))     d_k = c_k - c

        `at` and the body's `inertia` about its own centre of mass are in the frame of that link, or of the
        tool with frame="tool". Raises InvalidRobot.
        """
        from .transforms import payload

        return payload(self, mass, at, inertia, frame=frame)

    @guarded(InvalidRobot)
    def perturb(self: Any, fraction: float, seed: int, *, com: bool = False) -> Robot:
        """With masses and inertias that are wrong by up to `fraction`, drawn for each link by itself.

            m' = m (1 + fraction u0)
            s_k' = s_k (1 + fraction u_k)      c_k' = c_k (1 + fraction v_k)      k = 1, 2, 3

        u, v are uniform on [-1, 1]; s_k are the second moments of mass along the principal axes, I_1 = s_2 +
        s_3 and so on, so that every principal moment changes by at most `fraction` and the result is the
        inertia of some body whenever the given one is. (Where the given one is not, it is scaled as a whole.)
        The centre of mass c moves only with com=True. The draws depend on the seed and the link's place in
        the robot alone (Philox 4x64, Salmon et al., SC 2011): they are the same on every machine and for
        every choice of options.

        The toolbox scales the mass and the whole tensor by two numbers instead. Raises InvalidRobot.
        """
        from .transforms import perturb

        return perturb(self, fraction, seed, com=com)

    @guarded(InvalidRobot)
    def without_friction(self: Any, *kinds: Literal["coulomb", "viscous"]) -> Robot:
        """Without the named kinds of friction; without any where none is named."""
        from .transforms import without_friction

        return without_friction(self, *kinds)
