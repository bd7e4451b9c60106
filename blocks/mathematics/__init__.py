"""Mathematics: memoryless functions of signals."""
