"""Mail programs: how each of them wraps an answer around the letter that is answered."""

import base64
import html
import quopri
import textwrap
from collections.abc import Callable, Sequence
from typing import NamedTuple

from tests.service.replies.corpus.languages import Language

NAME, ADDRESS = "Nightmail", "abcdefghijklmnopqrstuvwxyz@play.example.net"
LETTER = """\
--- Reply above this line ---

Night trains
============

>> It is your turn. Please answer before Friday, 10 July at 18:00: 3 days
   after this mail was sent.

Open my turn:
https://nightmail.example.net/t/qwertyuiopasdfghjklzxcvbnmqwertyuiopasdfghjklzxcvbnm

What you can do
---------------

  1. Draw a card from the deck
     https://nightmail.example.net/m/1
  2. Take the red card from the market
     https://nightmail.example.net/m/2
  3. Claim Dieppe–Paris (1 point): 1 purple; or 1 locomotive – for your ticket
     Dieppe–Paris (8)
     https://nightmail.example.net/m/3

You could answer now, for example:
    1 – Draw a card from the deck
    draw
    tickets

* You can also write: help, status, resign, or absence 3 Jul - 10 Jul
resign yes
""".splitlines()
"""What is quoted; no line of it may ever be read."""


class Answer(NamedTuple):
    """An answer to a letter."""

    above: Sequence[str]
    """Lines above the quotation."""
    below: Sequence[str] = ()
    """Lines below the quotation."""
    inline: Sequence[str] = ()
    """Lines within the quotation."""
    name: str = "Ada Lovelace"


Wrap = Callable[[Answer, Language], bytes]


def _mail(answer: Answer, kind: str, body: bytes, *headers: str) -> bytes:
    head = [
        f"From: {answer.name} <ada@example.org>",
        f"To: {NAME} <{ADDRESS}>",
        "Subject: Re: Night trains: your turn",
        "Message-ID: <1@example.org>",
        "MIME-Version: 1.0",
        f"Content-Type: {kind}",
        *headers,
    ]
    return "\r\n".join(head).encode() + b"\r\n\r\n" + body.replace(b"\n", b"\r\n")


def _plain(answer: Answer, lines: Sequence[str], kind: str = "text/plain; charset=utf-8") -> bytes:
    return _mail(answer, kind, "\n".join(lines).encode(), "Content-Transfer-Encoding: 8bit")


def _page(answer: Answer, page: str) -> bytes:
    body = quopri.encodestring(page.encode())
    coded = "Content-Transfer-Encoding: quoted-printable"
    return _mail(answer, "text/html; charset=utf-8", body, coded)


def _both(answer: Answer, lines: Sequence[str], page: str) -> bytes:
    text = base64.encodebytes("\n".join(lines).encode()).decode()
    coded = "Content-Transfer-Encoding: base64"
    parts = (
        f"--b1\nContent-Type: text/plain; charset=UTF-8\n{coded}\n\n{text}",
        f"--b1\nContent-Type: text/html; charset=UTF-8\n\n{page}\n--b1--\n",
    )
    return _mail(answer, 'multipart/alternative; boundary="b1"', "\n".join(parts).encode())


def _quoted(answer: Answer) -> list[str]:
    """The letter with marks, and the answer within and below it."""
    marked = [f"> {line}".rstrip() for line in LETTER]
    if answer.inline:
        marked[22:22] = ["", *answer.inline, ""]
    return [*marked, "", *answer.below]


def _attributed(language: Language, *, wrapped: int = 0) -> list[str]:
    text = language.attribution.format(name=NAME, address=ADDRESS)
    return textwrap.wrap(text, wrapped, break_on_hyphens=False) if wrapped else [text]


def _bare(language: Language) -> str:
    return language.bare_attribution.format(name=NAME)


def _headers(language: Language, mark: str = "") -> list[str]:
    values = (f"{NAME} <{ADDRESS}>", "Friday, 3 July 2026 10:00", "Ada", "Night trains: your turn")
    pairs = zip(language.headers, values, strict=True)
    return [f"{mark}{name}:{mark} {value}" for name, value in pairs]


