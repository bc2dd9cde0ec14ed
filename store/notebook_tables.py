"""Defines the table of notebooks."""

from sqlalchemy import Column, ForeignKey, Integer, PrimaryKeyConstraint, Table, Text

from store.table_metadata import metadata

notebooks = Table(
    "notebooks",
    metadata,
    Column("game", ForeignKey("games.id", ondelete="CASCADE"), nullable=False),
    Column("account", ForeignKey("accounts.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("version", Integer, nullable=False),  # counts changes
    Column("notes_version", Integer, nullable=False),  # the version that changed the notes last
    Column("notes", Text, nullable=False),
    Column("sketch", Text, nullable=False),  # the ids of routes in order, as JSON
    Column("at", Text, nullable=False),  # when it was changed last
    PrimaryKeyConstraint("game", "account"),
)
"""What players write down for themselves. It belongs to the account, not to the seat."""
