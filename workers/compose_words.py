"""Every sentence of a letter that does not come from the rules: one place for all texts.

A catalogue for another language gives another class with the same methods.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta

from engine.words import count, listed, shortened
from service import quoting
from service.profile import zone

MARKER = f"--- {quoting.MARKER.capitalize()} ---"
"""Whatever stands below it in an answer is ours."""
DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July"),
    *("August", "September", "October", "November", "December"),
)
LONGEST_SUBJECT = 140


class English:
    """The letters in English."""

    # What is asked.
    prompt_reminder = "Reminder: this decision still waits for you."
    what_happened = "What happened since your last move"
    your_last_move = "Your last move"
    nothing_happened = "Nothing else has happened since."
    left_out = "More happened before that; this letter tells only the latest."
    what_you_can_do = "What you can do"
    your_hand = "Your hand"
    your_tickets = "Your tickets"
    no_tickets = "You hold no tickets yet."
    on_the_table = "On the table"
    score = "Score so far"
    no_deadline = "There is no deadline."
    play_by_link = "Play by link"
    done = "done"
    not_done = "not done"
    you = "you"
    seat = "Seat"
    board = "The board"
    name = "Name"
    colour = "Colour"
    how_to_answer = "How to answer"
    forwarded = "This mail was forwarded or seen by somebody else: make its links void"
    unsubscribe_game = "No more mail about this game"
    unsubscribe_all = "No more mail about turns"

    def answering(self, example: str) -> tuple[str, ...]:
        """How a reply is read."""
        return (
            "Reply to this mail, and write above the marked line. Each line is one thing.",
            f"It can be the number of an option, such as 1, or its move text, such as: {example}",
            "Several lines are done in their order, as far as they are accepted.",
            "You can also write: help, status, resign, or absence 3 Jul - 10 Jul",
            "Or follow the link of a group of options. Opening it plays nothing; its page asks.",
        )

    def answer_here(self, address: str) -> str:
        return f"To answer for this game, write to {address}"

    first_is_answered = (
        "A plain reply answers the first game below; each game names its own address."
    )

    def until(self, deadline: datetime, now: datetime, time_zone: str) -> str:
        left = deadline - now
        if left <= timedelta(0):
            return f"The time was over on {self.moment(deadline, time_zone)}."
        said = f"Please answer before {self.moment(deadline, time_zone)}"
        return f"{said}: {self.span(left)} after this mail was sent."

    def default(self, label: str) -> str:
        return f"If the time runs out, this is played for you: {label}."

    def moment(self, when: datetime, time_zone: str) -> str:
        """A time where the reader lives, with the day and the zone."""
        there = when.astimezone(zone(time_zone))
        day = f"{DAYS[there.weekday()]} {there.day} {MONTHS[there.month - 1]} {there.year}"
        offset = there.strftime("%z")
        shift = f"UTC{offset[:3]}:{offset[3:]}" if time_zone != "UTC" else "UTC"
        named = shift if time_zone == "UTC" else f"{time_zone}, {shift}"
        return f"{day}, {there:%H:%M} ({named})"

    def span(self, left: timedelta) -> str:
        """How long something takes: its two largest units."""
        minutes = round(left.total_seconds() / 60)
        days, rest = divmod(minutes, 24 * 60)
        hours, minutes = divmod(rest, 60)
        units = [(days, "day"), (hours, "hour"), (minutes, "minute")]
        first = next((at for at, (number, _) in enumerate(units) if number), len(units))
        shown = [_unit(*unit) for unit in units[first : first + 2] if unit[0]]
        return listed(shown) or "less than a minute"

    def head(self, version: int, head: str) -> str:
        return f"Head of the log after move {version}: {head}"

    def ticket(self, points: int, *, done: bool) -> str:
        return f"{count(points, 'point')}, {self.done if done else self.not_done}"

    # Subjects.
    def turn_subject(self, title: str, prompt: str) -> str:
        return shortened(f"{title}: {_brief(prompt)}", LONGEST_SUBJECT)

    def reminder_subject(self, title: str, prompt: str) -> str:
        return shortened(f"{title}: reminder: {_brief(prompt)}", LONGEST_SUBJECT)

    def merged_subject(self, titles: Sequence[str]) -> str:
        return shortened(
            f"{count(len(titles), 'game')} wait for you: {', '.join(titles)}", LONGEST_SUBJECT
        )

    def merged_title(self, number: int) -> str:
        return f"{count(number, 'game')} wait for you"

    def subject(self, title: str, what: str) -> str:
        return shortened(f"{title}: {what}", LONGEST_SUBJECT)

    # Other letters.
    started = "the game has begun"
    finished = "the game is over"
    expired = "your time was over"
    resigned = "a seat was given up"
    caretaken = "the house plays a seat"
    message = "a message at the table"
    answered = "what your mail did"
    unsure = "please confirm your mail"

    def seating(self, name: str, number: int, colour: str, board: str) -> str:
        return f"You are {name}, seat {number}, {colour}, on the board {board}."

    def commitment(self, commitment: str) -> str:
        return (
            "All chance in this game is fixed already, and nobody can look at it. Its commitment, "
            f"against which the seed can be checked after the end: {commitment}"
        )

    first_decision = "What is asked of you comes in a mail of its own."
    how_to_verify = "How to verify"

    verifying = (
        "Save the log of this game, with its seed, and run: nightmail verify FILE",
        "It needs no server and no network, and checks the commitment, every draw and every move.",
        "The last move in the log must bear the head that stands at the foot of this mail.",
    )
    whole_log = "The whole log of this game"

    played_for_you = "The time for your decision was over. This was played for you:"
    caretaker_explained = (
        "A seat that misses three deadlines in a row is played by the house until its owner makes "
        "a move again."
    )

    def was_due(self, deadline: datetime, time_zone: str) -> str:
        return f"It was due on {self.moment(deadline, time_zone)}."

    tickets = "Tickets"

    def tickets_of(self, name: str, done: Sequence[str], failed: Sequence[str]) -> str:
        return (
            f"{name}: completed {', '.join(done) or 'none'}; failed {', '.join(failed) or 'none'}."
        )

    def caretaken_seat(self, name: str) -> str:
        return f"From now on the house plays for {name}."

    your_seat_caretaken = (
        "From now on the house plays for you. Make any move, by mail, link or program, and the "
        "seat is yours again."
    )

    def resigned_seat(self, names: Sequence[str]) -> str:
        who = listed(list(names)) or "Somebody"
        return f"{who} has left the game. The house plays on in that place."

    def wrote(self, name: str, moment: str) -> str:
        return f"{name} wrote on {moment}:"

    sign_in_subject = "Nightmail: your link to sign in"
    sign_in_title = "Sign in to Nightmail"

    def sign_in_why(self, name: str) -> str:
        return (
            f"Somebody, we hope you, wants to sign in as {name}. "
            "The link is good for an hour, and once."
        )

    sign_in_link = "Sign in"
    sign_in_else = "If it was not you, do nothing: without this link nobody can sign in."

    confirm_subject = "Nightmail: please confirm your address"
    confirm_title = "Is this your address?"

    def confirm_why(self, name: str) -> str:
        return (
            f"Somebody, hopefully you, gave this address for the account “{name}” at Nightmail, "
            "where train games are played by mail."
        )

    confirm_link = "Yes, this is my address"
    confirm_else = (
        "If it was not you, do nothing: without confirmation nothing more is sent to this address."
    )

    def invited_subject(self, host: str, title: str) -> str:
        return shortened(f"{host} invites you to play: {title}", LONGEST_SUBJECT)

    def invited_why(self, host: str, title: str) -> str:
        return f"{host} keeps a seat for you at the table “{title}” at Nightmail."

    def invited_table(self, board: str, players: Sequence[str], free: int) -> str:
        return f"Board: {board}. At the table: {listed(list(players))}. Seats free: {free}."

    invited_link = "See the invitation"
    invited_else = "Following the link changes nothing; the page asks. Or just ignore this mail."
    hook_subject = "Nightmail: one of your webhooks was switched off"
    hook_title = "A webhook was switched off"

    def hook_off(self, host: str, reason: str) -> str:
        return f"Your webhook at {host} is switched off: {reason}"

    def hook_again(self, hook: str) -> str:
        return (
            f"When it works again, switch it on with PATCH /v1/me/webhooks/{hook}, and ask for "
            "what it has missed with redeliver."
        )

    understood = "What we read in your mail, and what came of it"

    def refused(self, why: str) -> str:
        return f"Refused: {why}"

    nothing_read = "We found nothing in your mail that we could read."
    now_asked = "What is asked of you now"
    nothing_asked = "Nothing is asked of you at the moment."
    unsure_why = (
        "A mail with the lines below has reached us. We cannot be sure that it comes from you, so "
        "nothing was done."
    )
    unsure_link = "Look at these lines and play them"
    unsure_else = "If you did not write it, do nothing."


def _unit(number: int, unit: str) -> str:
    return f"{number} {unit}" if number == 1 else f"{number} {unit}s"


def words_for(locale: str) -> English:  # noqa: ARG001  # catalogues for other languages come later
    """The words in a language that its reader knows best."""
    return _ENGLISH


_ENGLISH = English()


def _brief(prompt: str) -> str:
    """What is asked without its particulars: a subject is shown where others can read it."""
    return prompt.partition(":")[0].removesuffix(".")
