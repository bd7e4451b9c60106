"""State machines: their declaration, errors, formulas and pictures."""
