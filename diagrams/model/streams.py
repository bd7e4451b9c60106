"""A random block computes its numbers from a key, which does not depend on the order of computing."""

from __future__ import annotations

from hashlib import blake2b

import numpy as np

from ...solvers.layout import Floats


def stream(seed: int, scenario: int, path: str) -> Floats:
    """Two whole numbers below 2^32 that belong to a block in one scenario of one seed.

    Random blocks compute sample n from this key and n, so that nothing depends on which scenario ran first,
    where, or in what steps: Salmon, Moraes, Dror, Shaw, Parallel Random Numbers: As Easy as 1, 2, 3, SC11,
    2011, doi:10.1145/2063384.2063405.
    """
    text = f"{seed}/{scenario}/{path}".encode()
    return np.frombuffer(blake2b(text, digest_size=8).digest(), "<u4").astype(np.float64)
