"""Inverse kinematics is numerical for any arm, and closed-form for suitable wrists or forearms."""

from ..toolbox import face

__getattr__, __dir__, __all__ = face(__name__, __file__)
