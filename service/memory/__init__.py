"""Caches of a process, and how waiting requests are woken."""
