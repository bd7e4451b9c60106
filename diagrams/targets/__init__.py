"""Targets: the places in a diagram that get other values, by path: those of `set` and of sweeps."""
