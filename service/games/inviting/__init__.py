"""Invitations to a table: what they reserve, their letters, and the codes that accept them."""
