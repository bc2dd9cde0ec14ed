"""Who is told what, and on which channel: the outbox, hooks, recipients."""
