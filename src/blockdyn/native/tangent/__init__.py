"""Tangents: exact forward derivatives of a module, by a pass over its LLVM text."""

from .module import tangent_of
from .refused import NotDifferentiable

__all__ = ["NotDifferentiable", "tangent_of"]
