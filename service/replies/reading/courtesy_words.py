"""Greetings, closings and polite words in the languages in which players write to us.

A line that is one of them says nothing about the game. None of them is a command.
"""
# ruff: noqa: RUF001  # letters of other alphabets

from service.replies.reading.words import phrases

GREETINGS = phrases(
    *("hi", "hello", "hey", "dear", "good morning", "good afternoon", "good evening", "greetings"),
    *("hallo", "moin", "servus", "guten tag", "guten morgen", "guten abend", "liebe", "lieber"),
    *("sehr geehrte", "sehr geehrter", "liebes", "grüezi", "grüß gott", "hi zusammen"),
    *("bonjour", "salut", "bonsoir", "cher", "chère", "chers", "coucou"),
    *("hola", "buenos días", "buenas tardes", "buenas noches", "buenas", "estimado", "estimada"),
    *("olá", "oi", "bom dia", "boa tarde", "boa noite", "caro", "cara", "prezado", "prezados"),
    *("bună", "bună ziua", "bună seara", "bună dimineața", "salutare", "dragă", "stimate"),
    *("ciao", "salve", "buongiorno", "buonasera", "caro", "gentile", "gentili"),
    *("hoi", "goedemorgen", "goedemiddag", "goedenavond", "dag", "beste", "geachte"),
    *("hej", "hejsan", "god morgon", "hei", "moi", "terve", "kjære", "kære", "käre", "hyvä"),
    *("cześć", "dzień dobry", "witam", "ahoj", "dobrý den", "szia", "sziasztok", "jó napot"),
    *("merhaba", "selam", "γεια", "γεια σας", "привет", "здравствуйте", "добрый день", "вітаю"),
    *(
        "こんにちは",
        "お世話になっております",
        "你好",
        "您好",
        "안녕하세요",
        "안녕",
        "שלום",
        "مرحبا",
    ),
)
"""Beginnings of greetings; a few names may follow."""

CLOSINGS = phrases(
    *("thanks", "thank you", "thx", "ty"),
    *("cheers", "best", "best regards", "best wishes", "best of luck"),
    *("all the best", "kind regards", "regards", "warm regards", "many thanks", "sincerely"),
    *("yours", "yours sincerely", "love", "take care", "see you", "bye", "good luck", "have fun"),
    *("have a nice day", "have a good day", "have a great day", "thanks in advance", "hugs"),
    *("schönen tag", "schönen abend", "schönes wochenende", "danke im voraus", "ganz liebe grüße"),
    *("see you tomorrow", "see you later", "bis morgen", "bis später", "à demain", "à plus tard"),
    *("hasta mañana", "até amanhã", "pe mâine", "a domani", "tot morgen", "tot later"),
    *("thanks and bye", "thanks for the game", "thanks for playing", "danke für das spiel"),
    *("talk soon", "greetings", "greets", "rgds", "br", "kr", "xx", "xo", "xoxo"),
    *("danke", "danke schön", "vielen dank", "besten dank", "merci", "gruß", "grüße", "gruss"),
    *("viele grüße", "liebe grüße", "beste grüße", "schöne grüße", "herzliche grüße"),
    *("mit freundlichen grüßen", "freundliche grüße", "lg", "vg", "mfg", "bg", "hg", "tschüss"),
    *("bis bald", "bis dann", "ciao", "viel glück", "viel spaß", "danke und gruß", "ein gruß"),
    *("merci beaucoup", "merci d'avance", "cordialement", "bien cordialement", "bien à vous"),
    *("bien à toi", "amicalement", "amitiés", "à bientôt", "bises", "bisous", "bonne journée"),
    *("bonne soirée", "salutations", "meilleures salutations", "bonne chance", "cdlt"),
    *("gracias", "muchas gracias", "saludos", "un saludo", "saludos cordiales", "un abrazo"),
    *("abrazos", "atentamente", "cordialmente", "hasta luego", "hasta pronto", "suerte"),
    *("obrigado", "obrigada", "muito obrigado", "muito obrigada", "abraço", "abraços"),
    *("um abraço", "atenciosamente", "cumprimentos", "com os melhores cumprimentos", "até logo"),
    *("saudações", "valeu", "boa sorte", "mulțumesc", "mulțumesc frumos", "mersi", "mersi mult"),
    *("cu stimă", "cu respect", "toate cele bune", "numai bine", "pe curând", "salutări"),
    *("o zi bună", "o seară bună", "noroc", "baftă", "cu drag", "grazie", "grazie mille"),
    *("cordiali saluti", "distinti saluti", "saluti", "un saluto", "cari saluti", "a presto"),
    *("buona giornata", "buona serata", "buona fortuna", "bedankt", "dank je", "dank je wel"),
    *("dank u", "dank u wel", "hartelijk dank", "alvast bedankt", "groet", "groeten", "groetjes"),
    *("met vriendelijke groet", "met vriendelijke groeten", "vriendelijke groeten", "mvg"),
    *("hartelijke groeten", "tot ziens", "tot snel", "succes", "veel succes"),
    *("tack", "tack så mycket", "hälsningar"),
    *("med vänliga hälsningar", "mvh", "vänliga hälsningar"),
    *("takk", "tusen takk", "hilsen", "vennlig hilsen", "med venlig hilsen", "mange tak", "tak"),
    *("kiitos", "terveisin", "ystävällisin terveisin", "dziękuję", "dzięki", "pozdrawiam"),
    *("pozdrowienia", "z poważaniem", "děkuji", "díky", "s pozdravem", "zdravím", "ďakujem"),
    *("köszönöm", "köszi", "üdvözlettel", "üdv", "teşekkürler", "teşekkür ederim", "saygılarımla"),
    *("ευχαριστώ", "спасибо", "с уважением", "пока", "всего доброго", "дякую", "з повагою"),
    *("ありがとう", "ありがとうございます", "よろしくお願いします"),
    *("谢谢", "謝謝", "祝好", "감사합니다"),
)  # fmt: skip
"""Closings; a name may follow, in the same line or below."""

