"""Notices, their deliveries, hooks and mailboxes."""
