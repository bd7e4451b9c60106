"""Planning finds paths over maps of obstacles, and shortest curves of vehicles that cannot turn in place."""

from ..toolbox import face

__getattr__, __dir__, __all__ = face(__name__, __file__)
