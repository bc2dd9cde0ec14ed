"""The documented configuration of the mail server: who may send where, and names that agree."""

import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
OURS, THEIRS = "play.example.org", "example.com"
HERE, ELSEWHERE = "127.0.0.1", "192.0.2.25"


def _main_cf() -> dict[str, str]:
    """The parameters in main.cf; a line that begins with a space continues the one before."""
    text = (DOCS / "postfix/main.cf").read_text()
    lines = [line for line in text.split("\n") if line and not line.startswith("#")]
    logical = re.sub(r"\n\s+", " ", "\n".join(lines)).split("\n")
    pairs = [line.partition("=") for line in logical]
    return {name.strip(): value.strip() for name, _, value in pairs}


def _filter_conf(name: str) -> dict[str, str]:
    """The settings of OpenDKIM or OpenDMARC."""
    text = (DOCS / "postfix" / name).read_text()
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    pairs = [line.split(None, 1) for line in lines]
    return {pair[0]: pair[1] for pair in pairs}


def _reply(client: str, domain: str, *, exists: bool) -> str:
    """What Postfix says to RCPT: it evaluates both lists in order, and permits at their end."""
    settings = _main_cf()
    for name in ("smtpd_relay_restrictions", "smtpd_recipient_restrictions"):
        for restriction in settings[name].split(","):
            match restriction.strip():
                case "permit_mynetworks":
                    if client.startswith("127.") and "127.0.0.0/8" in settings["mynetworks"]:
                        break
                case "reject_unauth_destination":
                    if domain not in settings["relay_domains"].split():
                        return "554 relay access denied"
                case "reject_unverified_recipient":
                    if not exists:
                        return f"{settings['unverified_recipient_reject_code']} unknown"
                case other:
                    pytest.fail(f"this test does not know {other}")
    return "250"


@pytest.mark.parametrize(
    ("client", "domain", "exists", "reply"),
    [
        (HERE, THEIRS, True, "250"),
        (HERE, THEIRS, False, "250"),
        (HERE, OURS, True, "250"),
        (ELSEWHERE, OURS, True, "250"),
        (ELSEWHERE, OURS, False, "550 unknown"),
        (ELSEWHERE, THEIRS, True, "554 relay access denied"),
    ],
)
def test_who_may_send_where(client: str, domain: str, *, exists: bool, reply: str) -> None:
    """We may write to anybody; others only to us, and only to addresses that exist."""
    assert reply == _reply(client, domain, exists=exists)


def test_the_page_shows_the_file() -> None:
    """The configuration in the documentation is main.cf, word for word."""
    assert f"```\n{(DOCS / 'postfix/main.cf').read_text()}```" in (DOCS / "replies.md").read_text()


def test_filters_and_settings_agree() -> None:
    """Ports and names are the same in Postfix, both filters, and Nightmail's settings."""
    postfix, dkim, dmarc = _main_cf(), _filter_conf("opendkim.conf"), _filter_conf("opendmarc.conf")
    page = (DOCS / "replies.md").read_text()
    ports = [re.sub(r"inet:(\d+)@(\S+)", r"inet:\2:\1", conf["Socket"]) for conf in (dkim, dmarc)]
    assert ", ".join(ports) == postfix["smtpd_milters"]  # OpenDMARC reads what OpenDKIM has found
    names = {dkim["AuthservID"], dkim["RemoveARFrom"], dmarc["AuthservID"]}
    assert {postfix["myhostname"]} == names | {dmarc["TrustedAuthservIDs"]}
    assert f"MAIL_AUTHSERV={dkim['AuthservID']}\n" in page
    assert f"MAIL_DOMAIN={postfix['relay_domains']}\n" in page
    assert dkim["Domain"] == postfix["relay_domains"]
    place = postfix["transport_maps"].rpartition("inet:")[2].rstrip(" }")
    assert f"INBOX_BIND={place}\nINBOX_PROTOCOL=lmtp\n" in page


def test_what_others_claim_is_not_believed() -> None:
    """Results that come from outside are removed, and nothing passes while a filter is down."""
    dkim = _filter_conf("opendkim.conf")
    assert "yes" == dkim["RemoveARAll"]
    assert "tempfail" == _main_cf()["milter_default_action"]


def test_the_operator_gets_mail_to_the_operator() -> None:
    """Mail to postmaster and abuse leaves for the operator's mailbox, never for the inbox."""
    postfix = _main_cf()
    aliases = re.fullmatch(r"inline:\{(.*)\}", postfix["virtual_alias_maps"])
    assert aliases
    pairs = [pair.strip().split("=") for pair in aliases[1].split(",")]
    domain = postfix["relay_domains"]
    assert [f"postmaster@{domain}", f"abuse@{domain}"] == [name for name, _ in pairs]
    assert all(not mailbox.endswith(f"@{domain}") for _, mailbox in pairs)
    assert "Deliver mail to `postmaster` and `abuse`" in (DOCS / "mail.md").read_text()


def test_both_unsubscribe_headers_are_signed() -> None:
    """OpenDKIM signs List-Unsubscribe by default, and is told to sign the other (RFC 8058)."""
    assert "*,+List-Unsubscribe-Post" == _filter_conf("opendkim.conf")["SignHeaders"]
