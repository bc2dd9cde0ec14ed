"""Schemas of responses about mail that was not carried out."""

from marshmallow import fields

from api.schemas.fields import ResponseSchema, text_field, time_field
from service.replies.held_mail import MOST, RETENTION


class HeldMail(ResponseSchema):
    """An email to an address of yours that was not carried out."""

    id = text_field("An opaque id.")
    received = time_field("When the email was received.")
    game = fields.String(
        required=True,
        allow_none=True,
        metadata={"description": "The game it is about; null if it is about none."},
    )
    reason = text_field("Why it was not carried out, as a code. There may be new codes.")
    sentence = text_field("The same reason for people.")
    sender = fields.String(
        required=True,
        allow_none=True,
        metadata={
            "description": "The address in its `From` header, which may be forged; null if it "
            "cannot be read."
        },
    )
    lines = fields.List(
        fields.String(),
        required=True,
        metadata={"description": "The first lines that were written in it, shortened."},
    )


class HeldMailList(ResponseSchema):
    """Your mail that was not carried out, newest first."""

    mail = fields.List(
        fields.Nested(HeldMail),
        required=True,
        metadata={"description": f"At most {MOST} emails of the last {RETENTION.days} days."},
    )
