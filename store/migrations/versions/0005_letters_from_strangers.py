"""Counts of letters and opt-outs get tables of their own, and outlast games and accounts."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"

NEVER = " never "
"""How the mark of an invitation begins if its reader wanted no more letters."""


def upgrade() -> None:
    op.create_table(
        "keys",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("sealed", sa.LargeBinary(), nullable=False),
        sa.Column("created", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_keys"),
    )
    op.create_table(
        "mail_counts",
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("times", sa.Text(), nullable=False),
        sa.Column("until", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("subject", name="pk_mail_counts"),
    )
    op.create_index("ix_mail_counts_until", "mail_counts", ["until"])
    op.create_table(
        "mail_opt_outs",
        sa.Column("mailbox", sa.Text(), nullable=False),
        sa.Column("at", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("mailbox", name="pk_mail_opt_outs"),
    )
    _keep_opt_outs()


def _keep_opt_outs() -> None:
    """Copy the opt-outs that were stored with games, as a hash that is still looked up."""
    op.execute(
        sa.text(
            "INSERT INTO mail_opt_outs (mailbox, at) "
            "SELECT substr(email, :begins), min(at) FROM invitations "
            "WHERE substr(email, 1, :long) = :never GROUP BY substr(email, :begins)"
        ).bindparams(begins=len(NEVER) + 1, long=len(NEVER), never=NEVER)
    )
