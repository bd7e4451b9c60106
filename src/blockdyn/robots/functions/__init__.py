"""Functions of a robot compute kinematics, dynamics and their measures by machine code."""

from ..toolbox import face

__getattr__, __dir__, __all__ = face(__name__, __file__)
