"""Figures and the report of a sweep are drawn from its ensemble."""
