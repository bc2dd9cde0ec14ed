"""Sessions for one seat, which the link in a turn letter opens."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    op.create_table(
        "seat_sessions",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("hash", sa.LargeBinary(), nullable=False),
        sa.Column("account", sa.Text(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("asked", sa.Integer(), nullable=False),
        sa.Column("links", sa.Integer(), nullable=False),
        sa.Column("label", sa.Text(), nullable=False),
        sa.Column("created", sa.Text(), nullable=False),
        sa.Column("expires", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["account"],
            ["accounts.id"],
            name=op.f("fk_seat_sessions_account"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["game"], ["games.id"], name=op.f("fk_seat_sessions_game"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_seat_sessions")),
        sa.UniqueConstraint("hash", name=op.f("uq_seat_sessions_hash")),
    )
    for column in ("account", "game", "expires"):
        op.create_index(op.f(f"ix_seat_sessions_{column}"), "seat_sessions", [column], unique=False)
