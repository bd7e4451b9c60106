"""Kernels of mechanics are called with plain arrays, and all frames of a robot are located."""