def _divs(lines: Sequence[str], tag: str = "div") -> str:
    return "".join(f"<{tag}>{html.escape(line) or '<br>'}</{tag}>\n" for line in lines)


def _cite(answer: Answer, opening: str = '<blockquote type="cite">') -> str:
    letter = _divs(LETTER)
    if answer.inline:
        letter = _divs(LETTER[:22]) + "</blockquote>" + _divs(answer.inline) + opening
        letter += _divs(LETTER[22:])
    return f"{opening}{letter}</blockquote>{_divs(answer.below)}"


def gmail(answer: Answer, language: Language) -> bytes:
    """Both parts; a long attribution is broken."""
    intro = _attributed(language, wrapped=72)
    page = (
        f'<div dir="ltr">{_divs(answer.above)}</div><br><div class="gmail_quote">'
        f'<div dir="ltr" class="gmail_attr">{html.escape(" ".join(intro))}<br></div>'
        f'<blockquote class="gmail_quote">{_divs(LETTER)}</blockquote></div>{_divs(answer.below)}'
    )
    return _both(answer, [*answer.above, "", *intro, "", *_quoted(answer)], page)


def gmail_app(answer: Answer, language: Language) -> bytes:
    """HTML with an empty plain text, as some forwarders leave it."""
    page = (
        f'<div dir="auto">{_divs(answer.above)}</div><br><div class="gmail_quote"><div dir="ltr">'
        f"{html.escape(_attributed(language)[0])}<br></div>{_cite(answer)}</div>"
    )
    return _both(answer, ["", " "], page)


def apple_mail(answer: Answer, language: Language) -> bytes:
    """Both parts; the attribution is part of the quotation."""
    page = (
        f"<html><head><style>p {{}}</style></head><body>{_divs(answer.above)}<div><br>"
        f'<blockquote type="cite"><div>{html.escape(_attributed(language)[0])}</div><br>'
        f"{_divs(LETTER)}</blockquote></div>{_divs(answer.below)}</body></html>"
    )
    lines = [*answer.above, "", *(f"> {line}" for line in _attributed(language)), ">"]
    return _both(answer, [*lines, *_quoted(answer)], page)


def ios_mail(answer: Answer, language: Language) -> bytes:
    """Plain text with the telephone's signature."""
    lines = [
        *answer.above,
        "",
        language.phone,
        "",
        *(f"> {each}" for each in _attributed(language)),
    ]
    return _plain(answer, [*lines, "> ", *_quoted(answer)])


def thunderbird(answer: Answer, language: Language) -> bytes:
    """Flowed plain text."""
    kind = "text/plain; charset=UTF-8; format=flowed"
    return _plain(answer, [*answer.above, "", _bare(language), *_quoted(answer)], kind)


def thunderbird_html(answer: Answer, language: Language) -> bytes:
    """HTML; the attribution stands before the quotation."""
    page = (
        f'<html><body>{_divs(answer.above, "p")}<div class="moz-cite-prefix">{_bare(language)}<br>'
        f"</div>{_cite(answer)}</body></html>"
    )
    return _page(answer, page)


def outlook(answer: Answer, language: Language) -> bytes:
    """HTML; the quoted mail follows a line and headers, without marks."""
    headers = "<br>".join(map(html.escape, _headers(language)))
    page = (
        '<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><!--[if !mso]><style>v\\:*'
        "{behavior:url(#default#VML);}</style><![endif]--><style><!-- @font-face "
        "{font-family:Calibri;} --></style></head><body><div class=WordSection1>"
        f"{_divs(answer.above, 'p')}<p class=MsoNormal><o:p>&nbsp;</o:p></p><div>"
        '<div style="border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0in 0in 0in">'
        f"<p class=MsoNormal>{headers}</p></div></div>{_divs(LETTER, 'p')}</div></body></html>"
    )
    return _page(answer, page)


def outlook_text(answer: Answer, language: Language) -> bytes:
    """Plain text; headers, and the quoted mail without marks."""
    intro = [f"-----{language.original}-----", *_headers(language), ""]
    return _plain(answer, [*answer.above, "", *intro, *LETTER])


