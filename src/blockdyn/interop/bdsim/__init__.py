"""bdsim: its diagrams translated to blocks here and run as native code.

    from blockdyn.interop.bdsim import from_bdsim

    out = from_bdsim(bd).simulate(T=5, watch=[plant])      # in place of sim.run(bd, T=5, watch=[plant])

`BDSim` here is bdsim's own with that `run`, for programs that remain unchanged.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .imported import ImportedDiagram, from_bdsim

if TYPE_CHECKING:
    from .session import BDSim as BDSim, load_bd as load_bd

__all__ = ["BDSim", "ImportedDiagram", "from_bdsim", "load_bd"]


def __getattr__(name: str) -> object:
    if name == "BDSim":  # these two need bdsim itself
        from .session import BDSim

        return BDSim
    if name == "load_bd":
        from .session import load_bd

        return load_bd
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
