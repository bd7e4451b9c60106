"""Kernels estimate the pose of a vehicle on the plane from odometry and landmarks or a map."""
