"""Parents of tokens, hooks whose answers are not legal moves, and bot games without a rating."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"

HOUSE = {
    "": (1030, 1500, 1790),
    "usa": (1110, 1500, 1750),
    "europe": (1170, 1500, 1780),
    "uk": (800, 1500, 1850),
}
"""The ratings of easy, medium and hard by board; from now on their games do not change them."""
DEVIATION = 25


def upgrade() -> None:
    op.add_column("tokens", sa.Column("parent", sa.Text(), nullable=True))
    op.add_column("hooks", sa.Column("refused_since", sa.Text(), nullable=True))
    _bot_games()
    _house_ratings()


def _bot_games() -> None:
    owed = sa.text("house_due IS NOT NULL")
    op.add_column("games", sa.Column("bot_game", sa.Integer(), server_default="0", nullable=False))
    op.execute("UPDATE games SET bot_game = 1 WHERE rated = 1")
    op.drop_index("ix_games_house_due", "games")
    op.create_index(
        "ix_games_bot_game_house_due",
        "games",
        ["bot_game", "house_due"],
        unique=False,
        sqlite_where=owed,
        postgresql_where=owed,
    )


def _house_ratings() -> None:
    fixed = sa.text(
        "UPDATE ratings SET rating = :rating, deviation = :deviation, standing = :standing "
        "WHERE account IS NULL AND player = :player AND board = :board"
    )
    for board, strengths in HOUSE.items():
        for player, rating in zip(("easy", "medium", "hard"), strengths, strict=True):
            values = {"rating": rating, "deviation": DEVIATION, "standing": rating - 2 * DEVIATION}
            op.get_bind().execute(fixed, values | {"player": player, "board": board})
