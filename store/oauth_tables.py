"""Defines the tables of connected apps: grants, authorization codes and device codes.

Access tokens are rows of `tokens`, whose `parent` is their grant.
"""

from sqlalchemy import Column, ForeignKey, Integer, LargeBinary, Table, Text

from store.table_metadata import metadata

oauth_grants = Table(
    "oauth_grants",
    metadata,
    Column("id", Text, primary_key=True),
    Column("account", ForeignKey("accounts.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("client", Text, nullable=False),  # the client id
    Column("returns_to", Text),  # the origin of its redirect address; NULL: a device
    Column("scopes", Text, nullable=False),  # separated by spaces
    Column("session", Text, nullable=False),  # in which it was approved; it may have ended by now
    Column("created", Text, nullable=False),
    Column("refreshed", Text, nullable=False),
    Column("expires", Text, nullable=False, index=True),
    # Hashes of the part that all refresh tokens of a grant share, and of the newest whole token.
    Column("family", LargeBinary, nullable=False, unique=True),
    Column("refresh", LargeBinary, nullable=False),
)

oauth_codes = Table(
    "oauth_codes",
    metadata,
    Column("hash", LargeBinary, primary_key=True),  # never the code itself
    Column("account", ForeignKey("accounts.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("client", Text, nullable=False),
    Column("redirect_uri", Text, nullable=False),
    Column("challenge", Text, nullable=False),  # of PKCE, always S256
    Column("scopes", Text, nullable=False),
    Column("session", Text, nullable=False),
    Column("expires", Text, nullable=False, index=True),
    Column("grant", Text),  # made with this code; NULL: not used yet
)

oauth_devices = Table(
    "oauth_devices",
    metadata,
    Column("hash", LargeBinary, primary_key=True),  # of the device code
    Column("user_code", LargeBinary, nullable=False, unique=True),  # its hash
    Column("client", Text, nullable=False),
    Column("scopes", Text, nullable=False),
    Column("expires", Text, nullable=False, index=True),
    Column("interval", Integer, nullable=False),  # seconds between polls
    Column("polled", Text),  # the last poll
    Column("account", ForeignKey("accounts.id", ondelete="CASCADE"), index=True),
    Column("session", Text),
    Column("approved", Integer),  # 1 or 0; NULL: nobody has decided yet
)
