"""Inverse kinematics is numerical for any arm, and closed for those whose wrist or forearm allows it."""

from ..toolbox import face

__getattr__, __dir__, __all__ = face(__name__, __file__)
