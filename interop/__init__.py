"""Diagrams of other simulators, run here: a folder for each."""

if not __name__.startswith("blockdyn."):
    raise ImportError("this folder is a part of blockdyn: import blockdyn.interop")
