"""Recognises lines that deny, doubt or take back a move, in the languages of our players.

No such line is set aside, and a reply that has one below its first line is not carried out at all.
No word here is part of a move on any board; a test says so.
"""
# ruff: noqa: RUF001  # letters of other alphabets

from service.replies.reading.words import folded, may_be_command, phrases

MOST_WORDS = 4
"""Words that may follow the beginning of a line that takes something back."""

DENIALS = phrases(
    *("no", "not", "nope", "never", "don't", "dont", "won't", "can't", "cannot", "didn't"),
    *("doesn't", "isn't", "wasn't", "shouldn't", "wait", "hold", "ignore", "disregard", "cancel"),
    *("undo", "forget", "scrap", "scratch", "skip", "revert", "retract", "withdraw", "delete"),
    *("wrong", "wrongly", "mistake", "mistaken", "mistakenly", "error", "typo", "oops", "whoops"),
    *("accident", "accidentally", "draft", "but", "instead", "edit", "correction", "meant"),
    *("if", "unless", "should", "maybe", "perhaps", "later", "tomorrow", "yet", "before"),
    *("another game", "other game", "different game", "i mean", "changed my mind", "on second"),
    *("take back", "take it back", "take that back", "never mind", "nevermind", "not sure"),
    *("nein", "nicht", "nichts", "kein", "keine", "keinen", "nie", "warte", "halt", "moment"),
    *("falsch", "falsche", "falscher", "falsches", "fehler", "irrtum", "versehen", "versehentlich"),
    *("aber", "erst", "doch", "sondern", "stattdessen", "lieber doch", "ignorieren", "ignoriere"),
    *("ignoriert", "vergiss", "vergesst", "vergessen", "rückgängig", "zurück", "stornieren"),
    *("wenn", "falls", "soll", "sollte", "vielleicht", "später", "entwurf", "korrektur"),
    *("anderes spiel", "anderen spiel", "andere spiel", "ich meine", "ich meinte", "bevor"),
    *("non", "pas", "ne", "jamais", "attends", "attendez", "attendre", "faux", "fausse", "erreur"),
    *("mais", "plutôt", "si", "sauf", "oublie", "oubliez", "oublier", "ignore", "ignorez"),
    *("annule", "annulez", "annuler", "brouillon", "plus tard", "demain", "peut-être", "avant"),
    *("autre partie", "trompé", "trompée", "je voulais"),
    *("nunca", "espera", "esperar", "mal", "pero", "sino", "error", "equivocado", "equivocada"),
    *("equivoqué", "ignora", "ignorar", "ignoren", "olvida", "olvidar", "olvídalo", "cancela"),
    *("cancelar", "borrador", "quizás", "quizá", "mañana", "después", "otra partida", "otro juego"),
    *("não", "nao", "mas", "errado", "errada", "erro", "engano", "esquece", "esqueça", "ignore"),
    *("espere", "talvez", "depois", "amanhã", "rascunho", "outro jogo", "outra partida", "se"),
    *("nu", "dar", "greșit", "greșeală", "stai", "așteaptă", "ignoră", "ignorați", "anulează"),
    *("dacă", "poate", "mâine", "mai târziu", "ciornă", "uită", "alt joc", "decât"),
    *("però", "ma", "aspetta", "sbagliato", "sbagliata", "errore", "ignorate", "annulla", "forse"),
    *("dimentica", "domani", "più tardi", "bozza", "invece", "altra partita"),
    *("nee", "niet", "geen", "wacht", "fout", "foutje", "maar", "vergeet", "negeer", "vergissing"),
    *("annuleer", "als", "misschien", "morgen", "concept", "ander spel", "verkeerd", "verkeerde"),
    *("inte", "ikke", "ikkje", "ej", "vänta", "vent", "fel", "feil", "fejl", "glöm", "glem"),
    *("men", "kanske", "kanskje", "måske", "ei", "mutta", "odota", "väärin", "ehkä", "virhe"),
    *("nie", "ale", "czekaj", "pomyłka", "błąd", "może", "jutro", "čekej", "počkej", "chyba"),
    *("omyl", "možná", "nem", "várj", "hiba", "rossz", "talán", "hayır", "değil", "ama", "bekle"),
    *("yanlış", "belki", "όχι", "δεν", "μην", "αλλά", "λάθος", "περίμενε", "не", "нет", "но"),
    *("стой", "подожди", "ошибка", "ошибся", "отмена", "ні", "але", "помилка", "зачекай"),
)
"""Words and phrases that may deny what stands above or below."""

_WORDS = frozenset(phrase for phrase in DENIALS if " " not in phrase)
_PHRASES = tuple(f" {phrase} " for phrase in sorted(DENIALS - _WORDS))
_UNSPACED = (
    *("待って", "間違", "やめ", "取り消", "ではなく", "しない", "無視"),
    *("不要", "不是", "等等", "等一下", "错", "錯", "取消", "忽略", "아니", "잠깐", "잘못", "취소"),
)
"""The same in scripts that have no spaces between words, or join them."""

TAKES_BACK = phrases(
    *("no", "nope", "no wait", "wait", "oops", "correction", "actually", "instead", "rather"),
    *(
        "i mean",
        "i meant",
        "scratch that",
        "forget that",
        "forget it",
        "ignore that",
        "sorry i meant",
    ),
    *(
        "sorry no",
        "sorry wait",
        "on second thought",
        "on second thoughts",
        "or rather",
        "not that",
        "don't",
    ),
    *("do not", "never mind", "nevermind", "better", "cancel", "i changed my mind", "or"),
    *("nein", "nee", "ne", "halt", "stopp", "warte", "moment", "doch", "doch lieber", "lieber"),
    *("ach nein", "ich meine", "ich meinte", "korrektur", "stattdessen", "vergiss", "oder"),
    *("besser", "quatsch", "nicht", "non", "attends", "attendez", "en fait", "plutôt", "ou"),
    *("finalement", "je veux dire", "je voulais dire", "oublie", "oubliez", "pas"),
    *("espera", "en realidad", "mejor", "quiero decir", "corrección", "olvida", "o mejor"),
    *("não", "na verdade", "melhor", "quero dizer", "correção", "esquece", "ou melhor"),
    *("nu", "ba nu", "stai", "așteaptă", "de fapt", "mai bine", "adică", "corectură", "sau"),
    *("aspetta", "anzi", "in realtà", "piuttosto", "voglio dire", "correzione", "meglio"),
    *("wacht", "eigenlijk", "liever", "toch", "ik bedoel", "correctie", "of", "beter", "niet"),
)
"""Beginnings of lines that take something back, of words that elsewhere may mean nothing."""


def denies(text: str) -> bool:
    """Return whether a text has a word that denies, doubts or takes back something."""
    words = folded(text)
    return (
        not _WORDS.isdisjoint(words.split())
        or any(phrase in f" {words} " for phrase in _PHRASES)
        or any(part in text for part in _UNSPACED)
        or takes_back(text)
    )


def takes_back(text: str) -> bool:
    """Return whether a text begins by taking something back, and is short or names a move."""
    words = folded(text).split()
    for count in range(min(len(words), MOST_WORDS + 2), 0, -1):
        if " ".join(words[:count]) in TAKES_BACK:
            return len(words) - count <= MOST_WORDS or may_be_command(text)
    return False
