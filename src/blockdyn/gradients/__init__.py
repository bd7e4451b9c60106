"""Derivatives of runs with respect to values in their diagram are the basis of fits and tuning."""
