"""Vehicles consist of rotors and rigid bodies that fly; multirotors are made of both."""
