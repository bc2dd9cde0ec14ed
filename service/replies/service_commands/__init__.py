"""Commands for the address of the service itself: signing on, opening and joining games."""
