"""Letters about the account of a reader: addresses, sign-in, invitations, hooks."""

from datetime import datetime

from engine.text import listed
from engine.translate import say
from service.games.inviting.invitation_letters import Letter
from service.i18n import dates
from service.links import signed_links
from service.notify.outbox import Delivery
from service.people import opt_outs
from workers.channels.mail.letters.blocks import (
    Block,
    Link,
    Paragraph,
    Quote,
    SmallLink,
    Strong,
    Title,
)
from workers.channels.mail.letters.context import Draft, LetterContext


def confirm(context: LetterContext, _: Delivery) -> Draft | None:
    """Write the letter that asks to confirm an address."""
    reader = context.reader
    link = signed_links.confirm_address(context.desk, reader.account, reader.email)
    why = say(
        "Somebody, hopefully you, gave this address for the account “{name}” at Nightmail, where "
        "train games are played by mail.",
        name=reader.name,
    )
    blocks: list[Block] = [
        Title(say("Is this your address?")),
        Paragraph(why),
        Link(say("Yes, this is my address"), link),
        Paragraph(say("Or reply to this email with the word “yes”.")),
        Paragraph(
            say(
                "If it was not you, do nothing: without confirmation nothing more is sent to this "
                "address."
            )
        ),
        _opt_out(context),
    ]
    never = opt_outs.link(context.desk, reader.email)
    return Draft(
        say("Nightmail: please confirm your address"),
        blocks,
        reply_to=context.confirmation_to(),
        listed=False,
        opt_out=never,
    )


def replaced(context: LetterContext, about: Delivery) -> Draft | None:
    """Tell the reader of an old address that it was replaced or removed."""
    if (about.data or {}).get("removed"):
        subject = say("Nightmail: your address was removed")
        why = say(
            "The address {email} was removed from the account “{name}” at Nightmail, which has "
            "none now. This is the last letter that comes here.",
            name=context.reader.name,
            email=context.reader.email,
        )
    else:
        subject = say("Nightmail: your mail goes to another address")
        why = say(
            "The account “{name}” at Nightmail no longer uses the address {email}: another one was "
            "confirmed. This is the last mail to this address.",
            name=context.reader.name,
            email=context.reader.email,
        )
    blocks: list[Block] = [
        Title(say("This address is not in use any more")),
        Paragraph(why),
        Paragraph(
            say(
                "If it was not you, somebody else has used your account: tell whoever runs this "
                "Nightmail."
            )
        ),
    ]
    return Draft(subject, blocks, listed=False)


def sign_in(context: LetterContext, about: Delivery) -> Draft | None:
    """Write the letter with the link to sign in, which the reader has asked for."""
    if about.data is None:
        return None
    reader = context.reader
    link = signed_links.sign_in(context.desk, reader.account, reader.email, about.data, about.at)
    why = say(
        "Somebody, hopefully you, wants to sign in as {name}. The link works once, within an hour.",
        name=reader.name,
    )
    blocks: list[Block] = [
        Title(say("Sign in to Nightmail")),
        Paragraph(why),
        Link(say("Sign in"), link),
        Paragraph(say("If it was not you, do nothing: without this link nobody can sign in.")),
        _opt_out(context),
    ]
    return Draft(say("Nightmail: your link to sign in"), blocks, listed=False)


def invited(context: LetterContext, _: Delivery) -> Draft | None:
    """Invite the reader to a table, and say until when a seat is reserved."""
    letter = context.reader.invitation
    if letter is None or letter.email != context.reader.email:
        return None
    host, table = letter.host, letter.table
    title, players = table["title"], listed(table["players"])
    why = say("{host} invites you to a game at Nightmail: “{title}”.", host=host, title=title)
    about_table = say(
        "Board: {board}. At the table: {players}. Seats free: {free}.",
        board=table["board"],
        players=players,
        free=table["free"],
    )
    blocks: list[Block] = [
        Title(say("You are invited to a game")),
        Paragraph(why),
        Paragraph(about_table),
        Paragraph(_reservation(context, letter)),
        Link(say("See the invitation"), letter.link),
        Paragraph(_how_to_accept(letter)),
        Paragraph(
            say("Opening the link changes nothing; the page asks first. Or just ignore this mail.")
        ),
        _opt_out(context),
    ]
    # Nothing that a stranger has written stands in the subject, or it could be an advertisement.
    never = opt_outs.link(context.desk, context.reader.email)
    return Draft(say("Nightmail: an invitation to a game"), blocks, listed=False, opt_out=never)


