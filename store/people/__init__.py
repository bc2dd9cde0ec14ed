"""Accounts, tokens, the sign-in queue, and limits on letters."""
