"""A robot's geometry is read back as Denavit-Hartenberg rows, screws, or elementary transforms."""
