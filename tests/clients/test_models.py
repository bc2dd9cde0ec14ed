"""The models of datamodel-code-generator read every answer, and lose nothing."""

import json
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from werkzeug.test import TestResponse

from api.schemas.spec import EXAMPLES
from api.wsgi import app_at
from tests.amounts import amount
from tests.api.serving import fresh_app
from tests.clients.documents import Json, document, operations
from tests.clients.generating import BIN, imported, ran, with_times, written
from tests.support.menus import any_form

MODULE = "made_models"
TABLES: list[tuple[str, list[str]]] = [
    ("europe", []),
    ("uk", ["dice"]),
    ("usa", []),
    ("uk", ["advanced_technologies"]),
    ("europe", ["dice"]),
    ("usa", ["dice"]),
]
BOUND = 3000

Models = Any
"""The generated module, which the type checker does not know."""


@pytest.fixture(scope="session")
def models(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Models]:
    """The module that datamodel-code-generator has made from the document."""
    folder = tmp_path_factory.mktemp("models")
    process = ran(
        *(BIN / "datamodel-codegen", "--input", written(folder), "--input-file-type", "openapi"),
        *("--output", folder / f"{MODULE}.py", "--target-python-version", "3.11"),
        *("--output-model-type", "pydantic_v2.BaseModel", "--formatters", "builtin"),
    )
    assert (0, "") == (process.returncode, process.stderr), process.stdout
    with imported(folder, MODULE) as module:
        yield module


class Reader:
    """A client that reads every answer with the model that the document names."""

    def __init__(self, models: Models, folder: Path) -> None:
        _, desk = fresh_app(f"sqlite:///{folder}/models.db")
        self.web = app_at(desk).test_client()
        self.models = models
        self.seen: set[str] = set()
        self._operations = [
            (method, re.compile(re.sub(r"\{\w+\}", "[^/]+", path)), operation)
            for method, path, operation in operations(document())
        ]

    def call(self, line: str, body: Any = None, token: str = "") -> Any:
        """Send a request, and return the JSON of its answer once its model has read it."""
        method, path = line.split()
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        answer = self.web.open(path, method=method, json=body, headers=headers)
        if not (answer.mimetype or "").endswith("json"):
            return None
        self._read(method, path, answer)
        return answer.json

    def _read(self, method: str, path: str, answer: TestResponse) -> None:
        (operation,) = (
            operation
            for known, pattern, operation in self._operations
            if known == method and pattern.fullmatch(path.partition("?")[0])
        )
        content = operation["responses"][str(answer.status_code)]["content"]
        name = name_of(content[answer.mimetype])
        read(self.models, name, answer.json)
        self.seen.add(name)


def name_of(content: Json) -> str:
    """The name of the schema of a body."""
    return str(content["schema"]["$ref"]).rpartition("/")[2]


def read(models: Models, name: str, value: Any) -> None:
    """Read a value with the model of this name, and check that nothing is lost."""
    made = getattr(models, name).model_validate_json(json.dumps(value))
    again = made.model_dump(mode="json", by_alias=True, exclude_unset=True)
    assert with_times(value) == with_times(again)


def test_a_schema_is_a_model_of_the_same_name(models: Models) -> None:
    """No schema has lost its name to something else: each model has the fields of its schema."""
    for name, schema in document()["components"]["schemas"].items():
        fields = getattr(models, name).model_fields.items()
        expected = {*schema.get("properties", {"root": None})}
        assert expected == {field.alias or key for key, field in fields}, name


def test_the_models_read_every_example(models: Models) -> None:
    """The answer of every operation, its request, and every message to a webhook are read."""
    made = document()
    for _, _, operation in operations(made):
        example = json.loads((EXAMPLES / f"{operation['operationId']}.json").read_text())
        places = {
            "request": operation.get("requestBody", {}),
            "response": operation["responses"][str(example["status"])],
        }
        for part, place in places.items():
            content = place.get("content", {}).get("application/json")
            if content and part in example:
                read(models, name_of(content), example[part])
    for kind, item in made["webhooks"].items():
        content = item["post"]["requestBody"]["content"]["application/json"]
        read(models, name_of(content), json.loads((EXAMPLES / f"{kind}.json").read_text()))


def chosen(decision: Json, rng: random.Random) -> Json:
    """Choose a move: a claim if possible, so that games end soon."""
    return any_form(decision, rng, "claim")


@pytest.mark.parametrize(("board", "variants"), TABLES[: amount(2, soak=len(TABLES))])
def test_the_models_read_every_answer_of_a_whole_game(
    models: Models, tmp_path: Path, board: str, variants: list[str]
) -> None:
    """Board, games, decisions, receipts, events and refusals are read, until the game is over."""
    reader, rng = Reader(models, tmp_path), random.Random(f"{board} {variants}")
    reader.call(f"GET /v1/boards/{board}?variant={','.join(variants)}")
    tokens = [
        reader.call("POST /v1/accounts", {"name": name})["token"]["token"]
        for name in ("Ada", "Ben")
    ]
    body = {"board": board, "variants": variants, "seats": 2}
    game = reader.call("POST /v1/games", body, tokens[0])["id"]
    reader.call(f"POST /v1/games/{game}/seats", {}, tokens[1])
    for _ in range(BOUND):
        decisions = [
            (token, decision)
            for token in tokens
            if (decision := reader.call(f"GET /v1/games/{game}/decision", token=token))
        ]
        for token, decision in decisions:
            reader.call(f"POST /v1/games/{game}/moves", chosen(decision, rng), token)
            seen = reader.call(f"GET /v1/games/{game}", token=token)
            reader.call(f"GET /v1/games/{game}/events?after={seen['version']}", token=token)
        if not decisions:
            break
    assert reader.call(f"GET /v1/games/{game}")["result"]
    reader.call(f"GET /v1/games/{game}/events", token=tokens[0])
    reader.call(f"POST /v1/games/{game}/moves", {"text": "1"}, tokens[0])
    assert {"Board", "Decision", "EventList", "Game", "MoveReceipt", "Problem"} <= reader.seen
