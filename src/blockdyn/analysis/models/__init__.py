"""Linear models, and what is computed from their four matrices."""
