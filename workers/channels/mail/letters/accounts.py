"""Letters that are about no game that their reader plays: addresses, invitations, hooks."""

from engine.text import listed
from engine.translate import say
from service.games import invitations
from service.links import signed_links
from service.notify.outbox import Delivery
from service.people import opt_outs
from workers.channels.mail.letters.blocks import Block, Link, Quote, Said, SmallLink, Strong, Title
from workers.channels.mail.letters.turns import Draft, Page


def confirm(page: Page, _: Delivery) -> Draft | None:
    """The question whether an address is theirs."""
    reader = page.reader
    link = signed_links.confirm_address(page.desk, reader.account, reader.email)
    why = say(
        "Somebody, hopefully you, gave this address for the account “{name}” at Nightmail, where "
        "train games are played by mail.",
        name=reader.name,
    )
    blocks: list[Block] = [
        Title(say("Is this your address?")),
        Said(why),
        Link(say("Yes, this is my address"), link),
        Said(
            say(
                "If it was not you, do nothing: without confirmation nothing more is sent to this "
                "address."
            )
        ),
        _opt_out(page),
    ]
    never = opt_outs.link(page.desk, reader.email)
    return Draft(say("Nightmail: please confirm your address"), blocks, listed=False, opt_out=never)


def replaced(page: Page, about: Delivery) -> Draft | None:
    """Whoever reads an address is told that it is in force no longer, and whether another is."""
    if (about.data or {}).get("removed"):
        subject = say("Nightmail: your address was removed")
        why = say(
            "The address {email} was removed from the account “{name}” at Nightmail, which has "
            "none now. This is the last letter that comes here.",
            name=page.reader.name,
            email=page.reader.email,
        )
    else:
        subject = say("Nightmail: your mail goes to another address")
        why = say(
            "The account “{name}” at Nightmail has given up the address {email}: another one was "
            "confirmed. This is the last letter that comes here.",
            name=page.reader.name,
            email=page.reader.email,
        )
    blocks: list[Block] = [
        Title(say("This address is not in use any more")),
        Said(why),
        Said(
            say(
                "If it was not you, somebody else has used your account: tell whoever runs this "
                "Nightmail."
            )
        ),
    ]
    return Draft(subject, blocks, listed=False)


def sign_in(page: Page, about: Delivery) -> Draft | None:
    """The link with which somebody who has asked for it can sign in."""
    if about.data is None:
        return None
    reader = page.reader
    link = signed_links.sign_in(page.desk, reader.account, reader.email, about.data, about.at)
    why = say(
        "Somebody, we hope you, wants to sign in as {name}. The link is good for an hour, and "
        "once.",
        name=reader.name,
    )
    blocks: list[Block] = [
        Title(say("Sign in to Nightmail")),
        Said(why),
        Link(say("Sign in"), link),
        Said(say("If it was not you, do nothing: without this link nobody can sign in.")),
        _opt_out(page),
    ]
    return Draft(say("Nightmail: your link to sign in"), blocks, listed=False)


def invited(page: Page, about: Delivery) -> Draft | None:
    """Somebody is asked to a table; no seat is kept for them."""
    letter = invitations.letter(page.desk, (about.data or {}).get("invitation", ""))
    if letter is None or letter.email != page.reader.email:
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
        Said(why),
        Said(about_table),
        Said(say("Seats are not reserved: first come, first served.")),
        Link(say("See the invitation"), letter.link),
        Said(say("Following the link changes nothing; the page asks. Or just ignore this mail.")),
        _opt_out(page),
    ]
    # Nothing that a stranger has written stands in the subject, or it could be an advertisement.
    never = opt_outs.link(page.desk, page.reader.email)
    return Draft(say("Nightmail: an invitation to a game"), blocks, listed=False, opt_out=never)


def _opt_out(page: Page) -> SmallLink:
    """Where the reader of a letter that somebody else may have caused says never again."""
    link = opt_outs.link(page.desk, page.reader.email)
    return SmallLink(say("Never write to this address again"), link)


def hook_off(_: Page, about: Delivery) -> Draft | None:
    """A hook is not told anything any more."""
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
        Said(again),
        Said(program),
    ]
    return Draft(say("Nightmail: one of your webhooks was switched off"), blocks, listed=False)


def hook_refused(_: Page, about: Delivery) -> Draft | None:
    """A hook answers decisions with what is no legal move."""
    if about.data is None:
        return None
    data = about.data
    wrong = say(
        "Your webhook at {host} was asked for a move three times and answered with none.",
        host=data.get("host"),
    )
    blocks: list[Block] = [
        Title(say("A webhook answers with no legal move")),
        Strong(wrong),
        Quote(str(data.get("reason"))),
        Said(
            say(
                "The game waits for your move until its time is up. The deliveries are listed in "
                "your settings (Settings → Programs → Web hooks) and can be sent once more there."
            )
        ),
        Said(say("There is no other letter about this until the hook has answered with a move.")),
    ]
    return Draft(say("Nightmail: one of your webhooks answers with no move"), blocks, listed=False)
