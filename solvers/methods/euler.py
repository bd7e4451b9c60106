"""Euler's method: one derivative, order 1. Institutionum calculi integralis, volume 1, 1768, chapter VII."""

from .method import Method
from .tableau import Tableau, rationals

EULER = Method(
    name="euler",
    title="Euler",
    source="L. Euler, Institutionum calculi integralis, volume 1 (1768), chapter VII",
    data=Tableau(
        order=1,
        c=rationals("0 1"),
        a=((), rationals("1")),
        dense=(rationals("1"), rationals("0")),  # the straight line that the method itself assumes
        dense_order=1,
    ),
)
