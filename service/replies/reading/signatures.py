"""Recognises signatures: those below “-- ”, and what phones, programs and companies add.

The beginning of a line is not enough: “Sent by mistake” and “This email was wrong” are about the
move. A line of a phone or program names it, and a legal notice has words of such notices.
"""
# ruff: noqa: RUF001  # letters of other alphabets

from engine import all_verbs
from service.replies.reading.denial_words import denies
from service.replies.reading.plain_text import SIGNATURE_MARK
from service.replies.reading.words import folded

LONGEST_NOTICE = 200
"""Characters of the longest line that a mail program adds."""

_BEGINS = (
    *("sent from ", "sent with ", "sent via ", "sent on the go", "sent by "),
    *("get outlook for ", "get bluemail", "get yahoo mail", "get the mail"),
    *("gesendet von ", "gesendet mit ", "gesendet aus ", "gesendet über ", "von meinem "),
    *("von meiner ", "von samsung", "holen sie sich outlook", "laden sie outlook"),
    *("envoyé de ", "envoyé depuis ", "envoyé à partir", "envoyé par ", "envoyé avec "),
    *("obtenez outlook", "obtenir outlook", "télécharger outlook", "téléchargez outlook"),
    *("enviado desde ", "enviado con ", "enviado de ", "enviado do ", "enviado pelo "),
    *("enviado a partir", "enviado com ", "enviado por ", "obtener outlook", "obtén outlook"),
    *("descargar outlook", "obter o outlook", "obter outlook", "baixar outlook"),
    *("trimis de pe ", "trimis din ", "trimis de la ", "trimis cu ", "obțineți outlook"),
    *("inviato da ", "inviato dal ", "inviato con ", "ottieni outlook", "scarica outlook"),
    *("verstuurd vanaf ", "verzonden vanaf "),
    *("verzonden met ", "verstuurd met ", "verzonden via "),
    *("download outlook", "outlook voor ", "outlook für ", "outlook for ", "outlook para "),
    *("skickat från ", "skickat med ", "hämta outlook"),
    *("sendt fra ", "sendt med ", "hent outlook"),
    *("lähetetty ", "hanki outlook", "wysłane z "),
    *("wysłano z ", "wysłane przy", "pobierz outlook"),
    *("pobierz program outlook", "odesláno z ", "odoslané z ", "získat outlook", "küldve "),
    *("elküldve ", "az outlook ", "отправлено с ", "отправлено из ", "отправлено от "),
    *("надіслано з ", "надіслано від", "скачать outlook", "загрузить outlook", "发自", "發自"),
    *("來自我的", "来自我的", "從我的", "从我的", "获取 outlook", "στάλθηκε από ", "נשלח מ"),
    *("أرسلت من", "مرسل من", "được gửi từ", "dikirim dari ", "poslano s ", "poslano z "),
    *("poslano iz ", "изпратено от ", "послано са ", "enviat des ", "bidalita ", "saadetud "),
)  # fmt: skip
"""How signatures of phones and mail programs begin."""
_ENDS = (
    *("から送信", "より送信", "에서 보냄", "에서 보낸 메일", "gönderildi", "傳送", "发送", "寄出"),
    *("gesendet.", "gesendet", "-ról küldve", "-ről küldve", "küldve", "sendt.", "beziehen"),
)
"""How they end in languages that name the device first."""
_DEVICES = (
    *("iphon", "ipad", "android", "galaxy", "samsung", "huawei", "xiaomi", "redmi", "pixel"),
    *("blackberry", "nokia", "outlook", "yahoo", "proton", "bluemail", "k-9", "gmx", "web.de"),
    *("thunderbird", "mail", "phone", "handy", "smartphone", "mobil", "telefon", "oneplus"),
    *("xperia", "motorola", "oppo", "ios", "tutanota", "tuta", "fastmail", "スマート", "tablet"),
    *("windows", "macbook", "laptop", "computer", "téléphone", "móvil", "celular", "cellulare"),
    *("puhelim", "телефон", "смартфон", "почт", "手机", "手機", "携帯", "휴대폰", "邮箱", "qq"),
    *("spark", "superhuman", "zoho", "zimbra", "hey.com", "honor", "vivo", "realme", "dispositiv"),
)
"""Parts of the names of devices, programs and providers."""
_NOTICES = (
    *("this e-mail", "this email", "this message"),
    *("confidential", "disclaimer", "important notice"),
    *("the information contained", "the content of this", "the contents of this"),
    *("please consider the environment", "think before you print", "virus-free", "virenfrei"),
    *("diese e-mail", "diese email", "diese mail", "diese nachricht", "vertraulich", "der inhalt"),
    *("ce message", "ce courriel", "cet e-mail", "ce mail", "sans virus", "garanti sans virus"),
    *("este mensaje", "este correo", "aviso legal", "libre de virus", "esta mensagem"),
    *("este e-mail", "este email", "aviso de confidencialidade", "livre de vírus", "sem vírus"),
    *("questo messaggio", "questa e-mail", "questa email", "privo di virus", "le informazioni"),
    *("dit bericht", "deze e-mail", "deze email", "virusvrij", "de informatie", "acest mesaj"),
    *("acest e-mail", "acest email", "fără viruși", "do you yahoo", "yahoo mail:", "mail.com"),
    *("free email", "kostenlose e-mail", "jetzt kostenlos", "upgrade to "),
)  # fmt: skip
"""How legal notices, advertisements of free mailers and results of virus scanners begin."""
_NOTICE_WORDS = (
    *("confidential", "recipient", "addressee", "privileged", "attachment", "disclaimer", "notice"),
    *("information", "disclosure", "unauthori", "liabil", "virus", "viren", "vírus", "environment"),
    *("printing", "print this", "you print", "legally", "avast", "avg", "malware", "scanned"),
    *("vertraulich", "empfänger", "adressat", "anhang", "anhäng", "geschützt", "geprüft"),
    *("confidentiel", "destinataire", "pièce", "confidencial", "destinatari", "adjunt", "anexo"),
    *(
        "destinatár",
        "riservat",
        "allegat",
        "vertrouwelijk",
        "geadresseerde",
        "bijlage",
        "informati",
    ),
    *("confidenția", "atașament", "legal", "yahoo", "mail.com", "free email", "kostenlose e-mail"),
    *("gmx", "web.de", "premium", "postfach", "jetzt kostenlos", *_DEVICES[:3]),
)
"""Parts of words that only such notices have."""
_SURE = 2
"""Words of notices in a line that may also deny something: “if you are not the recipient”."""


