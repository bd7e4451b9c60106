"""Declaration of diagrams: blocks, wires, subsystems, parameters, and their errors."""
