"""Controllers of multirotors are functions of the measured and the reference motion."""
