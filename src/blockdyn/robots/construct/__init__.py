"""Robots are built from Denavit-Hartenberg rows, screws, elementary transforms, or URDF."""
