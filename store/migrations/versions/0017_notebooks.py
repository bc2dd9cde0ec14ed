"""Notebooks: private notes and sketches."""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"


def upgrade() -> None:
    # The release before does not know the table; its rows go with their game or account.
    op.create_table(
        "notebooks",
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("account", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("notes_version", sa.Integer(), nullable=False),
        sa.Column("notes", sa.Text(), nullable=False),
        sa.Column("sketch", sa.Text(), nullable=False),
        sa.Column("at", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["account"], ["accounts.id"], name=op.f("fk_notebooks_account"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["game"], ["games.id"], name=op.f("fk_notebooks_game"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("game", "account", name=op.f("pk_notebooks")),
    )
    op.create_index(op.f("ix_notebooks_account"), "notebooks", ["account"], unique=False)
