"""Sources: signals that depend on time, files or random numbers, not on inputs."""
