"""The functions of the book Modern Robotics (Lynch, Park 2017), by its names, argument order and results.

Twists and wrenches are (angular, linear) in this package only.
"""

from ..toolbox import face

__getattr__, __dir__, __all__ = face(__name__, __file__)
