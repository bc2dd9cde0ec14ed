"""Accounts, tokens, sessions, email addresses, opt-outs and limits on letters."""
