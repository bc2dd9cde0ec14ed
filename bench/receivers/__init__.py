"""Mail servers that discard what they get, each a process of its own."""
