"""State machines: how they are declared, what can be wrong with them, their formulas and pictures."""
