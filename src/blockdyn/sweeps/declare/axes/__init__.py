"""The forms in which the values of an axis are given."""
