"""From the values of a scenario to the places in memory where it differs."""
