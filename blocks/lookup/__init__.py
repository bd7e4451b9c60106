"""Lookup: tables over signals."""
