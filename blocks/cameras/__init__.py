"""Cameras: images of points, the motion of these images, and poses from images."""
