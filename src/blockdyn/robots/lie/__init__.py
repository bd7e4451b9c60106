"""Lie groups of rigid motion: rotations, poses, quaternions, twists. Angles in rad, lengths in m.

Twists and exponential coordinates of poses are (linear, angular), quaternions scalar first. The functions
here check their arguments; `lie.kernels` holds the equations, for compiled code.
"""

from ..toolbox import face

__getattr__, __dir__, __all__ = face(__name__, __file__)
