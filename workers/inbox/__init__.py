"""The mail server that takes replies in."""
