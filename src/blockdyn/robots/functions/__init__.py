"""Functions of a robot: kinematics, dynamics and their measures, as machine code with plain calls."""

from ..toolbox import face

__getattr__, __dir__, __all__ = face(__name__, __file__)
