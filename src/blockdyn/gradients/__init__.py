"""Gradients: what a run changes by with the numbers of its diagram; fits and tuning that follow from it."""
