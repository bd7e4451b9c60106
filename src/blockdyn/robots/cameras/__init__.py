"""Cameras project points to the image; the image moves with the camera."""
