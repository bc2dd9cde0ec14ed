import json, os, random, time, urllib.error, urllib.request

BASE = os.environ.get("NIGHTMAIL", "http://127.0.0.1:8000") + "/v1"
TOKEN = os.environ["NIGHTMAIL_TOKEN"]
GAMES = int(os.environ.get("GAMES", "0"))  # open so many games against the house first
HOUSE = os.environ.get("HOUSE", "easy")  # easy, medium or hard


def call(method, path, body=None, headers=()):
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(BASE + path, data, dict(headers), method=method)
    request.add_header("Content-Type", "application/json")
    request.add_header("Authorization", f"Bearer {TOKEN}")
    with urllib.request.urlopen(request, timeout=90) as answer:
        return json.loads(answer.read())


def choose(decision):
    claims = [option for option in decision["options"] if option["text"].startswith("claim")]
    return random.choice(claims or decision["options"])


for _ in range(GAMES):
    call("POST", "/games", {"board": "usa", "seats": 4, "bots": {HOUSE: 3}})
while call("GET", "/games?mine=true&status=running")["games"] or not GAMES:
    try:
        for decision in call("GET", "/me/decisions?wait=5")["decisions"]:
            game, version, option = decision["game"], decision["version"], choose(decision)
            safe = {"If-Match": f'"{version}"', "Idempotency-Key": f"{game}-{version}"}
            made = call("POST", f"/games/{game}/moves", {"text": option["text"]}, safe)
            print(version, option["label"], "|", *(event["sentence"] for event in made["events"]))
    except urllib.error.HTTPError as refusal:  # it went on without us, or we ask too often
        print(json.loads(refusal.read())["detail"])
        time.sleep(int(refusal.headers.get("Retry-After", 1)))
for game in call("GET", "/games?mine=true&status=finished")["games"]:
    print(game["title"], call("GET", f"/games/{game['id']}")["result"]["winners"])
