"""Commitments: created before a game is opened, valid for one game of one account."""

from collections.abc import Callable

import pytest

from engine import Refusal, commitment
from service import account_deletion, housekeeping
from service.desk import Desk
from service.games import commitments, lobby, reading
from service.games.bots import bot_games
from service.people.tokens import SCOPES, Caller
from store.games.commitments import StoredCommitment
from store.tables import commitments as commitments_table
from tests.service.games.bots.test_bot_games import open_to_all
from tests.service.games.bots.test_ratings import bot
from tests.service.support.newcomers import rows
from tests.service.support.tables import player, table
from tests.service.support.threads import at_once
from tests.service.support.timing import by_hand, seen_by, table_at

NONCE = "drawn from a hat"


def cite(desk: Desk, account: str, cited: str, nonce: str = NONCE, key: str | None = None) -> str:
    """Open a game against the house with a commitment; return its id."""
    new_game = lobby.NewGame("usa", (), 2, bots={"easy": 1}, commitment=cited, nonce=nonce)
    id: str = lobby.open_game(desk, account, new_game, key)["id"]
    return id


def refused(act: Callable[[], object]) -> str:
    """The code with which this call is refused."""
    with pytest.raises(Refusal) as refusal:
        act()
    return refusal.value.code


def test_a_game_is_played_with_what_was_committed_to(each_desk: Desk) -> None:
    """A game has the id, commitment and time that were published before its nonce was known."""
    ada = player(each_desk, "Ada")
    made = commitments.create(each_desk, ada, None)

    game = cite(each_desk, ada, made["commitment"])

    row = table_at(each_desk, game)
    assert (made["game"], made["commitment"]) == (game, row.commitment)
    assert row.commitment == commitment(row.seed)
    assert made["created"] == row.committed
    assert [NONCE] == [seat.nonce for seat in row.seated if seat.account == ada]


def test_a_game_says_who_gave_a_nonce(desk: Desk) -> None:
    """A game shows which players have given a nonce, and when the commitment was made."""
    ada, ben = player(desk, "Ada"), player(desk, "Ben")
    desk, hands = by_hand(desk)
    made = commitments.create(desk, ada, None)
    hands.on(minutes=1)
    fair = seen_by(desk, cite(desk, ada, made["commitment"]), ada)
    plain = lobby.open_game(desk, ada, lobby.NewGame("usa", (), 3), None)
    joined = lobby.join(desk, ben, plain["id"], NONCE, None)

    assert made["created"] == fair["committed"] < fair["created"]
    assert {"Ada": True, "House (easy)": False} == {
        player["name"]: player["nonce_given"] for player in fair["players"]
    }
    assert plain["created"] == plain["committed"]
    assert [False, True] == [player["nonce_given"] for player in joined["players"]]


def test_without_a_commitment_whoever_opens_gives_no_nonce(desk: Desk) -> None:
    """An opener's nonce without a commitment is refused, as is a commitment without a nonce."""
    ada = player(desk, "Ada")
    made = commitments.create(desk, ada, None)

    assert "unreadable" == refused(lambda: cite(desk, ada, ""))
    assert "unreadable" == refused(lambda: cite(desk, ada, made["commitment"], ""))
    assert cite(desk, ada, made["commitment"])


def test_a_commitment_is_good_for_one_game(each_desk: Desk) -> None:
    """A commitment that was used is refused for a second game."""
    ada = player(each_desk, "Ada")
    made = commitments.create(each_desk, ada, None)["commitment"]
    cite(each_desk, ada, made)

    assert "commitment_used" == refused(lambda: cite(each_desk, ada, made, "another"))


def test_of_many_who_cite_at_once_one_wins(each_desk: Desk) -> None:
    """Eight concurrent requests with one commitment open one game."""
    ada = player(each_desk, "Ada")
    made = commitments.create(each_desk, ada, None)["commitment"]

    def act(n: int) -> str:
        try:
            return cite(each_desk, ada, made, f"nonce {n}")
        except Refusal as refusal:
            return refusal.code

    outcomes = at_once(8, act)

    assert 7 == outcomes.count("commitment_used")
    assert 1 == len(set(outcomes) - {"commitment_used"})


def test_a_repeated_request_is_answered_alike(each_desk: Desk) -> None:
    """The same key gives the same commitment and the same game; another body is refused."""
    ada = player(each_desk, "Ada")
    first, again = (commitments.create(each_desk, ada, "a key") for _ in range(2))
    assert first == again
    cited = first["commitment"]

    games = {cite(each_desk, ada, cited, key="another key") for _ in range(2)}

    assert {first["game"]} == games
    other = refused(lambda: cite(each_desk, ada, cited, "other", "another key"))
    assert "idempotency_mismatch" == other


def test_the_commitment_of_somebody_else_is_unknown(each_desk: Desk) -> None:
    """Another account's commitment is refused like an unknown one; its owner can still use it."""
    ada, ben = player(each_desk, "Ada"), player(each_desk, "Ben")
    made = commitments.create(each_desk, ada, None)["commitment"]

    assert "commitment_unknown" == refused(lambda: cite(each_desk, ben, made))
    assert "commitment_unknown" == refused(lambda: cite(each_desk, ben, "0" * 64))
    assert cite(each_desk, ada, made)
    assert "commitment_unknown" == refused(lambda: cite(each_desk, ben, made))


