"""Inverse kinematics: numerical for any arm, closed for those whose wrist or forearm allows it."""

from typing import TYPE_CHECKING, Any

from .analytic import ikine_all, ikine_closed
from .errors import InvalidTask, InverseKinematicsError, NoClosedForm
from .form import form_of
from .null_space import Centred, qmincon
from .numeric import ikine, ikine_path
from .resolved_rate import resolved_rate
from .solution import Solution
from .three_joints import ikine3

__all__ = [
    "Centred",
    "InvalidTask",
    "InverseKinematicsError",
    "NoClosedForm",
    "Solution",
    "form_of",
    "ikine",
    "ikine3",
    "ikine_all",
    "ikine_closed",
    "ikine_path",
    "qmincon",
    "resolved_rate",
]


if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        from ..toolbox import absent

        raise absent(f"module {__name__!r}", name)
