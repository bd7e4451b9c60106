"""The graph: Diagram, YAML, checks, scheduling, code generation, simulation, results."""

if not __name__.startswith("blockdyn."):
    raise ImportError("this folder is a part of blockdyn: import blockdyn.diagrams")
