"""Letters that ask whether an address is somebody's: counted for the mailbox that they go to."""

from api.desk import desk
from api.frame import frame
from service import accounts, addresses, links, profile
from service.tokens import Caller


def admit_newcomer(email: str | None, key: str | None = None) -> None:
    """Count a new account, and the letter to its address, if it has given one."""
    mailbox = None if email is None else links.fingerprint(profile.email(email))
    frame().limiter.admit_account()
    if mailbox is not None:
        frame().limiter.admit_letter(mailbox, key)


def admit_address(caller: Caller, said: str | None) -> None:
    """Count the letter that goes to another address, or to one that mail came back from."""
    if said is None:
        return
    email, me = profile.email(said), accounts.me(desk(), caller)
    known = (
        None if me["bounced"] else me["email"],
        me["new_email"] if me["new_email_until"] else None,
    )
    if email not in known:
        frame().limiter.admit_letter(links.fingerprint(email))


def ask_again(caller: Caller) -> None:
    """Send the letter that asks for a confirmation once more, if that is not too often."""
    email = addresses.asked(desk(), caller.account)
    if email is not None:
        frame().limiter.admit_sign_in(links.fingerprint(email))
    addresses.again(desk(), caller)
