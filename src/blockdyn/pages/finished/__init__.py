"""Finished runs as pages: one HTML file with scopes, events, film and facts."""
