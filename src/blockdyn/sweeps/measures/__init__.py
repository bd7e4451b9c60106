"""Measures are computed from the rows of a scenario while it runs; no trajectory is kept."""
