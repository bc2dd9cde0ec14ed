import json
from collections.abc import Iterator
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from api.http.problems import TABLE
from api.schemas.hook_messages import MESSAGES
from api.schemas.spec import EXAMPLES
from tools import examples, openapi

Json = dict[str, Any]

DOCUMENT: Json = json.loads(openapi.written())
OPERATIONS: dict[str, Json] = {
    operation["operationId"]: operation
    for path in DOCUMENT["paths"].values()
    for method, operation in path.items()
    if method != "parameters"
}


def contents(operation: Json, example: Json) -> Iterator[tuple[str, Json]]:
    """The parts of an operation that the example is shown in, by what it calls them."""
    places = {
        "request": operation.get("requestBody", {}),
        "response": operation["responses"][str(example["status"])],
    }
    for name, place in places.items():
        for kind, content in place.get("content", {}).items():
            # A mail is no JSON, and what is streamed on request has another example.
            streams = kind == "text/event-stream" and len(place["content"]) > 1
            if kind != "application/octet-stream" and not streams:
                yield name, content


@pytest.mark.parametrize("name", OPERATIONS)
def test_an_example_fits_its_schema(name: str) -> None:
    """Every operation has one, and the document shows it where its own schemas allow it."""
    example = json.loads((EXAMPLES / f"{name}.json").read_text(encoding="utf-8"))
    pairs = list(contents(OPERATIONS[name], example))

    assert {"status", *(part for part, _ in pairs)} == set(example)
    for part, content in pairs:
        assert example[part] == content["example"]
        schema = {**content["schema"], "components": DOCUMENT["components"]}
        Draft202012Validator(schema).validate(example[part])


@pytest.mark.parametrize("kind", MESSAGES)
def test_the_example_of_a_message_fits_its_schema(kind: str) -> None:
    """Every message to a webhook has one, and the document shows it."""
    example = json.loads((EXAMPLES / f"{kind}.json").read_text(encoding="utf-8"))
    operation = DOCUMENT["webhooks"][kind]["post"]
    content = operation["requestBody"]["content"]["application/json"]

    assert example == content["example"]
    schema = {**content["schema"], "components": DOCUMENT["components"]}
    Draft202012Validator(schema).validate(example)


def test_the_example_of_a_problem_fits_its_schema() -> None:
    """Every code has one, with its status."""
    schema = {"$ref": "#/components/schemas/Problem", "components": DOCUMENT["components"]}
    for code, example in DOCUMENT["components"]["examples"].items():
        Draft202012Validator(schema).validate(example["value"])
        assert (code, TABLE[code].status) == (example["value"]["code"], example["value"]["status"])


def test_examples_are_real_answers() -> None:
    """Performed anew, every operation answers as its example says; so do messages to webhooks."""
    kept = {path.stem: path.read_text(encoding="utf-8") for path in EXAMPLES.glob("*.json")}

    assert kept == {name: examples.written(made) for name, made in examples.examples().items()}


def test_the_document_is_what_the_code_gives() -> None:
    """The file in the project is the document of the application."""
    assert openapi.written() == openapi.FILE.read_text(encoding="utf-8")
