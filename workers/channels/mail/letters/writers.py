"""Which function writes which kind of letter."""

from collections.abc import Callable, Sequence

from service.notify.notice_kinds import TALK, TURNS
from service.notify.outbox import Delivery
from workers.channels.mail.letters import accounts, answers, games, turns
from workers.channels.mail.letters.context import Draft, LetterContext

WRITERS: dict[str, Callable[[LetterContext, Delivery], Draft | None]] = {
    "decision_expired": games.expired,
    "game_started": games.started,
    "game_finished": games.finished,
    "seat_resigned": games.resigned,
    "seat_caretaken": games.caretaken,
    "confirm_address": accounts.confirm,
    "address_replaced": accounts.replaced,
    "sign_in": accounts.sign_in,
    "invited": accounts.invited,
    "hook_disabled": accounts.hook_off,
    "hook_refused": accounts.hook_refused,
    "destination_paused": accounts.destination_off,
    "letter_answered": answers.answered,
    "letter_unsure": answers.unsure,
    "commands_answered": answers.commands_answered,
    "stranger_answered": answers.commands_answered,
    "commands_unsure": answers.commands_unsure,
}
"""The writers of letters about one delivery, by kind."""
TOGETHER: dict[str, Callable[[LetterContext, Sequence[Delivery]], Draft | None]] = {
    **dict.fromkeys(TURNS, turns.turns),
    TALK: games.talk,
}
"""The writers of letters about several deliveries, by kind."""
