"""Schemas of requests and responses about accounts and tokens."""

from marshmallow import fields, validate

from api.schemas import patterns
from api.schemas.fields import (
    RequestSchema,
    ResponseSchema,
    StrictBoolean,
    integer_field,
    text_field,
    time_field,
)
from api.schemas.patterns import Pattern
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
NAME_RULES = [validate.Length(1, LONGEST_NAME), patterns.LINE]
EMAIL_RULES = [validate.Length(3, LONGEST_ADDRESS), patterns.EMAIL]
LOCALE_RULES = [validate.Length(2, LONGEST_LOCALE), patterns.LOCALE]
ZONE_RULES = [validate.Length(1, patterns.LONGEST_ZONE), patterns.TIME_ZONE]
NAME = {"description": "The name other players see; no two accounts may have similar names."}
CHALLENGES = {
    "description": "Whether other bots may start games between bots with this one, without asking."
}
NEW_EMAIL = {
    "description": "A new address that is waiting for confirmation; until then `email` stays in "
    "use."
}
NEW_EMAIL_UNTIL = {
    "description": "When the confirmation link expires. Null if no address is waiting, or if mail "
    "to it bounced.",
    "format": "date-time",
}
BOUNCED = {
    "description": "When mail to `email` bounced; null if it did not. Until you confirm the "
    "address again, it only receives mail that you request.",
    "format": "date-time",
}
EMAIL = {"description": "Until it is confirmed, only the confirmation email is sent there."}
LOCALE = {"description": "Your language, as a BCP 47 tag such as en or pt-BR."}
TIME_ZONE = {"description": "Your time zone, as an IANA name such as Europe/Paris."}
MODE = (
    "How often mail about games is sent: for each turn; merged, so that everything within half an "
    "hour is one email; as a daily digest; or not at all."
)
QUIET_HOURS = "When no mail about games is sent, until they end; null for no quiet hours."
QUIET_FROM = "When quiet hours begin, such as 22:00."
QUIET_TO = "When quiet hours end; earlier than `from` if they span midnight."
EXPIRES = {"description": "When the token expires; null for never.", "format": "date-time"}


CALENDAR = "The calendar feed with your deadlines and absences. Anyone with this link can read it."


def scopes_field(*, required: bool = True) -> fields.List[str]:
    """Make the field with the scopes of a token."""
    return fields.List(
        fields.String(validate=validate.OneOf(SCOPES)),
        required=required,
        validate=validate.Length(1, len(SCOPES)),
        metadata={
            "description": "What the token may do: `read` what you can see, `play` in your name, "
            "`manage` the account."
        },
    )


class QuietHoursRequest(RequestSchema):
    """A part of the day, in the account's time zone; it may span midnight."""

    from_ = fields.String(
        required=True,
        data_key="from",
        attribute="from",
        validate=TIME,
        metadata={"description": QUIET_FROM},
    )
    to = fields.String(required=True, validate=TIME, metadata={"description": QUIET_TO})


class NotificationsUpdate(RequestSchema):
    """Changes to the mail preferences; fields that are left out stay as they are."""

    mode = fields.String(validate=validate.OneOf(MODES), metadata={"description": MODE})
    quiet_hours = fields.Nested(
        QuietHoursRequest, allow_none=True, metadata={"description": QUIET_HOURS}
    )


class AbsenceRequest(RequestSchema):
    """An absence in whole days, first and last day included."""

    from_ = fields.String(
        required=True,
        data_key="from",
        attribute="from",
        validate=patterns.DAY,
        metadata={"description": "The first day.", "format": "date"},
    )
    to = fields.String(
        required=True,
        validate=patterns.DAY,
        metadata={"description": "The last day.", "format": "date"},
    )


class AccountRequest(RequestSchema):
    """A new account."""

    name = fields.String(required=True, validate=NAME_RULES, metadata=NAME)
    email = fields.String(allow_none=True, validate=EMAIL_RULES, metadata=EMAIL)
    kind = fields.String(
        validate=validate.OneOf(KINDS),
        metadata={"default": "person", "description": "Whether a person or a bot plays."},
    )
    locale = fields.String(validate=LOCALE_RULES, metadata={**LOCALE, "default": "en"})
    time_zone = fields.String(validate=ZONE_RULES, metadata={**TIME_ZONE, "default": "UTC"})


