"""Figures and the report of a sweep."""
