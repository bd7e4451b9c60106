"""Trajectories: motions of joints and poses over time, with their derivatives."""
