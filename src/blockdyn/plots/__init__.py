"""Figures and films are drawn with matplotlib."""
