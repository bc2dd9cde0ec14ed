"""Bounces are counted, by address and by provider."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    op.create_table(
        "bounces",
        sa.Column("account", sa.Text(), nullable=False),
        sa.Column("letter", sa.Text(), nullable=False),
        sa.Column("address", sa.Text(), nullable=False),
        sa.Column("at", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["account"], ["accounts.id"], name=op.f("fk_bounces_account"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("account", "letter", name=op.f("pk_bounces")),
    )
    op.create_index(op.f("ix_bounces_at"), "bounces", ["at"], unique=False)
    op.create_table(
        "mail_providers",
        sa.Column("domain", sa.Text(), nullable=False),
        sa.Column("since", sa.Text(), nullable=False),
        sa.Column("letters", sa.Integer(), nullable=False),
        sa.Column("refused", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("domain", "since", name=op.f("pk_mail_providers")),
    )
