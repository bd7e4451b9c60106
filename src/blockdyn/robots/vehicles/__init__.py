"""Vehicles: rotors, rigid bodies that fly, and multirotors made of both."""
