"""Vehicles on wheels: motion in the plane."""
