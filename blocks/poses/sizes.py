"""Sizes of pose signals, and the orders of roll, pitch and yaw."""

from __future__ import annotations

from ...robots.lie.orders import ORDERS
from ..contract.port import Size

POSE = Size((4, 4))
RPY_ORDERS = tuple(ORDERS)
