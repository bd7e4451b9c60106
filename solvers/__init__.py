"""ODE mathematics: tableaus, step control, dense output, events; knows no blocks."""

if not __name__.startswith("blockdyn."):
    raise ImportError("this folder is a part of blockdyn: import blockdyn.solvers")
