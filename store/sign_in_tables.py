"""Defines the tables of sign-in requests and of sessions for one seat."""

from sqlalchemy import Column, ForeignKey, Integer, LargeBinary, Table, Text

from store.table_metadata import metadata

sign_ins = Table(
    "sign_ins",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("email", Text, nullable=False),  # may belong to no account
    Column("next", Text, nullable=False),  # the page to show after signing in
    Column("at", Text, nullable=False),
)
"""Requests for a sign-in link. A row is deleted once a worker has looked up the address."""

seat_sessions = Table(
    "seat_sessions",
    metadata,
    Column("id", Text, primary_key=True),
    Column("hash", LargeBinary, nullable=False, unique=True),  # never the cookie itself
    Column("account", ForeignKey("accounts.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("game", ForeignKey("games.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("seat", Integer, nullable=False),
    # The version that opened its decision; the column keeps its first name.
    Column("asked", Integer, key="decision_version", nullable=False),
    Column("links", Integer, nullable=False),  # the generation of the seat's links
    Column("label", Text, nullable=False),
    Column("created", Text, nullable=False),
    Column("expires", Text, nullable=False, index=True),
)
"""Sessions that a turn link has opened. They are not tokens: the API does not read this table."""
