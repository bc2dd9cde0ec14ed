"""Commands about the player: `sign on`, `as`, `absence`, `digest`, `zone` and `language`."""

import hashlib
import hmac

from engine.translate import say
from service.desk import Desk
from service.games.inviting import invitation_codes, invitations
from service.i18n.catalogue import current_language, sayable
from service.people import accounts, names
from service.refusals import Refused, unreadable
from service.replies import trust
from service.replies.commands import absence
from service.replies.commands.conversation import Conversation, Line, Reply
from service.replies.service_commands.writer import Answer, Writer
from store.people import accounts as account_rows

HOW_OFTEN = {
    "daily": "digest",
    "merged": "merged",
    "off": "off",
    "each turn": "each_turn",
}
"""How often mail comes, by the word for it."""
SENTENCES = {
    "digest": sayable("You get one email a day about all your games."),
    "merged": sayable("You get one email for all turns within half an hour."),
    "off": sayable("You get no more emails about your games."),
    "each_turn": sayable("You get an email for each turn."),
}


def sign_on(writer: Writer, line: Line) -> Answer:
    """Create an account for the sender's address, which a second letter asks to confirm."""
    if writer.account is not None:
        sentence = say("You play here as {name}.", name=writer.account.name)
        return Answer(sentence, changed=False)
    on, _, name = line.raw_arguments.partition(" ")
    name = name.strip()
    if on.casefold().removesuffix(":") != "on" or not name:
        raise unreadable(say("Write “sign on” and the name under which you want to play."))
    request = {"name": name, "email": writer.email, "locale": current_language()}
    accounts.create(writer.desk, request, _secret_key(writer, line), writer.source)
    writer.signed_on = True
    return Answer(
        say(
            "Welcome, {name}! We have sent another email to {email}: reply to it with “yes”, or "
            "follow its link, and you can play.",
            name=name,
            email=writer.email,
        )
    )


def _secret_key(writer: Writer, line: Line) -> str:
    """Return an Idempotency-Key for the new account, which nobody can guess who knows the mail."""
    secret = writer.desk.settings.secret_keys[0].encode()
    return hmac.new(secret, writer.key_of(line.number).encode(), hashlib.sha256).hexdigest()


def act_as(writer: Writer, line: Line) -> Answer:
    """Choose one of several accounts with the same address."""
    name_key = names.skeleton(line.raw_arguments)
    with writer.desk.database.reading() as tx:
        id = account_rows.id_by_name(tx, name_key)
        account = account_rows.account(tx, id) if id else None
    is_own = (
        account is not None
        and account.email_confirmed is not None
        and trust.is_same_mailbox(writer.email, account.email or "")
    )
    if account is None or not is_own:
        raise Refused("forbidden", say("No player with that name has this address."))
    writer.account, writer.others = account, ()
    return Answer(say("You write as {name}.", name=account.name), changed=False)


def set_mail(writer: Writer, line: Line) -> Answer:
    """Choose how often mail comes."""
    mode = HOW_OFTEN.get(line.arguments)
    if mode is None:
        words = ", ".join(f"“digest {word}”" for word in HOW_OFTEN)
        raise unreadable(say("Write one of {words}.", words=words))
    accounts.change(writer.desk, writer.caller, {"notifications": {"mode": mode}})
    return Answer(say(SENTENCES[mode]))


def set_absence(writer: Writer, line: Line) -> Answer:
    """Store an absence, list those to come, or cancel them."""
    reply = Reply(writer.player.id, "", None, [line.text], writer.key)
    conversation = Conversation(writer.desk, reply)
    sentence = absence.record(conversation, line)
    return Answer(sentence, changed=conversation.changes > 0)


def set_zone(writer: Writer, line: Line) -> Answer:
    """Set the time zone in which letters give times."""
    changed = accounts.change(writer.desk, writer.caller, {"time_zone": line.raw_arguments})
    return Answer(say("Your time zone is {zone}.", zone=changed["time_zone"]))


def set_language(writer: Writer, line: Line) -> Answer:
    """Set the language of letters and pages."""
    changed = accounts.change(writer.desk, writer.caller, {"locale": line.raw_arguments})
    return Answer(say("Your language is {language}.", language=changed["locale"]))


def join_as_guest(writer: Writer, code: str, name: str) -> Answer | None:
    """Accept an invitation to the sender's address; None if the code is not of an invitation."""
    payload = invitation_codes.payload_of(writer.desk, code)
    if payload is None:
        return None
    invited = invitations.page(writer.desk, payload).get("email")
    if writer.account is None and not trust.is_same_mailbox(invited or "", writer.email):
        raise Refused("forbidden", say("This invitation went to another address."))
    if writer.account is not None:
        page = invitations.accept(writer.desk, payload, writer.player.id)
    elif name:
        page = invitations.accept_as_new(writer.desk, payload, name)
        _take_account(writer)
    else:
        raise unreadable(
            say("Write “join {code} as” and the name under which you want to play.", code=code)
        )
    is_own = writer.account is not None and page.get("guest") == writer.account.id
    if page["stands"] not in ("seated", "done") or not is_own:
        raise Refused("forbidden", say("This invitation is no longer open."))
    return Answer(say("You have a seat at “{title}”.", title=page["table"]["title"]))


def is_invited_by(writer: Writer, line: Line) -> bool:
    """Return whether a line has the code of an invitation, which only the sender has received."""
    code = line.raw_arguments.partition(" ")[0]
    payload = invitation_codes.payload_of(writer.desk, code)
    if line.command != "join" or payload is None:
        return False
    page = invitations.page(writer.desk, payload)
    if writer.account is not None and page.get("guest") == writer.account.id:
        return True
    return trust.is_same_mailbox(page.get("email") or "", writer.email)


def _take_account(writer: Writer) -> None:
    """Use the account that has just been created for the sender's address."""
    writer.account, _ = owners(writer.desk, writer.email)


def owners(desk: Desk, email: str) -> tuple[account_rows.Account | None, tuple[str, ...]]:
    """Return the account whose confirmed address leads to this mailbox, and the names of others."""
    with desk.database.reading() as tx:
        candidates = account_rows.with_tagged_address(tx, email)
    owning = [
        account
        for account in candidates
        if account.email_confirmed and trust.is_same_mailbox(email, account.email or "")
    ]
    # An account with exactly this address comes before one with another tag.
    owning.sort(key=lambda account: (account.email or "").lower() != email.lower())
    if not owning:
        return None, ()
    return owning[0], tuple(account.name for account in owning[1:])
