"""Auto: Dormand-Prince 5(4) until the diagram is stiff, and Rodas5P as long as it is."""

from dataclasses import replace

from .dopri5 import DOPRI5
from .rodas5p import RODAS5P

AUTO = replace(
    DOPRI5,
    name="auto",
    title=f"{DOPRI5.title}; {RODAS5P.title} where it is stiff",
    source="Hairer and Wanner, Solving Ordinary Differential Equations II (1996), section IV.2; L. Petzold,"
    " SIAM Journal on Scientific and Statistical Computing 4(1) (1983) 136-148, doi:10.1137/0904010",
    aliases=(),
    stiff=RODAS5P,
)
