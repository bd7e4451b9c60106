"""Drivers: from where a vehicle on wheels is to how it steers, and how fast it goes."""
