"""Elementary functions in machine code of our own: the same bits on every processor, within one ulp."""
