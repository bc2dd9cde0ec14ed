"""Reply addresses of letters about several games."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    op.create_table(
        "mailbox_decisions",
        sa.Column("hash", sa.LargeBinary(), nullable=False),
        sa.Column("letter", sa.Text(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("asked", sa.Integer(), nullable=False),
        sa.Column("links", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["hash"],
            ["mailboxes.hash"],
            name=op.f("fk_mailbox_decisions_hash"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("hash", "letter", name=op.f("pk_mailbox_decisions")),
    )
    op.create_index(
        "ix_mailbox_decisions_game_seat", "mailbox_decisions", ["game", "seat"], unique=False
    )
