"""From a plan to LLVM text: kernels are called, wiring disappears."""
