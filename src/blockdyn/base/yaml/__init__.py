"""YAML 1.2 as values with positions, for diagrams and robots; nothing in a file is ever executed."""
