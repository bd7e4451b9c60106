"""A module is differentiated exactly, in forward mode, by a pass over its LLVM text."""

from .frame import NotDifferentiable
from .module import tangent_of

__all__ = ["NotDifferentiable", "tangent_of"]
