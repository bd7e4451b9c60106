"""Kernels estimate the pose of a vehicle in the plane from odometry and landmarks or a map."""
