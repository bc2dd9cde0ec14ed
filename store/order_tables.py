"""Defines the table of standing orders."""

from sqlalchemy import Column, ForeignKey, Index, Integer, PrimaryKeyConstraint, Table, Text, text

from store.table_metadata import metadata

orders = Table(
    "orders",
    metadata,
    Column("game", ForeignKey("games.id", ondelete="CASCADE"), nullable=False),
    Column("account", ForeignKey("accounts.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("seat", Integer, nullable=False),
    Column("revision", Text, nullable=False),  # a new one each time orders are given
    Column("text", Text, nullable=False),
    Column("at_once", Integer, nullable=False),  # 1: without the delay that hides them
    Column("given", Text, nullable=False),
    Column("state", Text, nullable=False),  # waiting, stopped or finished
    Column("reason", Text),  # why they have stopped, in the language of their player
    Column("ended", Text),  # when they stopped or were finished
    Column("steps_done", Integer, nullable=False),
    Column("turns_used", Integer, nullable=False),
    Column("pending", Integer),
    Column("locomotives", Integer, nullable=False),
    Column("played", Text, nullable=False),  # the moves made so far, as JSON
    Column("due", Text),  # when they are judged; during a claim its lease; NULL: not awaited
    PrimaryKeyConstraint("game", "account"),
    Index(
        "ix_orders_due",
        "due",
        sqlite_where=text("due IS NOT NULL"),
        postgresql_where=text("due IS NOT NULL"),
    ),
)