class AccountUpdate(RequestSchema):
    """Changes to an account; fields that are left out stay as they are."""

    name = fields.String(validate=NAME_RULES, metadata=NAME)
    email = fields.String(allow_none=True, validate=EMAIL_RULES, metadata=EMAIL)
    locale = fields.String(validate=LOCALE_RULES, metadata=LOCALE)
    time_zone = fields.String(validate=ZONE_RULES, metadata=TIME_ZONE)
    notifications = fields.Nested(
        NotificationsUpdate, metadata={"description": "Changes to your mail preferences."}
    )
    absences = fields.List(
        fields.Nested(AbsenceRequest),
        validate=validate.Length(max=MOST_ABSENCES),
        metadata={
            "description": "All your absences, in order; this replaces the whole list. Absences "
            f"are whole days in your time zone, at most {DAYS_A_YEAR} a year. Where the game's "
            "clock allows it they move your deadlines, including those of open decisions. Your "
            "tables can see them."
        },
    )
    challenges = StrictBoolean(metadata=CHALLENGES)


class TokenRequest(RequestSchema):
    """A new token."""

    label = fields.String(
        required=True,
        validate=[validate.Length(1, LONGEST_LABEL), patterns.LINE],
        metadata={"description": "What the token is for, to help you recognise it later."},
    )
    scopes = scopes_field()
    expires = fields.String(allow_none=True, validate=patterns.MOMENT, metadata=EXPIRES)


class QuietHours(ResponseSchema):
    """A part of the day, in the account's time zone."""

    from_ = fields.String(
        required=True, data_key="from", attribute="from", metadata={"description": QUIET_FROM}
    )
    to = text_field(QUIET_TO)


class Notifications(ResponseSchema):
    """An account's mail preferences."""

    mode = text_field(MODE, enum=list(MODES))
    quiet_hours = fields.Nested(
        QuietHours, required=True, allow_none=True, metadata={"description": QUIET_HOURS}
    )


class Absence(ResponseSchema):
    """An absence in whole days, first and last day included."""

    from_ = fields.String(
        required=True,
        data_key="from",
        attribute="from",
        metadata={"description": "The first day.", "format": "date"},
    )
    to = text_field("The last day.", format="date")


class Account(ResponseSchema):
    """An account as its owner sees it."""

    id = text_field("An opaque id.")
    name = text_field("The name other players see.")
    kind = text_field("Whether a person or a bot plays.", enum=list(KINDS))
    locale = text_field("Your language.")
    time_zone = text_field("Your time zone.")
    email = fields.String(required=True, allow_none=True, metadata=EMAIL)
    email_confirmed = fields.Boolean(
        required=True, metadata={"description": "Whether `email` is confirmed."}
    )
    bounced = fields.String(required=True, allow_none=True, metadata=BOUNCED)
    new_email = fields.String(required=True, allow_none=True, metadata=NEW_EMAIL)
    new_email_until = fields.String(required=True, allow_none=True, metadata=NEW_EMAIL_UNTIL)
    notifications = fields.Nested(
        Notifications, required=True, metadata={"description": "Your mail preferences."}
    )
    absences = fields.List(
        fields.Nested(Absence),
        required=True,
        metadata={"description": "Your absences, in order."},
    )
    challenges = fields.Boolean(required=True, metadata=CHALLENGES)
    calendar = fields.String(
        required=True,
        allow_none=True,
        metadata={"description": f"{CALENDAR} Null for connected apps.", "format": "uri"},
    )
    created = time_field("When the account was created.")


class CalendarLink(ResponseSchema):
    """The new link to the calendar feed; the previous link no longer works."""

    calendar = text_field(CALENDAR, format="uri")


class Token(ResponseSchema):
    """A token without its secret text, which cannot be retrieved."""

    id = text_field("An opaque id, used to revoke the token.")
    label = text_field("What the token is for.")
    scopes = scopes_field()
    created = time_field("When the token was created.")
    expires = fields.String(required=True, allow_none=True, metadata=EXPIRES)


class NewToken(Token):
    """A new token with its secret text, which is shown only once."""

    token = text_field("Send it as `Authorization: Bearer nm_…`.")


class TokenList(ResponseSchema):
    """An account's tokens, oldest first."""

    tokens = fields.List(
        fields.Nested(Token), required=True, metadata={"description": "All your tokens."}
    )


class RevokedTokens(ResponseSchema):
    """How many tokens were revoked."""

    revoked = integer_field("This token and all tokens created with it, directly or indirectly.")


class NewAccount(ResponseSchema):
    """A new account and its first token, which has all scopes."""

    account = fields.Nested(Account, required=True, metadata={"description": "The account."})
    token = fields.Nested(NewToken, required=True, metadata={"description": "Its first token."})
