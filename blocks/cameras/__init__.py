"""Cameras: images of points, how they move, and poses from them."""
