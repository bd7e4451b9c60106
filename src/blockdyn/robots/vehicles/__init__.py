"""Rotors and flying rigid bodies make up vehicles such as multirotors."""
