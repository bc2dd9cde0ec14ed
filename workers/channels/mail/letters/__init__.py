"""What letters say, and how they are written down."""
