"""Trajectories with their derivatives: joints between and past points, poses along screws, flights."""

from ..toolbox import face

__getattr__, __dir__, __all__ = face(__name__, __file__)
