"""Conversions: a robot's geometry read back as Denavit-Hartenberg rows, screws, or elementary transforms."""
