"""Matrices: products, transposes, norms and inverses of matrix signals."""
