"""Accounts, and what limits the letters to them."""
