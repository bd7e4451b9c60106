"""Figures show linear models, sensitivities, fits, tunings and orbits."""
