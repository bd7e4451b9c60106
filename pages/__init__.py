"""Pages: what a browser shows of runs."""

if not __name__.startswith("blockdyn."):
    raise ImportError("this folder is a part of blockdyn: import blockdyn.pages")
