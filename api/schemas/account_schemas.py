"""What requests about accounts and tokens must look like, and what is answered to them."""

from marshmallow import fields, validate

from api.schemas.fields import Answer, Body, Flag
from api.schemas.game_schemas import moment, whole, words
from api.schemas.patterns import DAY, LINE, LONGEST_ZONE, MOMENT, Pattern
from api.schemas.patterns import EMAIL as ADDRESS
from api.schemas.patterns import LOCALE as LOCALE_TAG
from api.schemas.patterns import TIME_ZONE as ZONE_NAME
from service.people.accounts import KINDS
from service.people.names import LONGEST_NAME
from service.people.profile import (
    DAYS_A_YEAR,
    LONGEST_ADDRESS,
    LONGEST_LOCALE,
    MODES,
    MOST_ABSENCES,
)
from service.people.tokens import LONGEST_LABEL, SCOPES

TIME = Pattern(r"^([01][0-9]|2[0-3]):[0-5][0-9]$", error="must be a time such as 22:00.")
NAME_RULES = [validate.Length(1, LONGEST_NAME), LINE]
LOCALE_RULES = [validate.Length(2, LONGEST_LOCALE), LOCALE_TAG]
ZONE_RULES = [validate.Length(1, LONGEST_ZONE), ZONE_NAME]
NAME = {"description": "What the others call you; nobody has a name too much like it."}
CHALLENGES = {
    "description": "Whether other bots may seat this one in games between bots, without asking."
}
NEW_EMAIL = {
    "description": "An address that waits to be confirmed; until then `email` stays in force."
}
NEW_EMAIL_UNTIL = {
    "description": "So long it waits. Null if nothing does, or if mail to it came back.",
    "format": "date-time",
}
BOUNCED = {
    "description": "When mail to `email` came back; until it is given once more nothing but what "
    "you ask for goes there. Null if none did.",
    "format": "date-time",
}
EMAIL = {"description": "Used for its confirmation only, until it is confirmed."}
LOCALE = {"description": "The language you read: a BCP 47 tag such as en or pt-BR."}
TIME_ZONE = {"description": "Where your clock is: an IANA name such as Europe/Paris."}
EXPIRES = {
    "description": "From then on it is worth nothing; null for never.",
    "format": "date-time",
}


def calendar() -> fields.String:
    return words(
        "Where a calendar program reads your deadlines and absences. Whoever knows it can read it.",
        format="uri",
    )


def scopes(*, required: bool = True) -> fields.List[str]:
    """What a token allows."""
    return fields.List(
        fields.String(validate=validate.OneOf(SCOPES)),
        required=required,
        validate=validate.Length(1, len(SCOPES)),
        metadata={"description": "What it allows: look, play and sit down, change the account."},
    )


class QuietHours(Body):
    """A part of the day, in the account's time zone; it may go past midnight."""

    from_ = fields.String(required=True, data_key="from", attribute="from", validate=TIME)
    to = fields.String(required=True, validate=TIME)


class NotificationsWanted(Body):
    """How somebody wants to be told; what is left out stays as it is."""

    mode = fields.String(validate=validate.OneOf(MODES))
    quiet_hours = fields.Nested(QuietHours, allow_none=True)


class Absence(Body):
    """From one day to another, both included."""

    from_ = fields.String(
        required=True, data_key="from", attribute="from", validate=DAY, metadata={"format": "date"}
    )
    to = fields.String(required=True, validate=DAY, metadata={"format": "date"})


class AccountWanted(Body):
    """An account that somebody wants to have."""

    name = fields.String(required=True, validate=NAME_RULES, metadata=NAME)
    email = fields.String(
        allow_none=True, validate=[validate.Length(3, LONGEST_ADDRESS), ADDRESS], metadata=EMAIL
    )
    kind = fields.String(
        validate=validate.OneOf(KINDS), metadata={"default": "person", "description": "Who plays."}
    )
    locale = fields.String(validate=LOCALE_RULES, metadata={**LOCALE, "default": "en"})
    time_zone = fields.String(validate=ZONE_RULES, metadata={**TIME_ZONE, "default": "UTC"})


