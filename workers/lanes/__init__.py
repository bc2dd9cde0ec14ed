"""Threads that work when woken, and the lane that sends deliveries in order."""
