"""Kernels of mechanics as functions of plain arrays, and where all frames of a robot are."""