class MeWanted(Body):
    """What to change; what is left out stays as it is."""

    name = fields.String(validate=NAME_RULES, metadata=NAME)
    email = fields.String(
        allow_none=True, validate=[validate.Length(3, LONGEST_ADDRESS), ADDRESS], metadata=EMAIL
    )
    locale = fields.String(validate=LOCALE_RULES, metadata=LOCALE)
    time_zone = fields.String(validate=ZONE_RULES, metadata=TIME_ZONE)
    notifications = fields.Nested(NotificationsWanted)
    absences = fields.List(
        fields.Nested(Absence),
        validate=validate.Length(max=MOST_ABSENCES),
        metadata={
            "description": "All of them from now on, in order: whole days by your own clock, at "
            f"most {DAYS_A_YEAR} in a year. Where the game's clock allows it they move your "
            "deadlines, also those of decisions that are open; the table sees them."
        },
    )
    challenges = Flag(metadata=CHALLENGES)


class TokenWanted(Body):
    """A token that somebody wants to have."""

    label = fields.String(
        required=True,
        validate=[validate.Length(1, LONGEST_LABEL), LINE],
        metadata={"description": "What it is for, so that you know it again."},
    )
    scopes = scopes()
    expires = fields.String(allow_none=True, validate=MOMENT, metadata=EXPIRES)


class QuietHoursSet(Answer):
    """A part of the day, in the account's time zone."""

    from_ = fields.String(required=True, data_key="from", attribute="from")
    to = words("When it ends.")


class NotificationsSet(Answer):
    """How somebody is told."""

    mode = words("How often.", enum=list(MODES))
    quiet_hours = fields.Nested(QuietHoursSet, required=True, allow_none=True)


class AbsenceSet(Answer):
    """From one day to another, both included."""

    from_ = fields.String(
        required=True, data_key="from", attribute="from", metadata={"format": "date"}
    )
    to = words("The last day.", format="date")


class Me(Answer):
    """An account as its owner sees it."""

    id = words("Opaque.")
    name = words("What the others call you.")
    kind = words("Who plays.", enum=list(KINDS))
    locale = words("The language you read.")
    time_zone = words("Where your clock is.")
    email = fields.String(required=True, allow_none=True, metadata=EMAIL)
    email_confirmed = fields.Boolean(required=True)
    bounced = fields.String(required=True, allow_none=True, metadata=BOUNCED)
    new_email = fields.String(required=True, allow_none=True, metadata=NEW_EMAIL)
    new_email_until = fields.String(required=True, allow_none=True, metadata=NEW_EMAIL_UNTIL)
    notifications = fields.Nested(NotificationsSet, required=True)
    absences = fields.List(fields.Nested(AbsenceSet), required=True)
    challenges = fields.Boolean(required=True, metadata=CHALLENGES)
    calendar = calendar()
    created = moment("When it was made.")


class CalendarRenewed(Answer):
    """The link to a calendar, after the one before was made void."""

    calendar = calendar()


class TokenListed(Answer):
    """A token, without its text, which nobody can tell any more."""

    id = words("Opaque; revoke it by this.")
    label = words("What it is for.")
    scopes = scopes()
    created = moment("When it was made.")
    expires = fields.String(required=True, allow_none=True, metadata=EXPIRES)


class TokenShown(TokenListed):
    """A new token. Its text is shown this once."""

    token = words("Send it: `Authorization: Bearer nm_…`")


class TokensListed(Answer):
    """An account's tokens, the oldest first."""

    tokens = fields.List(fields.Nested(TokenListed), required=True)


class TokensRevoked(Answer):
    """What was revoked."""

    revoked = whole("How many tokens: this one, and those that it has made, by and by.")


class AccountMade(Answer):
    """A new account and its first token, which has every scope."""

    account = fields.Nested(Me, required=True)
    token = fields.Nested(TokenShown, required=True)
