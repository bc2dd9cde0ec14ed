"""Sends announcements to destinations, each event once to a place, and records what comes of it."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol

from service.desk import Desk
from service.i18n.catalogue import sayable
from service.notify.destinations import announcements, sending
from service.notify.destinations.announcements import Announcement
from service.notify.destinations.managing import SWITCHED_OFF
from service.notify.destinations.message_types import TEST
from service.notify.destinations.sending import Place
from service.notify.outbox import Delivery, Outcome
from service.refusals import Refused
from service.settings import Settings
from workers.calling.connector import NOT_CALLED, Answer, Connector, Request, Unreached
from workers.calling.verdicts import TOO_FAST, Verdict

# Stored with the destination in English, and translated when shown.
LOST_KEY = sayable("The address can no longer be decrypted; add it again.")
BUSY = sayable("Another message about this is being sent there.")


class Poster(Protocol):
    """What a channel knows of its service."""

    def request(self, desk: Desk, parts: Mapping[str, str], message: Announcement) -> Request: ...
    def verdict(self, answer: Answer, now: str) -> Verdict: ...
    def locating(self, desk: Desk, parts: Mapping[str, str], /) -> Request | None: ...
    def located(self, parts: Mapping[str, str], answer: Answer, /) -> str | None: ...
    def connector(self, settings: Settings) -> Connector: ...


class Message(NamedTuple):
    """What is sent, and where."""

    place: Place
    announcement: Announcement


class DestinationSender:
    """Sends the announcements of one channel."""

    def __init__(self, desk: Desk, poster: Poster, connector: Connector | None = None) -> None:
        self._desk = desk
        self._poster = poster
        self._connector = connector or poster.connector(desk.settings)

    def compose(self, deliveries: Sequence[Delivery]) -> Message | None:
        """Return the announcement about these; None if there is nothing left to tell."""
        place = sending.place(self._desk, deliveries[0].destination)
        if place is None:
            return None
        announcement = announcements.announcement(
            self._desk, deliveries, place.locale, is_shared=place.row.shared
        )
        return Message(place, announcement) if announcement else None

    def deliver(self, deliveries: Sequence[Delivery], message: Message) -> Outcome:
        """Send the announcement, unless the place was told of its events already."""
        row, is_test = message.place.row, deliveries[0].kind == TEST
        if row.off_since is not None and not is_test:
            return Outcome("failed", error=SWITCHED_OFF)
        if wait := message.place.held_for(self._desk.now()):
            return Outcome("failed" if is_test else "again", error=TOO_FAST, retry_after=wait)
        verdict, status, size = self._told(message)
        outcome = Outcome(verdict.state, status, verdict.reason or None, size)
        if verdict.state in ("sent", "superseded"):
            return outcome._replace(error=None)
        if verdict.reason == BUSY:
            return outcome
        return self._missed(deliveries, message, verdict, outcome)

    def close(self) -> None:
        """Close all connections."""
        self._connector.close()

    def _told(self, message: Message) -> tuple[Verdict, int | None, int | None]:
        """Claim the events and send those that are new; return the verdict, status and size."""
        row, parts = message.place.row, message.place.parts
        if parts is None:
            return Verdict("ended", LOST_KEY), None, None
        try:
            place = row.place if row.located else self._located(message.place)
            events = {line.event: line.delivery for line in message.announcement.lines}
            claim = sending.claim(self._desk, place, events)
            if claim.is_busy:
                return Verdict("again", BUSY), None, None
            if not claim.mine:
                return Verdict("superseded"), None, None
            announcement = message.announcement.restricted_to(claim.mine)
            request = self._poster.request(self._desk, parts, announcement)
            verdict, status = self._called(row.id, request)
        except _NotLocated as fault:
            return fault.verdict, fault.status, None
        except Refused:
            return Verdict("ended", NOT_CALLED), None, None
        if verdict.state == "sent":
            mine = {event: events[event] for event in claim.mine}
            sending.sent(self._desk, row, place, mine)
        return verdict, status, len(request.body)

    def _located(self, place: Place) -> str:
        """Ask the service to which room an address leads, before the first message."""
        request = self._poster.locating(self._desk, place.parts or {})
        if request is None:
            return sending.locate(self._desk, place.row, None)
        try:
            answer = self._connector.send(place.row.id, request)
        except Unreached as fault:
            raise _NotLocated(Verdict("again", fault.sentence), None) from None
        verdict = self._poster.verdict(answer, self._desk.now())
        if verdict.state != "sent":
            raise _NotLocated(verdict, answer.status)
        named = self._poster.located(place.parts or {}, answer)
        return sending.locate(self._desk, place.row, named)

    def _called(self, owner: str, request: Request) -> tuple[Verdict, int | None]:
        try:
            answer = self._connector.send(owner, request)
        except Unreached as fault:
            return Verdict("again", fault.sentence), None
        return self._poster.verdict(answer, self._desk.now()), answer.status

    def _missed(
        self,
        deliveries: Sequence[Delivery],
        message: Message,
        verdict: Verdict,
        outcome: Outcome,
    ) -> Outcome:
        """Record a failure; a test is not repeated, since its owner sees the result."""
        row = message.place.row
        if verdict.state == "removed":
            sending.prune(self._desk, row)
            return outcome._replace(state="failed")
        if verdict.wait is not None:  # being asked to wait is no failure
            sending.hold(self._desk, row, verdict.wait)
            is_worth_it = True
        else:
            ends = verdict.state == "ended"
            is_worth_it = sending.failed(self._desk, row, verdict.reason, deliveries, ends=ends)
        is_repeated = is_worth_it and verdict.state == "again" and deliveries[0].kind != TEST
        state = "again" if is_repeated else "failed"
        return outcome._replace(state=state, retry_after=verdict.wait)


class _NotLocated(Exception):
    """A service did not say to which room an address leads."""

    def __init__(self, verdict: Verdict, status: int | None) -> None:
        super().__init__(verdict.reason)
        self.verdict = verdict
        self.status = status
