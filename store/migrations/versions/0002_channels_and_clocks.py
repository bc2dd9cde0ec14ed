"""Webhooks, deliveries, invitations, mailboxes, received letters, and columns for the clocks."""

import hashlib

import sqlalchemy as sa
from alembic import op

from store.games.packing import packed

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.create_table(
        "hooks",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("account", sa.Text(), nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("secret", sa.LargeBinary(), nullable=False),
        sa.Column("old_secret", sa.LargeBinary(), nullable=True),
        sa.Column("old_until", sa.Text(), nullable=True),
        sa.Column("game", sa.Text(), nullable=True),
        sa.Column("types", sa.Text(), nullable=False),
        sa.Column("created", sa.Text(), nullable=False),
        sa.Column("failing_since", sa.Text(), nullable=True),
        sa.Column("off_since", sa.Text(), nullable=True),
        sa.Column("off_reason", sa.Text(), nullable=True),
        sa.Column("busy_until", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(
            ["account"], ["accounts.id"], name=op.f("fk_hooks_account"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_hooks")),
    )
    op.create_index(op.f("ix_hooks_account"), "hooks", ["account"], unique=False)
    op.create_table(
        "invitations",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("host", sa.Text(), nullable=False),
        sa.Column("guest", sa.Text(), nullable=True),
        sa.Column("email", sa.Text(), nullable=True),
        sa.Column("at", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["game"], ["games.id"], name=op.f("fk_invitations_game"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["guest"], ["accounts.id"], name=op.f("fk_invitations_guest"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["host"], ["accounts.id"], name=op.f("fk_invitations_host"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_invitations")),
    )
    op.create_index(op.f("ix_invitations_game"), "invitations", ["game"], unique=False)
    op.create_index(op.f("ix_invitations_guest"), "invitations", ["guest"], unique=False)
    op.create_index(op.f("ix_invitations_host"), "invitations", ["host"], unique=False)
    op.create_table(
        "letters",
        sa.Column("account", sa.Text(), nullable=False),
        sa.Column("digest", sa.LargeBinary(), nullable=False),
        sa.Column("at", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["account"], ["accounts.id"], name=op.f("fk_letters_account"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("account", "digest", name=op.f("pk_letters")),
    )
    op.create_index(op.f("ix_letters_at"), "letters", ["at"], unique=False)
    op.create_table(
        "mailboxes",
        sa.Column("hash", sa.LargeBinary(), nullable=False),
        sa.Column("purpose", sa.Text(), nullable=False),
        sa.Column("account", sa.Text(), nullable=False),
        sa.Column("game", sa.Text(), nullable=True),
        sa.Column("seat", sa.Integer(), nullable=True),
        sa.Column("asked", sa.Integer(), nullable=True),
        sa.Column("created", sa.Text(), nullable=False),
        sa.CheckConstraint("purpose in ('reply', 'bounce')", name=op.f("ck_mailboxes_purpose")),
        sa.ForeignKeyConstraint(
            ["account"], ["accounts.id"], name=op.f("fk_mailboxes_account"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("hash", name=op.f("pk_mailboxes")),
    )
    op.create_index(op.f("ix_mailboxes_account"), "mailboxes", ["account"], unique=False)
    op.create_table(
        "deliveries",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("account", sa.Text(), nullable=False),
        sa.Column("hook", sa.Text(), nullable=True),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("game", sa.Text(), nullable=True),
        sa.Column("seat", sa.Integer(), nullable=True),
        sa.Column("version", sa.Integer(), nullable=True),
        sa.Column("data", sa.Text(), nullable=True),
        sa.Column("at", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("not_before", sa.Text(), nullable=False),
        sa.Column("done", sa.Text(), nullable=True),
        sa.Column("status", sa.Integer(), nullable=True),
        sa.Column("error", sa.Text(), nullable=True),
        sa.Column("sent_bytes", sa.Integer(), nullable=True),
        sa.Column("answer_bytes", sa.Integer(), nullable=True),
        sa.CheckConstraint(
            "state in ('waiting', 'sent', 'superseded', 'failed')", name=op.f("ck_deliveries_state")
        ),
        sa.ForeignKeyConstraint(
            ["account"], ["accounts.id"], name=op.f("fk_deliveries_account"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["hook"], ["hooks.id"], name=op.f("fk_deliveries_hook"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_deliveries")),
    )
    op.create_index(op.f("ix_deliveries_account"), "deliveries", ["account"], unique=False)
    op.create_index(
        "ix_deliveries_due",
        "deliveries",
        ["not_before", "id"],
        unique=False,
        sqlite_where=sa.text("state = 'waiting'"),
        postgresql_where=sa.text("state = 'waiting'"),
    )
    op.create_index("ix_deliveries_hook_at_id", "deliveries", ["hook", "at", "id"], unique=False)
    op.add_column("accounts", sa.Column("bounced", sa.Text(), nullable=True))
    op.add_column("accounts", sa.Column("hooks", sa.Integer(), server_default="0", nullable=False))
    _pack_moves()
    # None of these was ever delivered; new ones for all awaited seats are inserted below.
    op.drop_table("notices")
    op.create_table(
        "notices",
        sa.Column("id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("account", sa.Text(), nullable=False),
        sa.Column("game", sa.Text(), nullable=True),
        sa.Column("seat", sa.Integer(), nullable=True),
        sa.Column("version", sa.Integer(), nullable=True),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("data", sa.Text(), nullable=True),
        sa.Column("at", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["account"], ["accounts.id"], name=op.f("fk_notices_account"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_notices")),
    )
    op.add_column("seats", sa.Column("asked", sa.Integer(), nullable=True))
    op.add_column("seats", sa.Column("due", sa.Text(), nullable=True))
    op.add_column("seats", sa.Column("bank", sa.Integer(), nullable=True))
    op.add_column("seats", sa.Column("missed", sa.Integer(), server_default="0", nullable=False))
    op.add_column("seats", sa.Column("muted", sa.Text(), nullable=True))
    op.add_column("seats", sa.Column("links", sa.Integer(), server_default="0", nullable=False))
    op.create_index(
        "ix_seats_due",
        "seats",
        ["due"],
        unique=False,
        sqlite_where=sa.text("due IS NOT NULL"),
        postgresql_where=sa.text("due IS NOT NULL"),
    )
    op.execute(
        "UPDATE seats SET due = deadline, asked = (SELECT version FROM games WHERE id = game) "
        "WHERE awaited_since IS NOT NULL"
    )
    op.execute(
        "INSERT INTO notices (account, game, seat, version, kind, at) "
        "SELECT account, game, number, asked, 'decision_opened', awaited_since FROM seats "
        "WHERE awaited_since IS NOT NULL AND account IS NOT NULL AND house IS NULL"
    )


def _pack_moves() -> None:
    """Store the lines of logs compressed, and idempotency keys as hashes."""
    key = sa.text("key IS NOT NULL")
    op.drop_index("uq_moves_game_seat_key", "moves")
    op.rename_table("moves", "moves_before")
    if op.get_bind().dialect.name == "postgresql":  # a renamed table keeps its constraints
        op.execute("ALTER TABLE moves_before RENAME CONSTRAINT pk_moves TO pk_moves_before")
        op.execute("ALTER TABLE moves_before RENAME CONSTRAINT fk_moves_game TO fk_moves_before")
    moves = op.create_table(
        "moves",
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=True),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("through", sa.Integer(), nullable=False),
        sa.Column("key", sa.LargeBinary(), nullable=True),
        sa.Column("digest", sa.LargeBinary(), nullable=True),
        sa.Column("until", sa.Text(), nullable=True),
        sa.Column("record", sa.LargeBinary(), nullable=False),
        sa.Column("hash", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["game"], ["games.id"], name=op.f("fk_moves_game"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("game", "number", name=op.f("pk_moves")),
        sqlite_with_rowid=False,
    )
    for row in op.get_bind().execute(sa.text("SELECT * FROM moves_before")).mappings().all():
        hashed = None if row["key"] is None else hashlib.sha256(row["key"].encode()).digest()[:16]
        op.bulk_insert(moves, [{**row, "key": hashed, "record": packed(row["record"])}])
    op.drop_table("moves_before")
    op.create_index(
        "uq_moves_game_seat_key",
        "moves",
        ["game", "seat", "key"],
        unique=True,
        sqlite_where=key,
        postgresql_where=key,
    )
