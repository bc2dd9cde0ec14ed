"""A bot behind a webhook: Nightmail calls it, and its response is the move."""

import os

from flask import Flask, abort, request
from standardwebhooks import Webhook, WebhookVerificationError

app = Flask(__name__)
hook = Webhook(os.environ["NIGHTMAIL_SECRET"])  # whsec_…, shown when the hook is made


def choose(decision):
    """Claim the first affordable route; otherwise draw from the deck, or take the default."""
    for group in ("claim", "draw"):
        for entry in decision["menu"]:
            if entry["group"] == group:
                way = decision["ways"][entry["ways"][0]]["fill"] if entry["ways"] else {}
                return {**entry["action"], **way}
    return decision["default"]["action"]


@app.post("/")
def on_message():
    try:  # the signature is for the raw bytes
        message = hook.verify(request.get_data(), dict(request.headers))
    except WebhookVerificationError:
        abort(401)
    if message["type"] not in ("decision.opened", "decision.reminder"):
        return "", 204
    return {"action": choose(message["data"])}
