"""Recognises where a mail program introduces the mail that is answered or forwarded.

Every test looks at a few lines once. Libraries for this use regular expressions that take cubic
time in the length of a line, and anybody can send us a line.
"""

import re
from collections.abc import Sequence

from service.i18n import catalogue
from service.replies.reading.words import COMMAND_WORDS

MARKER = catalogue.sayable("Reply above this line")
"""The line at the top of our letters, in the reader's language; a quotation begins there."""
QUOTE_MARK = ">"
MOST_WRAPPED = 4
"""Lines into which a long attribution is broken."""
LONGEST_QUOTED = 68
"""Characters of a quoted line after which some programs break it without another mark."""

_WROTE = (
    *("wrote", "writes", "schrieb", "a écrit", "écrit :", "escribió", "ha scritto", "escreveu"),
    *("schreef", "skrev", "skrifaði", "napisał", "pisze:", "napsal", "napísal", "kirjoitti"),
    *("a scris", "írta", "yazdı", "έγραψε", "пишет", "писал", "написал", "написав", "пише:"),
    *("写道", "寫道", "のメール", "書きました", "작성", "đã viết", "menulis", "je napisao", "כתב"),
    *("كتب", "rašė", "rakstīja", "kirjutas", "va escriure", "idatzi du", "napisao"),
)
"""The verb of an attribution such as “On Friday Ada wrote:”, in many languages."""
_BEGINS = (
    *("on ", "am ", "le ", "el ", "il ", "em ", "op ", "den ", "på ", "w dniu ", "dnia ", "dne "),
    *("dňa ", "pe ", "în data", "la data", "în ", "no dia ", "στις ", "vào ", "pada ", "在", "於"),
)
"""How an attribution begins that may be broken into several lines."""
_DATED = re.compile(r"(?:19|20)\d\d|\d{1,2}[:.h]\d\d|\d{1,2}[/.-]\d{1,2}[/.-]\d{2}")
_COLONS = (":", "\N{FULLWIDTH COLON}", ": >", ":*")

_FROM = (
    *("from", "von", "de", "da", "van", "från", "fra", "od", "lähettäjä", "feladó", "de la", "kimden"),
    *("от", "від", "从", "差出人", "发件人", "寄件者", "보낸사람", "보낸 사람", "από", "expéditeur"),
    *("remitente", "remetente", "mittente", "afzender", "expeditor", "nadawca", "odesílatel"),
)  # fmt: skip
_SUBJECT = (
    *("subject", "betreff", "objet", "oggetto", "asunto", "assunto", "onderwerp", "ämne", "emne"),
    *("temat", "předmět", "predmet", "aihe", "tárgy", "subiect", "subiectul", "konu", "тема"),
    *("件名", "主题", "主旨", "제목", "θέμα", "sujet"),
)
_DATES = (
    *("date", "sent", "gesendet", "datum", "envoyé", "envoyé le", "date d'envoi", "inviato", "data"),
    *("enviado", "enviado el", "enviada em", "enviado em", "enviada", "fecha", "verzonden"),
    *("skickat", "sendt", "dato", "wysłano", "odesláno", "odoslané", "lähetetty", "päivämäärä"),
    *("elküldve", "dátum", "trimis", "tarih", "gönderildi", "отправлено", "дата", "надіслано"),
    *("送信日時", "日時", "日期", "发送时间", "날짜", "보낸 날짜", "ημερομηνία", "gesendet am"),
)  # fmt: skip
_TO = (
    *("to", "an", "à", "a", "para", "aan", "till", "til", "do", "komu", "vastaanottaja", "címzett"),
    *("către", "la", "kime", "кому", "宛先", "收件人", "받는사람", "받는 사람", "προς", "cc", "kopie"),
    *("copie", "kopia", "reply-to", "antwort an", "destinataire", "destinatario", "ccn", "bcc"),
)  # fmt: skip
_ROLES = {
    name: role
    for role, names in enumerate((_FROM, _SUBJECT, _DATES, _TO))
    for name in names
}
"""Which header each name means, as mail programs put them above a quoted mail."""
_WHO_OR_WHAT = (0, 1)
"""The roles of From and Subject, one of which every block of headers has."""
_MOST_HEADERS = 12
"""Lines of such a block."""

