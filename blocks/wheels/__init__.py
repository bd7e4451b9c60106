"""Vehicles on wheels, in the plane."""
