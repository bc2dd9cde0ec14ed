"""Every table, once. Migrations lead to exactly this, and a test compares the two.

Times are texts in one fixed form (`store.clock`), so both databases order and compare them alike
and the log quotes them as they stand.
"""

from sqlalchemy import (
    CheckConstraint,
    Column,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    Table,
    Text,
    UniqueConstraint,
    text,
)

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)

accounts = Table(
    "accounts",
    metadata,
    Column("id", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("name_key", Text, nullable=False, unique=True),  # the skeleton: look-alikes are equal
    Column("kind", Text, nullable=False),
    Column("locale", Text, nullable=False),
    Column("time_zone", Text, nullable=False),
    Column("email", Text),
    Column("email_confirmed", Text),
    Column("settings", Text, nullable=False),  # notification settings and absences, as JSON
    Column("created", Text, nullable=False),
)

tokens = Table(
    "tokens",
    metadata,
    Column("id", Text, primary_key=True),
    Column("account", ForeignKey("accounts.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("hash", LargeBinary, nullable=False, unique=True),  # never the token itself
    Column("label", Text, nullable=False),
    Column("scopes", Text, nullable=False),
    Column("created", Text, nullable=False),
    Column("expires", Text),
)

games = Table(
    "games",
    metadata,
    Column("id", Text, primary_key=True),
    Column("board", Text, nullable=False),
    Column("variants", Text, nullable=False),
    Column("seats", Integer, nullable=False),
    Column("status", Text, nullable=False),
    Column("version", Integer, nullable=False),  # the number of the last move, -1 before the first
    Column("changes", Integer, nullable=False),  # comings and goings at the table since the start
    Column("said", Integer, nullable=False),  # the number of the last message
    Column("commitment", Text, nullable=False),
    Column("seed", LargeBinary, nullable=False),
    Column("rules", Integer, nullable=False),
    Column("pace", Text, nullable=False),
    Column("visibility", Text, nullable=False),
    Column("title", Text, nullable=False),
    Column("created", Text, nullable=False),
    Column("started", Text),
    Column("finished", Text),
    CheckConstraint("status in ('open', 'running', 'finished', 'abandoned')", name="status"),
    Index("ix_games_status_created_id", "status", "created", "id"),
    Index("ix_games_created_id", "created", "id"),
)

seats = Table(
    "seats",
    metadata,
    Column("game", ForeignKey("games.id", ondelete="CASCADE"), nullable=False),
    Column("number", Integer, nullable=False),
    Column("account", ForeignKey("accounts.id", ondelete="SET NULL")),
    Column("house", Text),  # the strength of the house bot that plays here, if one does
    Column("nonce", Text, nullable=False),
    Column("joined", Text, nullable=False),
    Column("resigned", Text),
    Column("awaited_since", Text),
    Column("deadline", Text),
    PrimaryKeyConstraint("game", "number"),
    UniqueConstraint("game", "account"),
    Index("ix_seats_account_awaited_since", "account", "awaited_since"),
)

moves = Table(
    "moves",
    metadata,
    Column("game", Text, nullable=False),
    Column("number", Integer, nullable=False),
    Column("seat", Integer),
    Column("seq", Integer, nullable=False),  # the number of its last event in the game
    Column("through", Integer, nullable=False),  # the last move that was stored together with it
    Column("key", LargeBinary),  # a hash of the Idempotency-Key it came with
    Column("digest", LargeBinary),  # of the body it came with
    Column("record", LargeBinary, nullable=False),  # the line of the log, packed
    Column("hash", LargeBinary, nullable=False),  # of the chain up to here
    PrimaryKeyConstraint("game", "number"),
    ForeignKeyConstraint(["game"], ["games.id"], ondelete="CASCADE"),
    Index(
        "uq_moves_game_seat_key",
        "game",
        "seat",
        "key",
        unique=True,
        sqlite_where=text("key IS NOT NULL"),
        postgresql_where=text("key IS NOT NULL"),
    ),
    sqlite_with_rowid=False,  # the primary key is the table: a third less to store
)

messages = Table(
    "messages",
    metadata,
    Column("game", ForeignKey("games.id", ondelete="CASCADE"), nullable=False),
    Column("number", Integer, nullable=False),
    Column("account", ForeignKey("accounts.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("text", Text, nullable=False),
    Column("at", Text, nullable=False),
    PrimaryKeyConstraint("game", "number"),
)

answers = Table(
    "answers",
    metadata,
    Column("scope", Text, nullable=False),  # whose key it is
    Column("key", Text, nullable=False),
    Column("digest", LargeBinary, nullable=False),  # of the operation and its body
    Column("body", Text, nullable=False),
    Column("at", Text, nullable=False, index=True),
    PrimaryKeyConstraint("scope", "key"),
)

notices = Table(
    "notices",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("account", ForeignKey("accounts.id", ondelete="CASCADE"), nullable=False),
    Column("game", ForeignKey("games.id", ondelete="CASCADE")),
    Column("seat", Integer),
    Column("version", Integer),  # of the game, or the number of the message or change it is about
    Column("kind", Text, nullable=False),
    Column("state", Text, nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("not_before", Text, nullable=False),
    Column("lease_until", Text),
    Column("last_error", Text),
    UniqueConstraint("game", "version", "account", "kind"),
    Index(
        "ix_notices_due",
        "not_before",
        "id",
        sqlite_where=text("state = 'waiting'"),
        postgresql_where=text("state = 'waiting'"),
    ),
    Index("ix_notices_account", "account"),
)
