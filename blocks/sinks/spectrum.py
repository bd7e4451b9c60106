"""Spectrum: the amplitudes of the frequencies in the latest samples."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from ..contract.errors import ParameterError, SizeError
from ..contract.parameter import Array, option
from ..contract.port import Like, Port, Size
from ..discrete.samples import Samples, shift

LONGEST = 2048  # maximum number of samples: a tick takes length^2 products


class Spectrum(Samples):
    """Amplitude spectrum of the latest samples of a signal; for a vector, a matrix with a column per element.

        y_k = 2 |sum_n w_n u_n exp(-2 pi i k n / length)| / sum_n w_n,  k = 0 ... length/2

    at the frequencies k / (length sample_time), Hz; the first (the mean) and the last lack the factor 2.
    For a sine at one of these frequencies, y_k is its amplitude. The window w is Hann's, or 1
    (`rectangular`), which separates neighbouring frequencies better but leaks more from others. Samples
    before the first tick are `initial`. u feeds through to y directly. Raises ParameterError for a length
    that is odd or outside 2 ... 2048.
    Source: Harris, Proc. IEEE 66(1), 1978, 51-83, doi:10.1109/PROC.1978.10837.

    Example:
        {type: Spectrum, sample_time: 0.01, length: 64}
    """

    icon = "spectrum"
    outputs: ClassVar[tuple[Port, ...]] = (
        Port(
            "y", like=Like(("u",), exact=False), flat=True, size_rule="rows of frequencies, and columns as u"
        ),
    )
    held_initial: ClassVar[str] = ""

    length: int = option(default=64, doc="samples")
    window: str = option(default="hann", doc="weight of the samples", choices=("hann", "rectangular"))

    def check(self) -> None:
        if not 2 <= self.length <= LONGEST or self.length % 2:
            raise ParameterError(self.kind(), "length", self.length, f"an even number from 2 to {LONGEST}")

    def rows(self) -> int:
        return self.length - 1

    def guess(self) -> Size | None:
        return None

    def sizes(self, inputs: Mapping[str, Size | None]) -> Mapping[str, Size | None]:
        u = inputs["u"]
        if u is not None and len(u.shape) > 1:
            raise SizeError(str(u), "a scalar or a vector", "u")
        return {"y": None if u is None else Size((self.length // 2 + 1, *u.shape))}

    def constants(self) -> Mapping[str, Any]:
        n = np.arange(self.length)
        w = np.sin(np.pi * n / self.length) ** 2 if self.window == "hann" else np.ones(self.length)
        turns = 2.0 * np.pi * n / self.length
        return {
            **super().constants(),
            "weights": w / w.sum(),
            "cosines": np.cos(turns),
            "sines": np.sin(turns),
        }

    @staticmethod
    def output(u: Array, x: Array, weights: Array, cosines: Array, sines: Array, y: Array) -> None:
        count, size = u.shape[0], weights.shape[0]
        for k in range(size // 2 + 1):
            twice = 1.0 if k == 0 or 2 * k == size else 2.0
            for e in range(count):
                even = weights[0] * u[e]
                odd = 0.0
                for n in range(1, size):
                    value = weights[n] * x[n - 1, e]
                    even += value * cosines[k * n % size]
                    odd += value * sines[k * n % size]
                y[k * count + e] = twice * np.hypot(even, odd)

    update = staticmethod(shift)
