"""Derivatives of runs with respect to the numbers of their diagram; fits and tuning based on them."""
