"""From a diagram to a program: plan, LLVM text, and the same plan run by Python."""
