"""blockdyn: block diagrams for robots, declared in Python or YAML and run as native code."""

__version__ = "0.1.0"