ADDRESSED = phrases(
    *(
        "all",
        "everyone",
        "everybody",
        "there",
        "team",
        "folks",
        "friends",
        "guys",
        "again",
        "nightmail",
    ),
    *("so", "very", "much", "a", "lot", "and", "from", "the", "of", "to", "you", "your", "both"),
    *("zusammen", "alle", "allen", "alles", "ihr", "euch", "dir", "ihnen", "und", "aus", "von"),
    *("van", "der", "den", "de", "da", "do", "dos", "di", "del", "della", "du", "la", "le", "les"),
    *("et", "y", "e", "i", "och", "og", "en", "à", "tous", "toutes", "tout", "le monde", "monde"),
    *("todos", "todas", "tutti", "tuturor", "toți", "allemaal", "iedereen", "alla", "kaikki"),
    *("leute", "runde", "damen", "herren", "sehr geehrte", "geehrte", "wszystkim", "všem"),
)
"""Words with a small letter that may follow a greeting or a closing, or be part of a name."""

CLOSING_ENDS = phrases(
    *("regards", "wishes", "grüße", "grüßen", "gruß", "gruss", "cordialement", "salutations"),
    *("saludos", "saludo", "cumprimentos", "saudações", "salutări", "saluti", "groet", "groeten"),
    *("hälsningar", "hälsning", "hilsen", "terveisin", "pozdrowieniami", "pozdravem"),
)
"""Last words of other closings, as in “with my very best regards”."""

POLITE = phrases(
    *("please", "pls", "plz", "thanks", "thank you", "thx", "ty", "cheers", "ok", "okay"),
    *("bitte", "bitte sehr", "danke", "danke schön", "vielen dank"),
    *("s'il te plaît", "s'il vous plaît", "s il te plait", "s il vous plait", "stp", "svp"),
    *("merci", "merci beaucoup", "por favor", "gracias", "muchas gracias", "obrigado", "obrigada"),
    *("te rog", "vă rog", "mulțumesc", "mersi", "per favore", "per piacere", "grazie"),
    *("grazie mille", "alsjeblieft", "alstublieft", "aub", "bedankt", "dank je", "dank u"),
)
"""Polite words around a command, or alone on a line: English, German, French, Spanish,
Portuguese, Romanian, Italian and Dutch."""

POINTERS = phrases(
    *("see below", "see inline", "inline", "answer below", "answers below", "reply below"),
    *("see my answer below", "siehe unten", "antwort unten", "s u", "voir ci dessous"),
    *("réponse ci dessous", "ver abajo", "respuesta abajo", "ver abaixo", "resposta abaixo"),
    *("vezi mai jos", "răspuns mai jos", "vedi sotto", "risposta sotto", "zie onder"),
    *("zie hieronder", "antwoord hieronder"),
    *("here is my move", "here's my move", "here are my moves", "hier ist mein zug", "mein zug"),
    *("hier mein zug", "voici mon coup", "mon coup", "mi jugada", "minha jogada", "mutarea mea"),
    *("la mia mossa", "ecco la mia mossa", "mijn zet", "hier is mijn zet"),
)
"""Lines that say only that the answer comes below."""

FRIENDLY = frozenset("👍🙏🙂😀😃😄😁😊😉😎🤞💪🎉🎲🚂🚃🚄🚅🚆🚇🚉👋✌❤☺🌞⭐✨🍀🥳🤗")
"""Pictures that deny nothing."""
ORNAMENTS = frozenset("-_=*~.·•|…!—–+# \ufe0f\u200d🏻🏼🏽🏾🏿")
"""Characters of lines that are only decoration, and what follows a picture."""
