"""Native code: Python functions compiled by numba once, kept by content, joined and run by LLVM."""