_ORIGINALS = (
    *("original message", "original email", "original appointment", "forwarded message"),
    *("forwarded by", "begin forwarded message", "ursprüngliche nachricht", "originalnachricht"),
    *("original-nachricht", "ursprüngliche mail", "weitergeleitete nachricht"),
    *("anfang der weitergeleiteten", "message d'origine", "message original", "message transféré"),
    *("message initial", "courriel original", "début du message", "mensaje original"),
    *("mensaje reenviado", "inicio del mensaje", "mensagem original", "mensagem encaminhada"),
    *("início da mensagem", "messaggio originale", "messaggio inoltrato", "inizio messaggio"),
    *("oorspronkelijk bericht", "doorgestuurd bericht", "begin doorgestuurd", "mesaj original"),
    *("mesajul original", "mesaj redirecționat", "originalmeddelande", "ursprungligt meddelande"),
    *("oprindelig meddelelse", "oprindelig besked", "opprinnelig melding", "videresendt"),
    *("alkuperäinen viesti", "wiadomość oryginalna", "oryginalna wiadomość", "původní zpráva"),
    *("původní e-mail", "pôvodná správa", "eredeti üzenet", "orijinal mesaj", "αρχικό μήνυμα"),
    *("исходное сообщение", "пересылаемое сообщение", "оригінальне повідомлення"),
    *("元のメッセージ", "転送されたメッセージ", "原始邮件", "原始郵件", "转发的邮件", "원본 메시지"),
)  # fmt: skip
"""The words in the line that some programs put above a quoted or forwarded mail."""


def is_quoted(line: str) -> bool:
    """Whether a line is marked as part of a quotation."""
    return line.startswith(QUOTE_MARK)


def has_marker(line: str) -> bool:
    """Whether a line holds the marker of our letters, in any language."""
    lowered = line.lower()
    texts = map(catalogue.catalogue, catalogue.languages())
    return any(language.gettext(MARKER).lower() in lowered for language in texts)


def introduction(lines: Sequence[str], number: int) -> int:
    """How many lines introduce a quotation, beginning with this one; 0 if it is none."""
    line = lines[number]
    if _is_rule(line) or _is_original(line):
        return 1 + _header_lines(lines, _next_written(lines, number + 1))
    return _header_lines(lines, number) or _attribution(lines, number)


def is_rest_of_quotation(lines: Sequence[str], number: int) -> bool:
    """Whether this is the end of a long quoted line, which a program has broken in two."""
    before = lines[number - 1] if number else ""
    first = lines[number].partition(" ")[0]
    return is_quoted(before) and len(before) + len(first) >= LONGEST_QUOTED


def _next_written(lines: Sequence[str], number: int) -> int:
    """The first line from here on that is not empty."""
    while number < len(lines) and not lines[number]:
        number += 1
    return number


def _is_rule(line: str) -> bool:
    """Whether this is a horizontal rule, as Outlook draws it."""
    return len(line) >= 10 and not line.strip("_-=—─ ")


def _is_original(line: str) -> bool:
    """Whether this is “-----Original Message-----”, in many languages."""
    core = line.lower().replace("\N{RIGHT SINGLE QUOTATION MARK}", "'").strip("-_=*—: ")
    if core in _ORIGINALS:
        return True
    return line.startswith(("--", "__", "==")) and core.startswith(_ORIGINALS)


def _header_lines(lines: Sequence[str], number: int) -> int:
    """How many lines from here on are headers such as “From: …”; 0 unless it is a block of them.

    A block has two different headers, one of which is From or Subject.
    """
    roles: set[int] = set()
    last = number
    for place in range(number, min(number + _MOST_HEADERS, len(lines))):
        role = _role(lines[place])
        if role is not None:
            roles.add(role)
            last = place
        elif place == number or not lines[place] or place - last > 1:
            break
    is_block = len(roles) > 1 and not roles.isdisjoint(_WHO_OR_WHAT)
    return last + 1 - number if is_block else 0


def _role(line: str) -> int | None:
    """Which header a line is; None if it is none."""
    word, colon, _ = line[:40].replace("\N{FULLWIDTH COLON}", ":").partition(":")
    return _ROLES.get(word.strip(" *_>").lower()) if colon else None


def _attribution(lines: Sequence[str], number: int) -> int:
    """How many lines from here on are “On Friday Ada wrote:”; 0 if this is none."""
    text = lines[number].lower()
    if not COMMAND_WORDS.isdisjoint(text.split()[:2]):
        return 0
    if _is_attribution(text):
        return 1
    if not _opens_attribution(text):
        return 0
    for place in range(number + 1, min(number + MOST_WRAPPED, len(lines))):
        line = lines[place].lower()
        if not line or is_quoted(line) or line.startswith("on "):
            return 0
        before, text = text, f"{text} {line}"
        if _is_attribution(text):
            # The last line may be an attribution of its own, below something else.
            is_whole = "@" not in before and _is_attribution(line) and _DATED.search(line)
            return 0 if is_whole else place + 1 - number
    return 0


def _opens_attribution(lowered: str) -> bool:
    """Whether a line can be the first of an attribution: it has a date, or an address."""
    if len(lowered) < 8:
        return False
    return lowered.startswith(_BEGINS) or "@" in lowered or _DATED.search(lowered) is not None


def _is_attribution(lowered: str) -> bool:
    """Whether a text is a whole attribution: it ends with a colon, and says who wrote or when."""
    is_ruled = lowered.startswith("----") and lowered.endswith("----")
    if not is_ruled and not lowered.rstrip(" >*").endswith(_COLONS):
        return False
    has_address = "@" in lowered and ("<" in lowered or _DATED.search(lowered) is not None)
    return has_address or any(verb in lowered for verb in _WROTE)
