"""Measures: what a scenario comes to, computed from its rows while it runs; no trajectory is kept."""
