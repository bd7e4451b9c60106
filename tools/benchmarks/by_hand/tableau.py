"""Dormand-Prince 5(4). Journal of Computational and Applied Mathematics 6(1), 1980, 19-26."""

from typing import Final

A21: Final = 1 / 5
A31: Final = 3 / 40
A32: Final = 9 / 40
A41: Final = 44 / 45
A42: Final = -56 / 15
A43: Final = 32 / 9
A51: Final = 19372 / 6561
A52: Final = -25360 / 2187
A53: Final = 64448 / 6561
A54: Final = -212 / 729
A61: Final = 9017 / 3168
A62: Final = -355 / 33
A63: Final = 46732 / 5247
A64: Final = 49 / 176
A65: Final = -5103 / 18656
B1: Final = 35 / 384
B3: Final = 500 / 1113
B4: Final = 125 / 192
B5: Final = -2187 / 6784
B6: Final = 11 / 84
E1: Final = 71 / 57600
E3: Final = -71 / 16695
E4: Final = 71 / 1920
E5: Final = -17253 / 339200
E6: Final = 22 / 525
E7: Final = -1 / 40

# step-size control: Hairer, Norsett, Wanner, Solving ODEs I (1993), section II.4 and code DOPRI5
BETA: Final = 0.04
ALPHA: Final = 0.2 - 0.75 * BETA
SAFETY: Final = 0.9
SHRINK: Final = 0.2
GROW: Final = 10.0
