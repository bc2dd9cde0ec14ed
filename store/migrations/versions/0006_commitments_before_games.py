"""Seeds are committed to before their games are opened, and games store when that was."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    op.add_column("games", sa.Column("committed", sa.Text(), nullable=True))
    op.create_table(
        "commitments",
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("account", sa.Text(), nullable=False),
        sa.Column("commitment", sa.Text(), nullable=False),
        sa.Column("seed", sa.LargeBinary(), nullable=False),
        sa.Column("created", sa.Text(), nullable=False),
        sa.Column("expires", sa.Text(), nullable=False),
        sa.Column("used", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(
            ["account"],
            ["accounts.id"],
            name=op.f("fk_commitments_account"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("game", name=op.f("pk_commitments")),
        sa.UniqueConstraint("commitment", name=op.f("uq_commitments_commitment")),
    )
    op.create_index(op.f("ix_commitments_account"), "commitments", ["account"])
    op.create_index(op.f("ix_commitments_expires"), "commitments", ["expires"])
