"""Each call of a program is a short list of instructions that every back end prints."""
