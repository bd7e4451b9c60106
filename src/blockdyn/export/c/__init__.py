"""Diagrams as C: the functions of a program as C99, with a header, a start and a step."""
