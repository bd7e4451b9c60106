"""Drives of joints: motors with their velocity and position loops."""
