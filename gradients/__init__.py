"""Gradients: what a run changes by with the numbers of its diagram; fits and tuning that follow from it."""

if not __name__.startswith("blockdyn."):
    raise ImportError("this folder is a part of blockdyn: import blockdyn.gradients")
