"""What a block is: parameters, ports, states and equations, and how they are declared and checked."""
