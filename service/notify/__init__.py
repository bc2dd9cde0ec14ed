"""Notifications: channels, the outbox and its deliveries, hooks, recipients of letters."""
