"""Incoming mail that was not carried out, for its owner to see."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    op.create_table(
        "held_mail",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("account", sa.Text(), nullable=False),
        sa.Column("digest", sa.LargeBinary(), nullable=False),
        sa.Column("game", sa.Text(), nullable=True),
        sa.Column("seat", sa.Integer(), nullable=True),
        sa.Column("decision_version", sa.Integer(), nullable=True),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("sender", sa.Text(), nullable=True),
        sa.Column("lines", sa.Text(), nullable=False),
        sa.Column("at", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["account"], ["accounts.id"], name=op.f("fk_held_mail_account"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_held_mail")),
        sa.UniqueConstraint("account", "digest", name=op.f("uq_held_mail_account_digest")),
    )
    op.create_index(op.f("ix_held_mail_at"), "held_mail", ["at"], unique=False)
    op.create_index(
        op.f("ix_held_mail_account_at_id"), "held_mail", ["account", "at", "id"], unique=False
    )
