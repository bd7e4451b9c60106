"""The steps of explicit methods, as the loop asks for them."""

from __future__ import annotations

from ..backend import Backend, Margin
from ..methods.method import Steps
from .dense import make_interpolate
from .step import make_take_explicit


def make_steps(backend: Backend, margin: Margin) -> Steps:
    """Steps by the tableau in the arrays of a run, and by the one that is written out."""
    prepare, interpolate = make_interpolate(backend)
    return Steps(make_take_explicit(backend, margin), prepare, interpolate, adjustable=True, explicit=True)
