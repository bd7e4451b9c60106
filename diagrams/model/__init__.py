"""What is declared: blocks, wires, subsystems, parameters; and what can be wrong with it."""
