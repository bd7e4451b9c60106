"""Everything that draws with matplotlib, and films."""
