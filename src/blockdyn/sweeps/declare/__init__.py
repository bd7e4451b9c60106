"""What a sweep says: axes, distributions, designs; checked where it is written."""
