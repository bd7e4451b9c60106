"""Planning: the shortest curves between poses of vehicles that cannot turn on the spot."""

from ..toolbox import face

__getattr__, __dir__, __all__ = face(__name__, __file__)
