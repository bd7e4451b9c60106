"""Identification of arms: base parameters, exciting trajectories, least squares on measured motions."""
