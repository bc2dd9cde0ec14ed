"""Persistence: the only package that contains SQL."""
