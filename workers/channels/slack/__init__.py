"""The channel of Slack, and of services that take the same messages."""
