"""Arms are identified by base parameters, exciting trajectories, and least squares on measured motions."""
