import http.client, json, os, random, secrets, time, urllib.error, urllib.request

BASE = os.environ.get("NIGHTMAIL", "http://127.0.0.1:8000") + "/v1"
TOKEN = os.environ["NIGHTMAIL_TOKEN"]
GAMES, HOUSE = int(os.environ.get("GAMES", "0")), os.environ.get("HOUSE", "easy")  # to open first


def call(method, path, body=None, headers=()):
    data = None if body is None else json.dumps(body).encode()
    every = {"Content-Type": "application/json", "Authorization": f"Bearer {TOKEN}"}
    request = urllib.request.Request(BASE + path, data, {**every, **dict(headers)}, method=method)
    while True:
        try:
            return json.loads(urllib.request.urlopen(request, timeout=90).read())
        except (OSError, http.client.HTTPException) as error:  # rate-limited, or the server is down
            if getattr(error, "code", 503) not in (429, 502, 503, 504):
                raise
            time.sleep(int(getattr(error, "headers", {}).get("Retry-After", 1)))


def choose(decision):
    claims = [entry for entry in decision["menu"] if entry["group"] == "claim"]
    entry = random.choice(claims or decision["menu"])
    answer = {"entry": entry["n"], "way": next(iter(entry["ways"]), None)}  # the thriftiest way
    if choice := entry.get("choice"):
        answer["things"] = [thing["value"] for thing in choice["things"]][: choice["most"]]
    return entry["title"], answer


for _ in range(GAMES):
    once = {"Idempotency-Key": secrets.token_hex(16)}
    fair = {"commitment": call("POST", "/commitments")["commitment"], "nonce": secrets.token_hex()}
    call("POST", "/games", {"board": "usa", "seats": 4, "bots": {HOUSE: 3}, **fair}, once)
while call("GET", "/games?mine=true&status=running")["games"] or not GAMES:
    for decision in call("GET", "/me/decisions?wait=5")["decisions"]:
        game, version, (title, answer) = decision["game"], decision["version"], choose(decision)
        safe = {"If-Match": f'"{version}"', "Idempotency-Key": f"{game}-{version}"}
        try:
            made = call("POST", f"/games/{game}/moves", {"choose": answer}, safe)
            print(version, title, "|", *(event["sentence"] for event in made["events"]))
        except urllib.error.HTTPError as refusal:  # the game has moved on
            print(json.loads(refusal.read())["detail"])
for game in call("GET", "/games?mine=true&status=finished")["games"]:
    print(game["title"], call("GET", f"/games/{game['id']}")["result"]["winners"])
