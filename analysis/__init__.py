"""Analysis: linear models of diagrams, operating points, and what is known of a system from them."""

if not __name__.startswith("blockdyn."):
    raise ImportError("this folder is a part of blockdyn: import blockdyn.analysis")
