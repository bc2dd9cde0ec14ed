"""`nightmail hook listen`: brings the messages of webhooks to a program on this machine."""
