"""Continuous blocks: states that flow."""
