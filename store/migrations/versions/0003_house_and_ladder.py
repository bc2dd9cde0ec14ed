"""When the house has to move in a game, and the ratings of bots."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    owed = sa.text("house_due IS NOT NULL")
    op.add_column("games", sa.Column("rated", sa.Integer(), server_default="0", nullable=False))
    op.add_column("games", sa.Column("house_due", sa.Text(), nullable=True))
    op.create_index(
        "ix_games_house_due",
        "games",
        ["rated", "house_due"],
        unique=False,
        sqlite_where=owed,
        postgresql_where=owed,
    )
    op.create_table(
        "ratings",
        sa.Column("player", sa.Text(), nullable=False),
        sa.Column("board", sa.Text(), nullable=False),
        sa.Column("account", sa.Text(), nullable=True),
        sa.Column("rating", sa.Float(), nullable=False),
        sa.Column("deviation", sa.Float(), nullable=False),
        sa.Column("standing", sa.Integer(), nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.Column("wins", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["account"], ["accounts.id"], name=op.f("fk_ratings_account"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("player", "board", name=op.f("pk_ratings")),
    )
    op.create_index(op.f("ix_ratings_account"), "ratings", ["account"], unique=False)
    op.create_index(
        "ix_ratings_board_standing_player",
        "ratings",
        ["board", "standing", "player"],
        unique=False,
    )