def test_a_commitment_expires(each_desk: Desk) -> None:
    """A commitment is valid until its expiry, unknown from then on, and deleted by housekeeping."""
    ada = player(each_desk, "Ada")
    desk, hands = by_hand(each_desk)
    early, late = (commitments.create(desk, ada, None) for _ in range(2))
    hands.on(hours=23, minutes=59)
    assert cite(desk, ada, early["commitment"])
    hands.to(early["expires"])

    assert "commitment_unknown" == refused(lambda: cite(desk, ada, late["commitment"]))
    assert 2 == len(rows(desk, commitments_table, "game"))
    housekeeping.tidy(desk)
    assert [] == rows(desk, commitments_table, "game")


def test_an_account_holds_only_so_many(each_desk: Desk) -> None:
    """Beyond the limit a new commitment replaces the oldest unused one."""
    ada = player(each_desk, "Ada")
    desk, hands = by_hand(each_desk)
    made = []
    for _ in range(commitments.MOST_UNUSED + 1):
        hands.on(seconds=1)
        made.append(commitments.create(desk, ada, None)["commitment"])

    assert commitments.MOST_UNUSED == len(rows(desk, commitments_table, "game"))
    assert "commitment_unknown" == refused(lambda: cite(desk, ada, made[0]))
    assert cite(desk, ada, made[1])


def test_a_refused_game_leaves_the_commitment_unused(each_desk: Desk) -> None:
    """A commitment can still be used after its game was refused for another reason."""
    ada = player(each_desk, "Ada")
    cited = commitments.create(each_desk, ada, None)["commitment"]
    new_game = lobby.NewGame("usa", (), 9, commitment=cited, nonce=NONCE)

    assert "unreadable" == refused(lambda: lobby.open_game(each_desk, ada, new_game, None))
    assert cite(each_desk, ada, cited)


def test_a_deleted_account_takes_its_commitments_along(each_desk: Desk) -> None:
    """Deleting an account deletes its commitments."""
    ada = player(each_desk, "Ada")
    commitments.create(each_desk, ada, None)
    account_deletion.delete(each_desk, Caller(ada, "", frozenset(SCOPES)))

    assert [] == rows(each_desk, commitments_table, "game")


def test_games_between_bots_cite_one_commitment_each(each_desk: Desk) -> None:
    """Each game has a commitment of its own and the nonce of the bot that opened it."""
    owl, _ = bot(each_desk, "Owl"), open_to_all(each_desk, "Rook")
    made = [commitments.create(each_desk, owl, None) for _ in range(2)]
    cited = tuple(commitment["commitment"] for commitment in made)
    new_games = bot_games.BotGamesRequest(
        "usa", (), 2, opponents=("Rook",), commitments=cited, nonce=NONCE
    )

    games = bot_games.open_games(each_desk, owl, new_games, None)["games"]

    assert [commitment["game"] for commitment in made] == games
    for game, text in zip(games, cited, strict=True):
        row = table_at(each_desk, game)
        assert text == row.commitment
        assert {(owl, NONCE)} == {(seat.account, seat.nonce) for seat in row.seated if seat.nonce}


@pytest.mark.parametrize(
    ("count", "nonce", "code"),
    [(1, NONCE, "unreadable"), (0, NONCE, "unreadable"), (2, "", "unreadable")],
)
def test_games_between_bots_take_no_half_commitments(
    desk: Desk, count: int, nonce: str, code: str
) -> None:
    """Two games need two commitments and a nonce, or neither."""
    owl = bot(desk, "Owl")
    cited = tuple(commitments.create(desk, owl, None)["commitment"] for _ in range(count))
    new_games = bot_games.BotGamesRequest("usa", (), 2, {"easy": 1}, commitments=cited, nonce=nonce)

    assert code == refused(lambda: bot_games.open_games(desk, owl, new_games, None))


def test_one_commitment_is_not_cited_for_two_games(desk: Desk) -> None:
    """One commitment for two games is refused, and can still be used for one game."""
    owl = bot(desk, "Owl")
    cited = commitments.create(desk, owl, None)["commitment"]
    twice = bot_games.BotGamesRequest(
        "usa", (), 2, {"easy": 1}, commitments=(cited, cited), nonce=NONCE
    )

    assert "commitment_used" == refused(lambda: bot_games.open_games(desk, owl, twice, None))
    once = twice._replace(games=1, commitments=(cited,))
    assert 1 == len(bot_games.open_games(desk, owl, once, None)["games"])


def test_an_older_game_claims_no_more_than_it_gave(desk: Desk) -> None:
    """In an older game without a time of commitment, only the nonce of the joiner counts."""
    game, _ = table(desk, "Ada", "Ben")
    row = table_at(desk, game)._replace(committed=None)
    opener, joiner = (
        row.seated[0]._replace(nonce=NONCE, joined=joined)
        for joined in (row.created, "9999-01-01T00:00:00.000Z")
    )
    older = row._replace(seated=(opener, joiner))

    assert [False, True] == [player["nonce_given"] for player in reading.summary(older)["players"]]


def test_no_seed_is_printed() -> None:
    """Printing a commitment does not show its seed."""
    made = commitments.draw("2030-01-01T00:00:00.000Z")
    row = StoredCommitment(made.game, "ada", made.commitment, made.seed, made.at, made.at)

    for text in (repr(made), repr(row), str(row), f"{made}"):
        assert made.game in text
        assert repr(made.seed) not in text
        assert made.seed.hex() not in text
