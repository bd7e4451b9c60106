"""Cameras: what they see of points, and how that moves with them."""