def _reservation(context: LetterContext, letter: Letter) -> str:
    if letter.reserved_until is not None:
        until = datetime.fromisoformat(letter.reserved_until)
        time = dates.letter_time(until, context.reader.time_zone)
        return say("A seat is reserved for you until {time}.", time=time)
    if letter.waits:
        return say(
            "All seats are reserved for other guests at the moment. When one is freed, it is kept "
            "for you, and you get another letter."
        )
    return say("No seat is reserved for you: you can take one as long as there is a free one.")


def _how_to_accept(letter: Letter) -> str:
    if letter.guest is not None:
        return say("Or reply to this email with the line: join {code}", code=letter.code)
    return say(
        "Or reply to this email with the line: join {code} as NAME – with the name under which "
        "you want to play.",
        code=letter.code,
    )


def _opt_out(context: LetterContext) -> SmallLink:
    """Return the link to opt out, in letters that others can cause."""
    link = opt_outs.link(context.desk, context.reader.email)
    return SmallLink(say("Never write to this address again"), link)


def hook_off(_: LetterContext, about: Delivery) -> Draft | None:
    """Write the letter about a hook that was switched off."""
    if about.data is None:
        return None
    data = about.data
    off = say(
        "Your webhook at {host} is switched off: {reason}",
        host=data.get("host"),
        reason=say(str(data.get("reason"))),
    )
    again = say(
        "When it works again, switch it on in your settings (Settings → Programs → Web hooks); "
        "what it has missed can be sent once more there."
    )
    program = say(
        "A program does the same with PATCH /v1/me/webhooks/{hook} and redeliver.",
        hook=data.get("hook"),
    )
    blocks: list[Block] = [
        Title(say("A webhook was switched off")),
        Strong(off),
        Paragraph(again),
        Paragraph(program),
    ]
    return Draft(say("Nightmail: one of your webhooks was switched off"), blocks, listed=False)


def hook_refused(_: LetterContext, about: Delivery) -> Draft | None:
    """Write the letter about a hook that answers decisions with no legal move."""
    if about.data is None:
        return None
    data = about.data
    wrong = say(
        "Your webhook at {host} was asked for a move three times and answered with none.",
        host=data.get("host"),
    )
    blocks: list[Block] = [
        Title(say("A webhook does not answer with a legal move")),
        Strong(wrong),
        Quote(str(data.get("reason"))),
        Paragraph(
            say(
                "The game waits for your move until its time is up. The deliveries are listed in "
                "your settings (Settings → Programs → Web hooks) and can be sent once more there."
            )
        ),
        Paragraph(say("You get no other mail about this until the hook has answered with a move.")),
    ]
    return Draft(
        say("Nightmail: one of your webhooks does not answer with a move"), blocks, listed=False
    )


def destination_off(_: LetterContext, about: Delivery) -> Draft | None:
    """Write the letter about a destination of messages that was switched off."""
    if about.data is None:
        return None
    data = about.data
    off = say(
        "We send nothing to “{label}” any more: {reason}",
        label=data.get("label"),
        reason=say(str(data.get("reason"))),
    )
    blocks: list[Block] = [
        Title(say("Messages do not arrive")),
        Strong(off),
        Paragraph(
            say(
                "Your settings (Settings → Channels) say more. When it works again, switch it on "
                "there and send a test."
            )
        ),
    ]
    return Draft(
        say("Nightmail: messages to one of your channels do not arrive"), blocks, listed=False
    )
