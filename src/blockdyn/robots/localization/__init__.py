"""Localization: where a vehicle on the plane is, from odometry and landmarks or a map, as kernels."""
