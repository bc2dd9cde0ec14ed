"""Defines the tables of destinations: where messages of a channel go, and what rooms were told."""

from sqlalchemy import Column, ForeignKey, Index, Integer, LargeBinary, Table, Text, text

from store.table_metadata import metadata

destinations = Table(
    "destinations",
    metadata,
    Column("id", Text, primary_key=True),
    Column("account", ForeignKey("accounts.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("channel", Text, nullable=False),
    Column("label", Text, nullable=False),  # what its owner reads; holds no secret
    Column("address", LargeBinary, nullable=False),  # encrypted with a key that is not here
    Column("place", Text, nullable=False),  # a keyed hash, equal for all that lead to one room
    Column("located", Integer, nullable=False, server_default="0"),  # 1: its service named it
    Column("shared", Integer, nullable=False),  # 1: a room in which others read, too
    Column("game", Text),  # limits it to one game
    Column("types", Text, nullable=False),  # the types of messages, as JSON
    Column("created", Text, nullable=False),
    Column("code", Text, unique=True),  # to be sent from the chat; NULL: connected
    Column("code_until", Text),
    Column("last_success", Text),
    Column("last_failure", Text),
    Column("last_error", Text),
    Column("failing_since", Text),  # since when all attempts have failed
    Column("held_until", Text),  # its service has asked us to wait
    Column("off_since", Text),
    Column("off_reason", Text),
    Index(
        "ix_destinations_channel_game",
        "channel",
        "game",
        sqlite_where=text("off_since IS NULL"),
        postgresql_where=text("off_since IS NULL"),
    ),
)

told_places = Table(
    "told_places",
    metadata,
    Column("place", Text, primary_key=True),
    Column("event", Text, primary_key=True),
    Column("delivery", Text, nullable=False),  # that tells, or has told; it may be deleted by now
    Column("at", Text, nullable=False, index=True),
    Column("sent", Text),
)
"""What a place was told, or is being told: the primary key keeps two deliveries apart."""
