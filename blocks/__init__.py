"""The block contract and the block library by family, independent of diagrams."""

if not __name__.startswith("blockdyn."):
    raise ImportError("this folder is a part of blockdyn: import blockdyn.blocks")
