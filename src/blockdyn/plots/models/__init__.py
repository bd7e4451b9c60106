"""Figures of linear models, sensitivities, fits, tunings and orbits."""
