"""Destinations of accounts on channels such as Discord or ntfy, and the messages sent there."""
