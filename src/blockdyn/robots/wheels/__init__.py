"""Vehicles on wheels move in the plane."""