def outlook_web(answer: Answer, language: Language) -> bytes:
    """Both parts; a rule, headers, and the quoted mail without marks."""
    intro = ["_" * 32, *_headers(language, "*"), ""]
    page = (
        f'{_divs(answer.above)}<div id="appendonsend"></div><hr style="width:98%"><div id='
        f'"divRplyFwdMsg">{_divs(_headers(language))}</div>{_divs(LETTER)}'
    )
    return _both(answer, [*answer.above, "", *intro, *LETTER], page)


def outlook_app(answer: Answer, language: Language) -> bytes:
    """HTML with an advertisement; the quoted mail stands in a container."""
    page = (
        f'{_divs(answer.above)}<div id="ms-outlook-mobile-signature">Get <a href="https://example.'
        'org">Outlook for Android</a></div><hr><div id="mail-editor-reference-message-container">'
        f"{_divs(_headers(language))}{_divs(LETTER)}</div>"
    )
    return _page(answer, page)


def yahoo(answer: Answer, language: Language) -> bytes:
    """Both parts; the plain text quotes without marks."""
    page = (
        f'<html><body>{_divs(answer.above)}<div id="yahoo_quoted_1" class="yahoo_quoted"><div>'
        f"{html.escape(_attributed(language)[0])}</div>{_divs(LETTER)}</div></body></html>"
    )
    intro = [f"    {line}  " for line in _attributed(language)]
    return _both(answer, [*answer.above, "", *intro, "", *LETTER], page)


def yahoo_app(answer: Answer, language: Language) -> bytes:
    """Plain text with an advertisement, quoted without marks."""
    lines = [*answer.above, "", "Sent from Yahoo Mail on Android", "", *_attributed(language)]
    return _plain(answer, [*lines, "", *LETTER])


def proton(answer: Answer, language: Language) -> bytes:
    """Both parts with an advertisement."""
    lines = [*answer.above, "", "Sent with Proton Mail secure email.", ""]
    lines += [*_attributed(language, wrapped=78), "", *_quoted(answer)]
    page = (
        f'{_divs(answer.above)}<div class="protonmail_signature_block">Sent with Proton Mail</div>'
        f'<div class="protonmail_quote">{html.escape(_bare(language))}<br>{_cite(answer)}</div>'
    )
    return _both(answer, lines, page)


def gmx(answer: Answer, language: Language) -> bytes:
    """HTML; headers and the quoted mail behind a line at the left."""
    sender, sent, *more = _headers(language)
    page = (
        f'<html><body><div style="font-family: Verdana">{_divs(answer.above)}<div><div name="quote"'
        f' style="margin:10px 5px; border-left:2px solid #C3D9E5;">{_divs([sent, sender, *more])}'
        f'<div name="quoted-content">{_divs(LETTER)}</div></div></div></div></body></html>'
    )
    return _page(answer, page)


def zoho(answer: Answer, language: Language) -> bytes:
    """Both parts; the attribution stands between dashes."""
    intro = [f"---- {_attributed(language)[0].rstrip(':')} ----", ""]
    lines = [*answer.above, "", *intro, *_quoted(answer)]
    page = f"{_divs(answer.above)}<div class='zmail_extra'>{_divs(intro)}{_cite(answer)}</div>"
    return _both(answer, lines, page)


def samsung(answer: Answer, language: Language) -> bytes:
    """Plain text with the telephone's signature, quoted without marks."""
    lines = [*answer.above, "", "Sent from my Galaxy", "", f"-------- {language.original} --------"]
    return _plain(answer, [*lines, *_headers(language), "", *LETTER])


def k9(answer: Answer, language: Language) -> bytes:
    """Plain text; the advertisement is a signature."""
    lines = [*answer.above, "-- ", "Sent from my Android device with K-9 Mail. Excuse my brevity."]
    return _plain(answer, [*lines, "", *_attributed(language), *_quoted(answer)])


