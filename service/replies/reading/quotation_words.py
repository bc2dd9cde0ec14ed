"""Phrases with which mail programs introduce a quotation, in many languages.

All of them are in lower case.
"""
# ruff: noqa: RUF001  # letters of other alphabets

WROTE = (
    *("wrote", "writes", "sent:", "schrieb"),
    *("a écrit", "écrit :", "escribió", "ha scritto", "escreveu"),
    *("schreef", "geschreven", "skrev", "skrifaði"),
    *("napisał", "pisze:", "napsal", "napísal", "kirjoitti"),
    *("a scris", "írta", "yazdı", "έγραψε", "пишет", "писал", "написал", "написав", "пише:"),
    *("写道", "寫道", "のメール", "のメッセージ", "書きました"),
    *("작성", "đã viết", "menulis", "je napisao", "כתב"),
    *("كتب", "rašė", "rakstīja", "kirjutas", "va escriure", "idatzi du", "napisao"),
)
"""The verb of an attribution such as “On Friday Ada wrote:”, in many languages."""
BEGINS = (
    *("on ", "am ", "le ", "el ", "il ", "em ", "op ", "den ", "på ", "w dniu ", "dnia ", "dne "),
    *("dňa ", "in data ", "pe ", "în data", "la data", "în "),
    *("no dia ", "στις ", "vào ", "pada ", "在", "於"),
)
"""How an attribution begins that may be broken into several lines."""
_FROM = (
    *("from", "von", "de", "da", "van", "från"),
    *("fra", "od", "lähettäjä", "feladó", "de la", "kimden"),
    *("от", "від", "从", "差出人", "发件人"),
    *("寄件者", "보낸사람", "보낸 사람", "από", "expéditeur"),
    *("remitente", "remetente", "mittente", "afzender", "expeditor", "nadawca", "odesílatel"),
)  # fmt: skip
_SUBJECT = (
    *("subject", "betreff", "objet", "oggetto", "asunto", "assunto", "onderwerp", "ämne", "emne"),
    *("temat", "předmět", "predmet", "aihe", "tárgy", "subiect", "subiectul", "konu", "тема"),
    *("件名", "主题", "主旨", "제목", "θέμα", "sujet"),
)
_DATES = (
    *("date", "sent", "gesendet", "datum"),
    *("envoyé", "envoyé le", "date d'envoi", "inviato", "data"),
    *("enviado", "enviado el", "enviada em", "enviado em", "enviada", "fecha", "verzonden"),
    *("skickat", "sendt", "dato", "wysłano", "odesláno", "odoslané", "lähetetty", "päivämäärä"),
    *("elküldve", "dátum", "trimis", "tarih", "gönderildi", "отправлено", "дата", "надіслано"),
    *("送信日時", "日時", "日期", "发送时间", "날짜", "보낸 날짜", "ημερομηνία", "gesendet am"),
)  # fmt: skip
_TO = (
    *("to", "an", "à", "a", "para", "aan"),
    *("till", "til", "do", "komu", "vastaanottaja", "címzett"),
    *("către", "la", "kime", "кому", "宛先"),
    *("收件人", "받는사람", "받는 사람", "προς", "cc", "kopie"),
    *("copie", "kopia", "reply-to", "antwort an", "destinataire", "destinatario", "ccn", "bcc"),
)  # fmt: skip
ROLES = {name: role for role, names in enumerate((_FROM, _SUBJECT, _DATES, _TO)) for name in names}
"""Which header each name means, as mail programs put them above a quoted mail."""

ORIGINALS = (
    *("original message", "original email"),
    *("original appointment", "reply message", "forwarded message"),
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
    *("元のメッセージ", "転送されたメッセージ", "原始邮件"),
    *("原始郵件", "转发的邮件", "원본 메시지"),
)  # fmt: skip
"""The words in the line that some programs put above a quoted or forwarded mail."""
