"""Persistence: the only room that knows SQL."""
