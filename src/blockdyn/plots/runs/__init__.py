"""Figures show the signals of a result."""
