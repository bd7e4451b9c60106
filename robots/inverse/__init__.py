"""Inverse kinematics: numerical for any arm, closed for those whose wrist or forearm allows it."""

from .analytic import ikine_all, ikine_closed
from .errors import InvalidTask, InverseKinematicsError, NoClosedForm
from .form import form_of
from .numeric import ikine, ikine_path
from .solution import Solution

__all__ = [
    "InvalidTask",
    "InverseKinematicsError",
    "NoClosedForm",
    "Solution",
    "form_of",
    "ikine",
    "ikine_all",
    "ikine_closed",
    "ikine_path",
]