def bluemail(answer: Answer, language: Language) -> bytes:
    """Plain text; an advertisement above a broken attribution."""
    lines = [*answer.above, "", "Get BlueMail for Android", *_attributed(language, wrapped=60)]
    return _plain(answer, [*lines, "", *_quoted(answer)])


def mutt(answer: Answer, language: Language) -> bytes:
    """Plain text below the quotation."""
    return _plain(answer, [_bare(language), *_quoted(answer._replace(below=answer.above))])


def roundcube(answer: Answer, language: Language) -> bytes:
    """Both parts; the attribution is a paragraph."""
    page = f'{_divs(answer.above)}<p id="reply-intro">{_bare(language)}</p>{_cite(answer)}'
    return _both(answer, [*answer.above, "", _bare(language), *_quoted(answer)], page)


def fastmail(answer: Answer, language: Language) -> bytes:
    """Plain text in UTF-16."""
    lines = [*answer.above, "", *_attributed(language), *_quoted(answer)]
    return _mail(
        answer,
        "text/plain; charset=utf-16",
        base64.encodebytes("\n".join(lines).encode("utf-16")),
        "Content-Transfer-Encoding: base64",
    )


def evolution(answer: Answer, language: Language) -> bytes:
    """Signed with OpenPGP in the text."""
    lines = ["-----BEGIN PGP SIGNED MESSAGE-----", "Hash: SHA512", "", *answer.above, ""]
    lines += [_bare(language), *_quoted(answer), "-----BEGIN PGP SIGNATURE-----", "", "iQIzBAEB"]
    return _plain(answer, [*lines, "=abcd", "-----END PGP SIGNATURE-----"])


def kmail(answer: Answer, language: Language) -> bytes:
    """Signed with OpenPGP as MIME."""
    text = "\n".join([*answer.above, "", _bare(language), *_quoted(answer)])
    parts = (
        f"--s\nContent-Type: text/plain; charset=utf-8\n\n{text}\n"
        "--s\nContent-Type: application/pgp-signature; name=signature.asc\n\ndraw\n--s--\n"
    )
    kind = 'multipart/signed; boundary="s"; protocol="application/pgp-signature"'
    return _mail(answer, kind, parts.encode())


def zimbra(answer: Answer, language: Language) -> bytes:
    """Both parts; a rule and headers in the HTML."""
    page = (
        f'{_divs(answer.above)}<hr id="zwchr" data-marker="__DIVIDER__"><div data-marker='
        f'"__HEADERS__">{_divs(_headers(language))}</div>{_divs(LETTER)}'
    )
    intro = [f"----- {language.original} -----", *_headers(language), ""]
    return _both(answer, [*answer.above, "", *intro, *LETTER], page)


def spark(answer: Answer, language: Language) -> bytes:
    """HTML; the quotation stands in a named section."""
    page = (
        f'<div name="messageBodySection">{_divs(answer.above)}</div>'
        f'<div name="messageReplySection">{html.escape(_bare(language))}<br>{_cite(answer)}</div>'
    )
    return _page(answer, page)


CLIENTS: dict[str, Wrap] = {
    "Gmail": gmail, "Gmail app": gmail_app, "Apple Mail": apple_mail, "iOS Mail": ios_mail,
    "Thunderbird": thunderbird, "Thunderbird, HTML": thunderbird_html, "Outlook": outlook,
    "Outlook, plain text": outlook_text, "Outlook on the web": outlook_web,
    "Outlook app": outlook_app, "Yahoo": yahoo, "Yahoo app": yahoo_app, "Proton Mail": proton,
    "GMX": gmx, "Zoho": zoho, "Samsung": samsung, "K-9 Mail": k9, "BlueMail": bluemail,
    "mutt": mutt, "Roundcube": roundcube, "Fastmail": fastmail, "Evolution": evolution,
    "KMail": kmail, "Zimbra": zimbra, "Spark": spark,
}  # fmt: skip
BELOW = (gmail, apple_mail, ios_mail, thunderbird, thunderbird_html, proton, roundcube, kmail)
"""Programs with which people answer below and within the quotation."""
