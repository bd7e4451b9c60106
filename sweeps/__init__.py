"""Sweeps: many scenarios of one diagram, run on all cores or a cluster, with statistics and pictures."""

if not __name__.startswith("blockdyn."):
    raise ImportError("this folder is a part of blockdyn: import blockdyn.sweeps")
