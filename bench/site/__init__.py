"""Benchmarks of pages: how long the server takes for them, and whole games in a browser."""
