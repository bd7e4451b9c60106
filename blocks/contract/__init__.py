"""The contract of a block: parameters, ports, states and equations, declared and checked."""
