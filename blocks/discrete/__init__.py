"""Sampled blocks: states that change at ticks only."""
