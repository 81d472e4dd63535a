"""The OpenAPI document as a judge: whether a value is what it says, and has nothing that it doesn't know."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

import jsonschema_rs

from services.edge.protos import Method

Json = Any
MOST_LETTERS = 500


class Unlike(AssertionError):
    """A value is not what the document says."""


class Judge:
    """Holds values to a document."""

    def __init__(self, document: Json) -> None:
        self.document = document
        self._components = {**document["components"], "schemas": _closed(document["components"]["schemas"])}
        self._judges: dict[str, jsonschema_rs.Draft202012Validator] = {}

    def operation(self, method: Method) -> Json:
        """What the document says of a method."""
        (found,) = (each for each in self.operations() if each["operationId"] == f"{method.token}_{method.name}")
        return found

    def operations(self) -> Iterator[Json]:
        """All operations."""
        return (operation for path in self.document["paths"].values() for operation in path.values())

    def answer(self, method: Method, value: Json) -> None:
        """Raise Unlike unless a method may answer this."""
        (content,) = self.operation(method)["responses"]["200"]["content"].values()
        self.holds(content["schema"], value)

    def request(self, method: Method, value: Json) -> None:
        """Raise Unlike unless a method may be sent this."""
        self.holds(self.operation(method)["requestBody"]["content"]["application/json"]["schema"], value)

    def holds(self, schema: Json, value: Json) -> None:
        """Raise Unlike unless a value is what a schema says, and every field in it is known."""
        key = json.dumps(schema)
        if key not in self._judges:
            self._judges[key] = jsonschema_rs.Draft202012Validator({**schema, "components": self._components})
        try:
            self._judges[key].validate(value)
        except jsonschema_rs.ValidationError as error:
            raise Unlike(f"{list(error.instance_path)}: {error.message[:MOST_LETTERS]}") from None


def _closed(schema: Json) -> Json:
    """The same, in which no object has a field that is not among its properties."""
    if isinstance(schema, list):
        return [_closed(each) for each in schema]
    if not isinstance(schema, Mapping):
        return schema
    inner = {name: _closed(each) for name, each in schema.items()}
    if schema.get("type") == "object" and isinstance(schema.get("properties"), Mapping):
        return {"additionalProperties": False, **inner}
    return inner
