"""PRBS: a pseudo-random binary sequence of maximum length, from a shift register."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from ..contract.errors import ParameterError
from ..contract.parameter import Real, option, parameter
from ..contract.port import State
from .source import Source

TAPS = {
    2: 0b11, 3: 0b110, 4: 0b1100, 5: 0x14, 6: 0x30, 7: 0x60, 8: 0xB8, 9: 0x110, 10: 0x240, 11: 0x500,
    12: 0x829, 13: 0x100D, 14: 0x2015, 15: 0x6000, 16: 0xD008, 17: 0x12000, 18: 0x20400, 19: 0x40023,
    20: 0x90000, 21: 0x140000, 22: 0x300000, 23: 0x420000, 24: 0xE10000,
}  # fmt: skip
"""Bit n - 1 for a tap n: Alfke, Xilinx application note XAPP 052 (1996), table 3."""


class PRBS(Source):
    """A maximum-length sequence: a test signal with the spectrum of white noise.

        y = high where the last bit of the register is 1, low where it is 0,  t_k <= t < t_{k+1}
        register <- (2 register + parity of the taps' bits) modulo 2^n,  t_k = offset + k sample_time

    A register of n = `order` bits takes all 2^n - 1 nonzero values before it repeats; the
    autocorrelation is 1 at 0, and -1/(2^n - 1) at every other sample of a period. Before the first tick y is
    `low`. `seed`, 1 to 2^n - 1, is the register at the start: other seeds start the same sequence at a later
    point.
    Source: Golomb, Shift Register Sequences (1967); taps of P. Alfke, Xilinx XAPP 052 (1996).

    Example:
        {type: PRBS, order: 7, sample_time: 0.01, low: -1.0, high: 1.0}
    """

    icon = "bits"
    states: ClassVar = (State("register", "seed"),)
    sampled: ClassVar = True
    held_initial: ClassVar = "low"

    order: int = option(default=7, doc="bits of the register, 2 to 24")
    sample_time: Real = parameter(default=0.1, unit="s", doc="length of a bit", above=0, dimensions=(0,))
    offset: Real = parameter(default=0.0, unit="s", doc="first tick", minimum=0, dimensions=(0,))
    low: Real = parameter(default=-1.0, unit="[y]", doc="y for a bit of 0", dimensions=(0,))
    high: Real = parameter(default=1.0, unit="[y]", doc="y for a bit of 1", dimensions=(0,))
    seed: Real = parameter(default=1.0, unit="1", doc="register at the start", minimum=1, dimensions=(0,))
    unit: str = option(default="", doc="unit of y")

    elementwise: ClassVar = True

    def check(self) -> None:
        if self.order not in TAPS:
            raise ParameterError("PRBS", "order", self.order, "a whole number from 2 to 24")
        if self.seed % 1 or self.seed >= 2**self.order:  # type: ignore[operator]
            expected = f"a whole number from 1 to {2**self.order - 1}"
            raise ParameterError("PRBS", "seed", self.seed, expected)

    def constants(self) -> Mapping[str, float]:
        return {"taps": float(TAPS[self.order]), "values": float(2**self.order)}

    @staticmethod
    def output(register: float, low: float, high: float) -> float:
        return high if int(register) & 1 == 1 else low

    @staticmethod
    def update(register: float, taps: float, values: float) -> float:
        bits = int(register) & int(taps)
        for shift in (16, 8, 4, 2, 1):  # the parity of the bits ends up in the last one
            bits ^= bits >> shift
        return float((2 * int(register)) % int(values) + (bits & 1))
