"""Accounts, tokens, sessions, mail addresses, opt-outs and limits on letters."""
