"""Linear models, and results computed from their four matrices."""
