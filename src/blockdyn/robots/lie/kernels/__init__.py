"""Lie groups for compiled code: numbers in, arrays written in place, nothing checked, nothing allocated."""
