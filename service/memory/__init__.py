"""What a process remembers, and how waiting requests are woken."""
