"""Localization: sensors of vehicles on the plane, and the estimators of their poses and maps, sampled."""
