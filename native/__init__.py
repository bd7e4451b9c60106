"""Native code: Python functions compiled by numba once, kept by content, joined and run by LLVM."""

if not __name__.startswith("blockdyn."):
    raise ImportError("this is a part of blockdyn: import blockdyn.native")
