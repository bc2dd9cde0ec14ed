"""Germany 2017: coloured passengers and bonuses (rules 9.3)."""

from collections import Counter

from engine import Game
from engine.display import table_facts
from engine.rules.coloured_passengers import TakePassengers, coloured
from engine.values import ScoreLine
from service.boards.atlas import board, ruleset
from tests.scenes import ADA, BEN, scene

CROWDS = {"berlin": 5, "hamburg": 4, "koln": 4, "frankfurt": 4, "munchen": 4,
          "leipzig": 3, "stuttgart": 3}  # fmt: skip


def test_decks() -> None:
    """R-GER-10: 110 train cards and 89 tickets, 55 short and 34 long."""
    germany = ruleset("germany")
    decks = Counter(ticket.decks for ticket in germany.board.tickets.values())

    assert {("short",): 55, ("long",): 34} == decks
    assert 110 == sum(germany.initial.parts["cards"].deck)


def test_the_layout() -> None:
    """R-GER-11: sixty passengers, ten of each colour, by chance; a country has one."""
    game = Game(ruleset("germany", (), 2), "scene", bytes(32))
    other = Game(ruleset("germany", (), 2), "scene", bytes(31) + b"1")
    waiting = coloured.part(game.state).waiting

    assert {10} == set(Counter(colour for some in waiting.values() for colour in some).values())
    assert {place: CROWDS.get(place, 1) for place in waiting} == {
        place: len(some) for place, some in waiting.items()
    }
    assert set(board("germany").places) < set(waiting)
    assert waiting != coloured.part(other.state).waiting
    assert waiting == coloured.part(game.view(None)).waiting


def test_one_from_each_end() -> None:
    """R-GER-12: a claim takes one passenger from each end, without asking if all are alike."""
    play = scene("""
        germany · ada ben · turn ada
        ada holds 2 purple
        waiting in kiel: red
        waiting in hamburg: blue blue
    """).do("ada: claim hamburg-kiel with 2 purple")

    part = coloured.part(play.state)
    assert (("blue", "red"), ("blue",), ()) == (
        tuple(sorted(part.collected[ADA])),
        part.waiting["hamburg"],
        part.waiting["kiel"],
    )
    assert BEN == play.state.awaiting[0].seat


def test_nobody_waits_any_more() -> None:
    """R-GER-12: where nobody waits, nobody is taken."""
    play = scene("""
        germany · ada ben · turn ada
        ada holds 2 purple
        waiting in kiel: nothing
        waiting in hamburg: nothing
    """).do("ada: claim hamburg-kiel with 2 purple")

    assert () == coloured.part(play.state).collected[ADA]


def test_a_country_has_one_passenger() -> None:
    """R-GER-11: whoever comes first to any terminus of a country takes its passenger."""
    play = scene("""
        germany · ada ben · turn ada
        ada holds 3 red
        ben holds 5 green
        waiting in danemark: yellow
        waiting in kiel: nothing
        waiting in bremerhaven: nothing
    """)
    play.do("ada: claim danemark_2-kiel with 2 red")
    play.do("ben: claim danemark_1-bremerhaven with 5 green")

    assert (("yellow",), ()) == coloured.part(play.state).collected


def choice() -> str:
    """A scene in which a claim leaves a choice of colours."""
    return """
        germany · ada ben · turn ada
        ada holds 2 purple
        waiting in kiel: red
        waiting in hamburg: green blue blue
    """


def test_the_player_chooses() -> None:
    """R-GER-13: where several colours wait, the player chooses, for both ends at once."""
    play = scene(choice()).do("ada: claim hamburg-kiel with 2 purple")
    order = board("germany").routes["hamburg-kiel-1"].cities
    assert ("hamburg", "kiel") == order
    assert ["pick blue red", "pick green red"] == play.texts(ADA)
    assert "R-GER-13" == play.refused("ada: pick yellow red").rule
    assert "R-GER-13" == play.refused((ADA, TakePassengers(("blue",)))).rule
    assert "unreadable" == play.refused("ada: pick somebody").code
    play.do("ada: pick green from hamburg and red from kiel")

    assert ("green", "red") == coloured.part(play.state).collected[ADA]
    assert "Ada takes passengers: green from Hamburg and red from Kiel." in play.sentences


def test_not_without_a_claim() -> None:
    """R-GER-12: passengers come with claims alone."""
    play = scene(choice())

    assert "R-GER-12" == play.refused((ADA, TakePassengers(("blue", "red")))).rule


def lines_of(*collected: str) -> list[int]:
    """The points for passengers of seats that have collected these."""
    seats = "ada ben cem dora"[: 3 + 4 * (len(collected) - 1) + (len(collected) > 3)].strip()
    names = seats.split()
    has = "\n".join(
        f"{name} has collected {some}" for name, some in zip(names, collected, strict=True) if some
    )
    play = scene(f"""
        germany · {seats} · last turn ada
        ada holds 1 red
        {has}
        waiting in koln: nothing
        waiting in koblenz: nothing
    """).do("ada: claim koblenz-koln with 1 red")
    return [_points(result.lines) for result in play.end.results]


def _points(lines: tuple[ScoreLine, ...]) -> int:
    return sum(line.points for line in lines if line.kind == "coloured_passengers")


def test_most_and_second_most() -> None:
    """R-GER-14: 20 points for the most passengers of a colour, 10 for the second most."""
    assert [20, 10, 0] == lines_of("red red red", "red red", "red")
    assert [30, 30, 0] == lines_of("red red blue", "red blue blue", "")


def test_everybody_sees_who_has_taken_what() -> None:
    """R-GER-14: the facts on the table count the passengers of all seats by colour."""
    position = scene("""
        germany · ada ben · turn ada
        ada has collected red red blue
        ben has collected red
    """)
    texts = {fact.label: fact.value for fact in table_facts(position.rules, position.state)}

    assert "red 2–1, blue 1–0" == texts["Passengers taken, seat by seat"]
    assert (
        "none"
        == {
            fact.label: fact.value
            for fact in table_facts(position.rules, scene("germany · ada ben · turn ada").state)
        }["Passengers taken, seat by seat"]
    )


def test_ties() -> None:
    """R-GER-15: all who tie get the points; after a tie for the most there is no second."""
    assert [20, 20, 0] == lines_of("red red", "red red", "red")
    assert [20, 10, 10] == lines_of("red red", "red", "red")


def test_nobody_gets_points_for_nothing() -> None:
    """R-GER-15: a colour of which a seat has none brings it nothing."""
    assert [20, 0, 0] == lines_of("red", "", "")


def test_bonuses() -> None:
    """R-GER-16: 15 points for the most tickets, shared by all who tie; none for a trail."""
    play = scene("""
        germany · ada ben · last turn ada
        ada holds 1 red
        ada owns hannover-magdeburg
        ada has tickets mainz-stuttgart
        waiting in koln: nothing
        waiting in koblenz: nothing
    """).do("ada: claim koblenz-koln with 1 red")

    assert [set(), set()] == [
        {line.kind for line in result.lines} & {"globetrotter", "longest_trail"}
        for result in play.end.results
    ]
    done = scene("""
        germany · ada ben · last turn ada
        ada holds 1 red
        ada owns mannheim-stuttgart-1
        ada has tickets mannheim-stuttgart
        waiting in koln: nothing
        waiting in koblenz: nothing
    """).do("ada: claim koblenz-koln with 1 red")
    assert [15] == [
        line.points for line in done.end.results[ADA].lines if line.kind == "globetrotter"
    ]
    assert ("completed_tickets",) == ruleset("germany").parameters["turns"].ties
