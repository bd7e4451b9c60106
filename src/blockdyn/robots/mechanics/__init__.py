"""Mechanics kernels are plain functions on a robot's table, written once for Python and machine code."""
