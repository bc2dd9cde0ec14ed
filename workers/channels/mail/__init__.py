"""The mail channel: composing letters and sending them."""
