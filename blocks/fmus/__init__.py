"""Models that other tools have written as FMUs."""
