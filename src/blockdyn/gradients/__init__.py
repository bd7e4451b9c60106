"""Derivatives of runs by the numbers of their diagram; fits and tuning based on them."""
