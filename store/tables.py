"""Every table, once. Migrations lead to exactly this, and a test compares the two.

Times are texts in one fixed form (`store.timestamps`), so both databases order and compare them
alike, and the log quotes them as they stand.
"""

from sqlalchemy import (
    CheckConstraint,
    Column,
    Float,
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
    Column("bounced", Text),  # since when mail to this address comes back, or is unwelcome
    Column("new_email", Text),  # waits to be confirmed; until then the other one is in force
    Column("new_email_until", Text),  # so long it waits; none: mail to it came back
    Column("hooks", Integer, nullable=False, server_default="0"),  # how many are switched on
    Column("settings", Text, nullable=False),  # notifications, absences and such, as JSON
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
    Column("parent", Text),  # the token that has made it; it may be gone, as after signing out
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
    Column("committed", Text),  # when that was published; none: by a version that did not note it
    Column("seed", LargeBinary, nullable=False),
    Column("rules", Integer, nullable=False),
    Column("pace", Text, nullable=False),
    Column("visibility", Text, nullable=False),
    Column("title", Text, nullable=False),
    Column("created", Text, nullable=False),
    Column("started", Text),
    Column("finished", Text),
    Column("rated", Integer, nullable=False, server_default="0"),  # 1: ratings hang on it
    Column("bot_game", Integer, nullable=False, server_default="0"),  # 1: bots only, with a clock
    Column("house_due", Text),  # when the house has to play; while it does, when that is given up
    CheckConstraint("status in ('open', 'running', 'finished', 'abandoned')", name="status"),
    Index("ix_games_status_created_id", "status", "created", "id"),
    Index("ix_games_created_id", "created", "id"),
    Index(
        "ix_games_bot_game_house_due",
        "bot_game",
        "house_due",
        sqlite_where=text("house_due IS NOT NULL"),
        postgresql_where=text("house_due IS NOT NULL"),
    ),
)

