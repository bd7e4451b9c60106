"""What every package stands on: the root of all errors, places in files, YAML as data."""

if not __name__.startswith("blockdyn."):
    raise ImportError("this folder is a part of blockdyn: import blockdyn.base")
