"""Declarations of a sweep: axes, distributions, designs; errors give their place in the file."""
