"""Threads that work whenever they are woken; among them those that send deliveries in order."""
