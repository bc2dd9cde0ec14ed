"""What is answered about commitments."""

from api.schemas.fields import Answer
from api.schemas.game_schemas import moment, words
from service.games.commitments import MOST_UNUSED


class CommitmentMade(Answer):
    """A seed that the house has committed itself to, for one game that I may open."""

    commitment = words(
        "SHA-256 of the seed. Cite it in `POST /v1/games` or `POST /v1/bot-games`, once."
    )
    game = words("The id that the game will have: it takes part in every draw.")
    created = moment("When it was made.")
    expires = moment(
        "Until when it can be cited. An account has the newest "
        f"{MOST_UNUSED}; older ones that were not used are dropped."
    )
