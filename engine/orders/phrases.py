"""The words between the moves of orders, in the languages in which replies are read.

Moves keep the notation, which is the same in every language. Phrases are written as `simple` makes
them: lower case, without accents. `{n}` stands for a number.
"""
# one language per line

import re
from collections.abc import Iterable

WHEN = (
    *("when i can", "as soon as i can", "as soon as possible", "when possible", "once i can"),
    *("sobald ich kann", "sobald moglich", "wenn ich kann"),
    *("des que je peux", "des que possible"),
    *("cuando pueda", "en cuanto pueda", "quando puder", "assim que puder"),
    *("cand pot", "imediat ce pot", "de indata ce pot"),
    *("appena posso", "quando posso", "zodra ik kan", "zodra het kan"),
)
COLLECT = (
    *("collect for", "sammle fur", "sammeln fur", "collecte pour", "collecter pour"),
    *("junta para", "juntar para", "reune para", "reunir para", "aduna pentru", "strange pentru"),
    *("raccogli per", "verzamel voor"),
)
MEANWHILE = (
    *("meanwhile", "in the meantime", "until then", "bis dahin", "inzwischen"),
    *("en attendant", "entre-temps", "mientras tanto", "mientras", "enquanto isso", "entretanto"),
    *("intre timp", "nel frattempo", "intanto", "intussen", "ondertussen"),
)
GONE = (
    *("if it is gone", "if it's gone", "if gone", "if it is taken", "if it's taken", "if taken"),
    *("wenn sie weg ist", "falls sie weg ist", "wenn weg", "falls weg"),
    *("si elle est prise", "si elle n'est plus libre"),
    *("si ya no esta libre", "si esta ocupada", "se ja nao estiver livre", "se estiver ocupada"),
    *("daca nu mai e libera", "daca e ocupata", "se non e piu libera", "se e occupata"),
    *("als die weg is", "als hij weg is"),
)
ELSE = (
    *("or else", "else", "otherwise", "sonst", "andernfalls", "sinon", "si no", "de lo contrario"),
    *("senao", "caso contrario", "altfel", "altrimenti", "anders"),
)
ASK = (
    *("ask me", "ask", "frag mich", "frage mich", "demande-moi", "demandez-moi", "preguntame"),
    *("pergunta-me", "pergunte-me", "intreaba-ma", "chiedimi", "chiedi a me", "vraag mij"),
    *("vraag het mij",),
)
TURNS = (
    *("for {n} turns", "for {n} turn", "{n} zuge lang", "{n} zug lang", "fur {n} zuge"),
    *("pendant {n} tours", "pendant {n} tour", "durante {n} turnos", "durante {n} turno"),
    *("timp de {n} ture", "timp de {n} tura", "per {n} turni", "per {n} turno"),
    *("{n} beurten lang", "{n} beurt lang"),
)
UNTIL = (
    *("until", "bis", "jusqu'a ce que", "jusqu'au", "jusqu'a", "hasta que", "hasta"),
    *("ate que", "ate", "pana cand", "pana la", "fino a quando", "fino al", "fino a", "tot"),
)
MOST = (
    *("with at most {n}", "using at most {n}", "at most {n}", "mit hochstens {n}", "hochstens {n}"),
    *("avec au plus {n}", "au plus {n}", "con como mucho {n}", "como mucho {n}"),
    *("com no maximo {n}", "no maximo {n}", "cu cel mult {n}", "cel mult {n}"),
    *("con al massimo {n}", "al massimo {n}", "met hoogstens {n}", "hoogstens {n}"),
)
LOCOMOTIVES = (
    *("locomotives", "locomotive", "locos", "loco", "jokers", "joker", "lokomotiven"),
    *("lokomotive", "loks", "lok", "locomotoras", "locomotora", "locomotivas", "locomotiva"),
    *("locomotief", "locomotieven"),
)
SURCHARGE = (
    *("pay up to {n} or give up", "paying up to {n}", "pay up to {n}", "zahle bis zu {n}"),
    *("zahle bis {n}", "payer jusqu'a {n}", "paye jusqu'a {n}", "paga hasta {n}", "paga ate {n}"),
    *("platesc pana la {n}", "plateste pana la {n}", "paga fino a {n}", "betaal tot {n}"),
)
AND = ("and", "und", "et", "y", "e", "si", "en")
THEN = (
    *("then", "after that", "dann", "danach", "puis", "ensuite", "luego", "despues", "depois"),
    *("entao", "apoi", "poi", "quindi", "dan", "daarna"),
)
MORE = ("more", "mehr", "de plus", "mas", "a mais", "in plus", "in piu", "extra", "or give up")


def pattern(phrases: Iterable[str]) -> str:
    """A regular expression that matches any of these phrases, the longest first."""
    ordered = sorted(phrases, key=len, reverse=True)
    return "|".join(re.escape(each).replace(r"\{n\}", r"[0-9]{1,3}") for each in ordered)


def number_of(phrase: str) -> int:
    """The number in a phrase that has one."""
    return int(re.findall(r"[0-9]+", phrase)[0])
