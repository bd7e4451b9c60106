"""Elimination of dense and sparse matrices, real and complex, in place and without allocation."""
