"""Builders: a robot from Denavit-Hartenberg rows, screws, elementary transforms, or URDF."""
