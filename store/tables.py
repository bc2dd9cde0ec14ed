"""Defines every table. Migrations lead to exactly this schema, and a test compares the two.

Times are stored as text in one fixed format (`store.timestamps`), so both databases sort and
compare them alike, and the log quotes them unchanged. A column with a `key` has that name in code.
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
    PrimaryKeyConstraint,
    Table,
    Text,
    UniqueConstraint,
    text,
)

from store.destination_tables import destinations, told_places
from store.mail_tables import (
    bounces,
    held_mail,
    mail_counts,
    mail_opt_outs,
    mail_providers,
    mailbox_decisions,
)
from store.notebook_tables import notebooks
from store.oauth_tables import oauth_codes, oauth_devices, oauth_grants
from store.order_tables import orders
from store.sign_in_tables import seat_sessions, sign_ins
from store.table_metadata import metadata

__all__ = [
    "accounts",
    "answers",
    "bounces",
    "commitments",
    "deliveries",
    "destinations",
    "games",
    "held_mail",
    "hooks",
    "invitations",
    "keys",
    "letters",
    "mail_counts",
    "mail_opt_outs",
    "mail_providers",
    "mailbox_decisions",
    "mailboxes",
    "messages",
    "metadata",
    "moves",
    "notebooks",
    "notices",
    "oauth_codes",
    "oauth_devices",
    "oauth_grants",
    "orders",
    "ratings",
    "seat_sessions",
    "seats",
    "sign_ins",
    "tokens",
    "told_places",
]

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
    Column("bounced", Text),  # since when mail bounces, or is reported as unwanted
    Column("new_email", Text),  # not confirmed yet; until then `email` is in use
    Column("new_email_until", Text),  # confirm by then; NULL: mail to it bounced
    Column("hooks", Integer, nullable=False, server_default="0"),  # number switched on
    Column("settings", Text, nullable=False),  # notifications, absences and the like, as JSON
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
    Column("parent", Text),  # the token that created it; it may be deleted by now
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
    Column("changes", Integer, nullable=False),  # other than moves, such as joining or leaving
    Column("said", Integer, key="last_message", nullable=False),  # the number of the last message
    Column("commitment", Text, nullable=False),
    Column("committed", Text),  # when published; NULL for rows of old releases
    Column("seed", LargeBinary, nullable=False),
    Column("rules", Integer, nullable=False),
    Column("pace", Text, nullable=False),
    Column("visibility", Text, nullable=False),
    Column("title", Text, nullable=False),
    Column("created", Text, nullable=False),
    Column("started", Text),
    Column("finished", Text),
    Column("rated", Integer, nullable=False, server_default="0"),  # 1: counts for ratings
    Column("bot_game", Integer, nullable=False, server_default="0"),  # 1: bots only, with a clock
    Column("house_due", Text),  # when the house has to move; during a claim its lease
    Column("default_visibility", Integer, nullable=False, server_default="0"),  # 1: never chosen
    Column("link", Integer, nullable=False, server_default="0"),  # counts up with a new table link
    Column("rematch_of", Text, index=True),  # the game that is played again
    Column("kept_seats", Integer, nullable=False, server_default="0"),  # 1: no lot was drawn
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
    Column("game", Text, primary_key=True),  # the id of the future game
    Column("account", ForeignKey("accounts.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("commitment", Text, nullable=False, unique=True),
    Column("seed", LargeBinary, nullable=False),
    Column("created", Text, nullable=False),
    Column("expires", Text, nullable=False, index=True),
    Column("used", Text),  # when a game was opened with it
)
"""Seeds that were committed to before their games were opened."""

seats = Table(
    "seats",
    metadata,
    Column("game", ForeignKey("games.id", ondelete="CASCADE"), nullable=False),
    Column("number", Integer, nullable=False),
    Column("account", ForeignKey("accounts.id", ondelete="SET NULL")),
    Column("house", Text),  # the strength of the house bot, if one plays here
    Column("nonce", Text, nullable=False),
    Column("joined", Text, nullable=False),
    Column("resigned", Text),
    Column("awaited_since", Text),
    Column("asked", Integer, key="decision_version"),  # the version that opened its decision
    Column("deadline", Text),
    Column("due", Text),  # when the clock has to check this seat again
    Column("bank", Integer),  # seconds left in its time bank
    Column("missed", Integer, nullable=False, server_default="0"),  # deadlines in a row
    Column("muted", Text),  # since when there is no mail about this game
    Column("links", Integer, nullable=False, server_default="0"),  # older ones are invalid
    Column("colour", Text),  # NULL: the player has not chosen one
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
    Column("through", Integer, nullable=False),  # the last move stored in the same transaction
    Column("key", LargeBinary),  # a hash of the Idempotency-Key of the request
    Column("digest", LargeBinary),  # of the body of the request
    Column("until", Text),  # the deadline of its seat's next decision
    Column("record", LargeBinary, nullable=False),  # the line of the log, compressed
    Column("hash", LargeBinary, nullable=False),  # of the hash chain up to here
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
    sqlite_with_rowid=False,  # clustered on the primary key: a third smaller
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
    Column("version", Integer),  # of the game; or the number of a message or change
    Column("kind", Text, nullable=False),
    Column("data", Text),  # what cannot be derived from the rest, as JSON
    Column("at", Text, nullable=False),
)
"""Pending notices. A row is deleted once every channel concerned has a delivery for it."""

hooks = Table(
    "hooks",
    metadata,
    Column("id", Text, primary_key=True),
    Column("account", ForeignKey("accounts.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("url", Text, nullable=False),
    Column("secret", LargeBinary, nullable=False),  # encrypted with a key that is not here
    Column("old_secret", LargeBinary),
    Column("old_until", Text),  # until then the previous secret also signs
    Column("game", Text),  # limits the hook to one game
    Column("types", Text, nullable=False),  # the types it subscribes to, as JSON
    Column("created", Text, nullable=False),
    Column("failing_since", Text),  # since when all attempts have failed
    Column("off_since", Text),
    Column("off_reason", Text),
    Column("busy_until", Text),  # a lease: one delivery at a time
    Column("refused_since", Text),  # since when its answers are not legal moves
)

deliveries = Table(
    "deliveries",
    metadata,
    Column("id", Text, primary_key=True),  # also in Message-ID and webhook-id
    # Without an account: an answer to mail from an address that has none, which is in the data.
    Column("account", ForeignKey("accounts.id", ondelete="CASCADE"), index=True),
    # The release before this column leaves it out; its deliveries to hooks have a `hook`.
    Column("channel", Text, nullable=False, server_default="mail"),
    Column("hook", ForeignKey("hooks.id", ondelete="CASCADE")),  # the target on its channel,
    Column("destination", ForeignKey("destinations.id", ondelete="CASCADE")),  # or this
    Column("kind", Text, nullable=False),
    Column("game", Text),
    Column("seat", Integer),
    Column("version", Integer),
    Column("data", Text),
    Column("at", Text, nullable=False),  # the time of the event
    Column("state", Text, nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("not_before", Text, nullable=False),  # during a claim: its lease
    Column("done", Text),
    Column("status", Integer),  # of the response to the last attempt
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
    Index("ix_deliveries_destination_at", "destination", "at"),
)

mailboxes = Table(
    "mailboxes",
    metadata,
    Column("hash", LargeBinary, primary_key=True),  # never the address itself
    Column("purpose", Text, nullable=False),
    Column("account", ForeignKey("accounts.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("game", Text),
    Column("seat", Integer),
    Column("asked", Integer, key="decision_version"),  # the version that opened the decision
    Column("created", Text, nullable=False),
    CheckConstraint("purpose in ('reply', 'talk', 'bounce')", name="purpose"),
)

letters = Table(
    "letters",
    metadata,
    Column("account", ForeignKey("accounts.id", ondelete="CASCADE"), nullable=False),
    Column("digest", LargeBinary, nullable=False),  # of the Message-ID, or of the whole letter
    Column("at", Text, nullable=False, index=True),
    PrimaryKeyConstraint("account", "digest"),
)
"""Mail that was processed, so that it is not processed twice."""

invitations = Table(
    "invitations",
    metadata,
    Column("id", Text, primary_key=True),
    Column("game", ForeignKey("games.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("host", ForeignKey("accounts.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("guest", ForeignKey("accounts.id", ondelete="CASCADE"), index=True),
    Column("email", Text),  # of a guest without an account
    Column("at", Text, nullable=False),
    Column("reserved_until", Text),  # the end of its reservation; NULL without one
    Column("waits_since", Text),  # since when it waits for a seat to be reserved; NULL otherwise
)

keys = Table(
    "keys",
    metadata,
    Column("name", Text, primary_key=True),
    Column("sealed", LargeBinary, nullable=False),  # encrypted with a key that is not here
    Column("created", Text, nullable=False),
)
"""Keys that are created once and never changed; they are part of every backup."""


ratings = Table(
    "ratings",
    metadata,
    Column("player", Text, nullable=False),  # an account's id, or the strength of a house bot
    Column("board", Text, nullable=False),  # empty: over all boards
    Column("account", ForeignKey("accounts.id", ondelete="CASCADE"), index=True),  # NULL: house
    Column("rating", Float, nullable=False),
    Column("deviation", Float, nullable=False),
    Column("standing", Integer, nullable=False),  # the sort key of the ladder
    Column("games", Integer, nullable=False),
    Column("wins", Integer, nullable=False),
    PrimaryKeyConstraint("player", "board"),
    Index("ix_ratings_board_standing_player", "board", "standing", "player"),
)
"""Ratings of bots, from finished games between bots."""
