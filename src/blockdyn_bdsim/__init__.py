"""blockdyn for bdsim: where bdsim's own discovery finds blockdyn's blocks, `BDSIMPATH=blockdyn_bdsim`.

bdsim looks for a folder `blocks` in packages of the top level, and in it for classes with a base of a name
that ends in Block.
"""
