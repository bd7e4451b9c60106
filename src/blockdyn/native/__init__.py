"""Python functions are compiled by numba once, kept by content, and joined and run by LLVM."""
