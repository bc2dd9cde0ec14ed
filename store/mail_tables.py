"""Defines the tables about held mail, bounces, and reply addresses for several games."""

from sqlalchemy import (
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    PrimaryKeyConstraint,
    Table,
    Text,
    UniqueConstraint,
)

from store.table_metadata import metadata

mailbox_decisions = Table(
    "mailbox_decisions",
    metadata,
    Column("hash", ForeignKey("mailboxes.hash", ondelete="CASCADE"), nullable=False),
    Column("letter", Text, nullable=False),  # stands for the game in the email
    Column("game", Text, nullable=False),
    Column("seat", Integer, nullable=False),
    Column("asked", Integer, nullable=False, key="decision_version"),
    Column("links", Integer, nullable=False),  # `seats.links` when it was stored
    PrimaryKeyConstraint("hash", "letter"),
    Index("ix_mailbox_decisions_game_seat", "game", "seat"),
)
"""The decisions that a reply address stands for, if its email is about several games."""

bounces = Table(
    "bounces",
    metadata,
    Column("account", ForeignKey("accounts.id", ondelete="CASCADE"), nullable=False),
    Column("letter", Text, nullable=False),  # the delivery, or the report if it names none
    Column("address", Text, nullable=False),  # a fingerprint, never the address itself
    Column("at", Text, nullable=False, index=True),
    PrimaryKeyConstraint("account", "letter"),
)
"""Letters that were refused because there is no such address."""

mail_providers = Table(
    "mail_providers",
    metadata,
    Column("domain", Text, nullable=False),
    Column("since", Text, nullable=False),  # the beginning of the ten minutes that are counted
    Column("letters", Integer, nullable=False),
    Column("refused", Integer, nullable=False),
    PrimaryKeyConstraint("domain", "since"),
)
"""Letters to each domain, and how many of them were refused for reasons of policy."""

held_mail = Table(
    "held_mail",
    metadata,
    Column("id", Text, primary_key=True),
    Column("account", ForeignKey("accounts.id", ondelete="CASCADE"), nullable=False),
    Column("digest", LargeBinary, nullable=False),  # as in `letters`
    Column("game", Text),
    Column("seat", Integer),
    Column("decision_version", Integer),  # the version that opened the decision
    Column("reason", Text, nullable=False),  # the code of a rule in service/replies/sorting.py
    Column("sender", Text),  # the address in its From header, if it can be read
    Column("lines", Text, nullable=False),  # the first lines, as JSON
    Column("at", Text, nullable=False, index=True),
    UniqueConstraint("account", "digest"),
    Index("ix_held_mail_account_at_id", "account", "at", "id"),
)
"""Incoming mail that was not carried out, kept for a while for its owner to see."""

mail_counts = Table(
    "mail_counts",
    metadata,
    Column("subject", Text, primary_key=True),  # a keyed hash of what is counted
    Column("times", Text, nullable=False),  # timestamps, as JSON
    Column("until", Text, nullable=False, index=True),  # then the row may be deleted
)
"""Counts of letters that others have caused. No foreign keys: deletions must not reset them."""

mail_opt_outs = Table(
    "mail_opt_outs",
    metadata,
    Column("mailbox", Text, primary_key=True),  # a keyed hash of the address
    Column("at", Text, nullable=False),
)
"""Addresses that opted out of letters from strangers. Kept for ever, even after deletions."""
