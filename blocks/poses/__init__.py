"""Poses: 4x4 signals, from and to coordinates, products, differences and integrals."""
