"""What mail programs and their users write in many languages."""
# ruff: noqa: RUF001  # letters of other alphabets

from typing import NamedTuple


class Language(NamedTuple):
    """Phrases of one language; {name} is the sender of the letter that is answered."""

    attribution: str
    """As webmail writes it, with an address."""
    bare_attribution: str
    """As Thunderbird writes it, without an address."""
    headers: tuple[str, str, str, str]
    """From, Sent, To, Subject."""
    original: str
    """The line above a quoted mail."""
    phone: str
    greeting: str
    closing: str
    polite: str


LANGUAGES = {
    "en": Language(
        "On Fri, 3 Jul 2026 at 10:00, {name} <{address}> wrote:",
        "On 03/07/2026 10:00, {name} wrote:",
        ("From", "Sent", "To", "Subject"), "Original Message",
        "Sent from my iPhone", "Hi Nightmail,", "Cheers,", "{move}, please",
    ),
    "de": Language(
        "Am Fr., 3. Juli 2026 um 10:00 Uhr schrieb {name} <{address}>:",
        "Am 03.07.26 um 10:00 schrieb {name}:",
        ("Von", "Gesendet", "An", "Betreff"), "Ursprüngliche Nachricht",
        "Von meinem iPhone gesendet", "Hallo zusammen,", "Viele Grüße", "bitte {move}",
    ),
    "fr": Language(
        "Le ven. 3 juil. 2026 à 10:00, {name} <{address}> a écrit :",
        "Le 03/07/2026 à 10:00, {name} a écrit :",
        ("De", "Envoyé", "À", "Objet"), "Message d'origine",
        "Envoyé de mon iPhone", "Bonjour,", "Cordialement,", "{move} s'il vous plaît",
    ),
    "es": Language(
        "El vie, 3 jul 2026 a las 10:00, {name} (<{address}>) escribió:",
        "El 3/7/26 a las 10:00, {name} escribió:",
        ("De", "Enviado el", "Para", "Asunto"), "Mensaje original",
        "Enviado desde mi iPhone", "Hola a todos,", "Un saludo,", "{move} por favor",
    ),
    "pt": Language(
        "Em sex., 3 de jul. de 2026 às 10:00, {name} <{address}> escreveu:",
        "Em 03/07/2026 10:00, {name} escreveu:",
        ("De", "Enviado em", "Para", "Assunto"), "Mensagem original",
        "Enviado do meu iPhone", "Olá,", "Abraços,", "{move}, por favor",
    ),
    "ro": Language(
        "Pe vin., 3 iul. 2026 la 10:00, {name} <{address}> a scris:",
        "La data de 03.07.2026 10:00, {name} a scris:",
        ("De la", "Trimis", "Către", "Subiect"), "Mesaj original",
        "Trimis de pe iPhone-ul meu", "Bună ziua,", "Toate cele bune,", "{move}, te rog",
    ),
    "it": Language(
        "Il giorno ven 3 lug 2026 alle ore 10:00 {name} <{address}> ha scritto:",
        "Il 03/07/2026 10:00, {name} ha scritto:",
        ("Da", "Inviato", "A", "Oggetto"), "Messaggio originale",
        "Inviato da iPhone", "Ciao a tutti,", "Cordiali saluti,", "{move} per favore",
    ),
    "nl": Language(
        "Op vr 3 jul 2026 om 10:00 schreef {name} <{address}>:",
        "Op 03-07-2026 om 10:00 schreef {name}:",
        ("Van", "Verzonden", "Aan", "Onderwerp"), "Oorspronkelijk bericht",
        "Verstuurd vanaf mijn iPhone", "Hallo,", "Met vriendelijke groet,", "{move} alsjeblieft",
    ),
    "sv": Language(
        "Den fre 3 juli 2026 kl 10:00 skrev {name} <{address}>:",
        "Den 2026-07-03 kl. 10:00, skrev {name}:",
        ("Från", "Skickat", "Till", "Ämne"), "Ursprungligt meddelande",
        "Skickat från min iPhone", "Hej,", "Med vänliga hälsningar", "{move}",
    ),
    "da": Language(
        "Den fre. 3. jul. 2026 kl. 10.00 skrev {name} <{address}>:",
        "Den 03.07.2026 kl. 10.00 skrev {name}:",
        ("Fra", "Sendt", "Til", "Emne"), "Oprindelig meddelelse",
        "Sendt fra min iPhone", "Hej alle,", "Med venlig hilsen", "{move}",
    ),
    "no": Language(
        "fre. 3. juli 2026 kl. 10:00 skrev {name} <{address}>:",
        "Den 03.07.2026 10:00, skrev {name}:",
        ("Fra", "Sendt", "Til", "Emne"), "Opprinnelig melding",
        "Sendt fra min iPhone", "Hei,", "Vennlig hilsen", "{move}",
    ),
    "fi": Language(
        "pe 3. heinäk. 2026 klo 10.00 {name} ({address}) kirjoitti:",
        "{name} kirjoitti 3.7.2026 klo 10.00:",
        ("Lähettäjä", "Lähetetty", "Vastaanottaja", "Aihe"), "Alkuperäinen viesti",
        "Lähetetty iPhonesta", "Hei kaikki,", "Terveisin", "{move}",
    ),
    "pl": Language(
        "pt., 3 lip 2026 o 10:00 {name} <{address}> napisał(a):",
        "W dniu 3.07.2026 o 10:00, {name} pisze:",
        ("Od", "Wysłano", "Do", "Temat"), "Wiadomość oryginalna",
        "Wysłane z iPhone'a", "Dzień dobry,", "Pozdrawiam", "{move}",
    ),
    "cs": Language(
        "pá 3. 7. 2026 v 10:00 odesílatel {name} <{address}> napsal:",
        "Dne 03. 07. 26 v 10:00 {name} napsal(a):",
        ("Od", "Odesláno", "Komu", "Předmět"), "Původní zpráva",
        "Odesláno z iPhonu", "Dobrý den,", "S pozdravem", "{move}",
    ),
    "hu": Language(
        "{name} <{address}> ezt írta (időpont: 2026. júl. 3., P, 10:00):",
        "2026. 07. 03. 10:00 keltezéssel, {name} írta:",
        ("Feladó", "Elküldve", "Címzett", "Tárgy"), "Eredeti üzenet",
        "Küldve iPhone-ról", "Sziasztok!", "Üdvözlettel", "{move}",
    ),
    "ru": Language(
        "пт, 3 июл. 2026 г. в 10:00, {name} <{address}>:",
        "03.07.2026 10:00, {name} пишет:",
        ("От", "Отправлено", "Кому", "Тема"), "Исходное сообщение",
        "Отправлено с iPhone", "Здравствуйте!", "С уважением", "{move}",
    ),
    "uk": Language(
        "пт, 3 лип. 2026 р. о 10:00 {name} <{address}> пише:",
        "03.07.2026 10:00, {name} пише:",
        ("Від", "Надіслано", "Кому", "Тема"), "Оригінальне повідомлення",
        "Надіслано з iPhone", "Вітаю,", "З повагою", "{move}",
    ),
    "tr": Language(
        "{name} <{address}>, 3 Tem 2026 Cum, 10:00 tarihinde şunu yazdı:",
        "03.07.2026 10:00 tarihinde {name} yazdı:",
        ("Kimden", "Tarih", "Kime", "Konu"), "Orijinal Mesaj",
        "iPhone'umdan gönderildi", "Merhaba,", "Saygılarımla", "{move}",
    ),
    "el": Language(
        "Στις Παρ 3 Ιουλ 2026 στις 10:00, ο χρήστης {name} <{address}> έγραψε:",
        "Στις 3/7/2026 10:00, {name} έγραψε:",
        ("Από", "Ημερομηνία", "Προς", "Θέμα"), "Αρχικό μήνυμα",
        "Στάλθηκε από το iPhone μου", "Γεια σας,", "Ευχαριστώ", "{move}",
    ),
    "ja": Language(
        "2026年7月3日(金) 10:00 {name} <{address}>:",
        "2026/07/03 10:00、{name}のメール:",
        ("差出人", "送信日時", "宛先", "件名"), "元のメッセージ",
        "iPhoneから送信", "こんにちは、", "よろしくお願いします。", "{move}",
    ),
    "zh": Language(
        "{name} <{address}> 于2026年7月3日周五 10:00写道\N{FULLWIDTH COLON}",
        "在 2026/7/3 10:00, {name} 写道:",
        ("发件人", "发送时间", "收件人", "主题"), "原始邮件",
        "发自我的iPhone", "你好\N{FULLWIDTH COMMA}", "谢谢", "{move}",
    ),
    "ko": Language(
        "2026년 7월 3일 (금) 오전 10:00, {name} <{address}>님이 작성:",
        "2026. 7. 3. 10:00에 {name} 이(가) 작성한 메시지:",
        ("보낸 사람", "보낸 날짜", "받는 사람", "제목"), "원본 메시지",
        "나의 iPhone에서 보냄", "안녕하세요,", "감사합니다", "{move}",
    ),
}  # fmt: skip
