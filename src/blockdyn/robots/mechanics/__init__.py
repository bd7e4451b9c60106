"""Mechanics kernels: plain functions on a robot's table, written once for Python and for machine code."""
