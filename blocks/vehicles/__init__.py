"""Vehicles: bodies that fly or roll."""
