"""Vehicles: where rotors sit and what they do together."""
