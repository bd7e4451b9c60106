"""The same FMUs in a short run, T = 100: making an instance and the rows of the log count as well."""

from __future__ import annotations

from functools import partial

from .fmu import blocks, exported, ours as from_c
from .van_der_pol import REFERENCE as REFERENCE

TITLE = "FMU against blocks in a short run: van der Pol, mu=1, T=100, rtol 1e-6, atol 1e-9"
STOP = 100.0
REQUIRED = {"blocks": 0.667}
SLOW: frozenset[str] = frozenset()
ours = partial(from_c, STOP)
ENGINES = {"ours": ours, "blocks": partial(blocks, STOP), "exported": partial(exported, STOP)}
