"""Rigid-body mechanics: spatial algebra, robot and vehicle models, their data files; knows no blocks."""

if not __name__.startswith("blockdyn."):
    raise ImportError("this folder is a part of blockdyn: import blockdyn.robots")
