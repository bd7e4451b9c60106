"""Trajectories and their derivatives: joint motions through points, poses along screws, flights."""

from ..toolbox import face

__getattr__, __dir__, __all__ = face(__name__, __file__)
