"""Explains the commonest slips of client authors, in requests and in moves."""