commitments = Table(
    "commitments",
    metadata,
    Column("game", Text, primary_key=True),  # the id that the game will have
    Column("account", ForeignKey("accounts.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("commitment", Text, nullable=False, unique=True),
    Column("seed", LargeBinary, nullable=False),
    Column("created", Text, nullable=False),
    Column("expires", Text, nullable=False, index=True),
    Column("used", Text),  # when a game was opened with it
)
"""Seeds that were committed to before their games are opened."""

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
    Column("asked", Integer),  # the version at which the decision was opened that awaits it
    Column("deadline", Text),
    Column("due", Text),  # when the clock has to look at this seat again
    Column("bank", Integer),  # seconds of its own that the seat has left
    Column("missed", Integer, nullable=False, server_default="0"),  # deadlines in a row
    Column("muted", Text),  # since when there is no mail about this game
    Column("links", Integer, nullable=False, server_default="0"),  # older links are void
    PrimaryKeyConstraint("game", "number"),
    UniqueConstraint("game", "account"),
    Index("ix_seats_account_awaited_since", "account", "awaited_since"),
    Index(
        "ix_seats_due",
        "due",
        sqlite_where=text("due IS NOT NULL"),
        postgresql_where=text("due IS NOT NULL"),
    ),
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
    Column("until", Text),  # the deadline of what its seat was asked next
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
    Column("game", Text),
    Column("seat", Integer),
    Column("version", Integer),  # of the game, or the number of the message or change it is about
    Column("kind", Text, nullable=False),
    Column("data", Text),  # what cannot be told from the rest, as JSON
    Column("at", Text, nullable=False),
)
"""What is owed. A row goes as soon as it is a delivery on every channel that wants it."""

hooks = Table(
    "hooks",
    metadata,
    Column("id", Text, primary_key=True),
    Column("account", ForeignKey("accounts.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("url", Text, nullable=False),
    Column("secret", LargeBinary, nullable=False),  # encrypted with a key that is not here
    Column("old_secret", LargeBinary),
    Column("old_until", Text),  # so long the secret before also signs
    Column("game", Text),  # the only game it is told of, if it is one
    Column("types", Text, nullable=False),  # as JSON; what it wants to be told
    Column("created", Text, nullable=False),
    Column("failing_since", Text),  # since when nothing has arrived
    Column("off_since", Text),
    Column("off_reason", Text),
    Column("busy_until", Text),  # one delivery at a time
    Column("refused_since", Text),  # since when its answers to decisions are no legal moves
)

deliveries = Table(
    "deliveries",
    metadata,
    Column("id", Text, primary_key=True),  # also in Message-ID and webhook-id
    Column("account", ForeignKey("accounts.id", ondelete="CASCADE"), nullable=False, index=True),
    # The version before this column writes none: its hooks are told by their join with `hooks`.
    Column("channel", Text, nullable=False, server_default="mail"),
    Column("hook", ForeignKey("hooks.id", ondelete="CASCADE")),  # the target on its channel
    Column("kind", Text, nullable=False),
    Column("game", Text),
    Column("seat", Integer),
    Column("version", Integer),
    Column("data", Text),
    Column("at", Text, nullable=False),  # when it happened
    Column("state", Text, nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("not_before", Text, nullable=False),  # while somebody sends it, when that is given up
    Column("done", Text),
    Column("status", Integer),  # what the other side answered to the last attempt
    Column("error", Text),
    Column("sent_bytes", Integer),
    Column("answer_bytes", Integer),
    CheckConstraint("state in ('waiting', 'sent', 'superseded', 'failed')", name="state"),
    Index(
        "ix_deliveries_due",
        "not_before",
        "id",
        sqlite_where=text("state = 'waiting'"),
        postgresql_where=text("state = 'waiting'"),
    ),
    Index(
        "ix_deliveries_channel_due",
        "channel",
        "not_before",
        "id",
        sqlite_where=text("state = 'waiting'"),
        postgresql_where=text("state = 'waiting'"),
    ),
    Index("ix_deliveries_hook_at_id", "hook", "at", "id"),
)

mailboxes = Table(
    "mailboxes",
    metadata,
    Column("hash", LargeBinary, primary_key=True),  # never the address itself
    Column("purpose", Text, nullable=False),
    Column("account", ForeignKey("accounts.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("game", Text),
    Column("seat", Integer),
    Column("asked", Integer),  # the version at which the decision was opened
    Column("created", Text, nullable=False),
    CheckConstraint("purpose in ('reply', 'bounce')", name="purpose"),
)

letters = Table(
    "letters",
    metadata,
    Column("account", ForeignKey("accounts.id", ondelete="CASCADE"), nullable=False),
    Column("digest", LargeBinary, nullable=False),  # of the Message-ID, or of the whole letter
    Column("at", Text, nullable=False, index=True),
    PrimaryKeyConstraint("account", "digest"),
)
"""Mail that was read, so that it is not read twice."""

invitations = Table(
    "invitations",
    metadata,
    Column("id", Text, primary_key=True),
    Column("game", ForeignKey("games.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("host", ForeignKey("accounts.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("guest", ForeignKey("accounts.id", ondelete="CASCADE"), index=True),
    Column("email", Text),  # of somebody who has no account yet
    Column("at", Text, nullable=False),
)

keys = Table(
    "keys",
    metadata,
    Column("name", Text, primary_key=True),
    Column("sealed", LargeBinary, nullable=False),  # encrypted with a key that is not here
    Column("created", Text, nullable=False),
)
"""Keys that are made once and never changed, so that they belong to every backup."""

mail_counts = Table(
    "mail_counts",
    metadata,
    Column("subject", Text, primary_key=True),  # a keyed hash of what is counted
    Column("times", Text, nullable=False),  # when, as JSON
    Column("until", Text, nullable=False, index=True),  # then the row may go
)
"""Letters that strangers have asked for. It refers to nothing: games and accounts may go."""

sign_ins = Table(
    "sign_ins",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("email", Text, nullable=False),  # of an account, or of nobody
    Column("next", Text, nullable=False),  # the page to go on to
    Column("at", Text, nullable=False),
)
"""Requests for a link to sign in. A row goes as soon as a worker has looked whose address it is."""

mail_opt_outs = Table(
    "mail_opt_outs",
    metadata,
    Column("mailbox", Text, primary_key=True),  # a keyed hash of the address
    Column("at", Text, nullable=False),
)
"""Whose readers want no letters from strangers. Kept for ever, whoever goes."""

ratings = Table(
    "ratings",
    metadata,
    Column("player", Text, nullable=False),  # an account's id, or the strength of a house bot
    Column("board", Text, nullable=False),  # or nothing: over all boards
    Column("account", ForeignKey("accounts.id", ondelete="CASCADE"), index=True),  # none: the house
    Column("rating", Float, nullable=False),
    Column("deviation", Float, nullable=False),
    Column("standing", Integer, nullable=False),  # what the ladder is sorted by
    Column("games", Integer, nullable=False),
    Column("wins", Integer, nullable=False),
    PrimaryKeyConstraint("player", "board"),
    Index("ix_ratings_board_standing_player", "board", "standing", "player"),
)
"""How strong bots are, from finished games between bots."""
