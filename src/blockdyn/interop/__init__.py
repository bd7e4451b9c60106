"""Diagrams of other simulators run in blockdyn: a folder for each."""
