"""Models that other tools have exported as FMUs."""
