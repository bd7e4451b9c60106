"""Diagrams of other simulators, run here: a folder for each."""
