"""Coulomb friction: joints that stick and slide, and who turns back."""
