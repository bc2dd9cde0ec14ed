"""The channel of ntfy: push messages by topics."""