def is_mark(line: str) -> bool:
    """Return whether this is the mark between a text and its signature."""
    return line in (SIGNATURE_MARK, "--", "—")


def begins_signature(line: str) -> bool:
    """Return whether a signature begins at this line."""
    return is_mark(line) or is_notice(line) or _is_of_device(line)


def is_notice(line: str) -> bool:
    """Return whether a legal notice, an advertisement or a scanner's result begins here."""
    lowered = _bare(line)
    if not lowered.startswith(_NOTICES):
        return False
    number = sum(word in lowered for word in _NOTICE_WORDS)
    return number >= _SURE or (number > 0 and not _is_about_move(line))


def _is_of_device(line: str) -> bool:
    """Return whether a line says that a device or a program has sent it."""
    lowered = _bare(line)
    if len(lowered) > LONGEST_NOTICE or not any(device in lowered for device in _DEVICES):
        return False
    ends = lowered.rstrip(" .。").endswith(tuple(end.rstrip(".") for end in _ENDS))
    return (ends or lowered.startswith((*_BEGINS, *_NOTICES))) and not _is_about_move(line)


def _is_about_move(line: str) -> bool:
    """Return whether a line has the verb of a move, or a word that denies something."""
    return denies(line) or not all_verbs().isdisjoint(folded(line).split())


def _bare(line: str) -> str:
    return line.lower().strip("*_[]()<>•·-–— ")
