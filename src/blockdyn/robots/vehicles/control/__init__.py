"""Controllers of multirotors, as functions of the measured and the reference motion."""
