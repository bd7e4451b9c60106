"""Equations v = c(v) of algebraic loops: Newton's method, and searches across kinks."""
