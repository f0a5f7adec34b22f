"""Reads schemas by id from a registry with the Confluent API."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import httpx

# Returns the schema with this id. UndecodableEventError says that there is none and ends the consumer; any other error
# may pass, and the consumer tries again.
SchemaOf = Callable[[int], Any]

REQUEST_TIMEOUT_SECONDS = 10.0


class UndecodableEventError(Exception):
    """A record cannot be decoded, whenever it is read. A `SchemaOf` raises it where there is no such schema."""


@dataclass(frozen=True, slots=True)
class RegistryAddress:
    """The URL of a schema registry, and headers such as an `Authorization`."""

    url: str
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)


def registry_schemas(address: RegistryAddress) -> SchemaOf:
    base = address.url.rstrip("/")

    def schema_of(schema_id: int) -> Any:
        answer = httpx.get(
            f"{base}/schemas/ids/{schema_id}", headers=dict(address.headers), timeout=REQUEST_TIMEOUT_SECONDS
        )
        if answer.status_code == 404:
            raise UndecodableEventError(f"the schema registry has no schema {schema_id}")
        if answer.status_code != 200:
            raise RuntimeError(
                f"the schema registry returned {answer.status_code} for schema {schema_id}; expected 200"
            )
        text = answer.json()["schema"]
        try:
            return json.loads(text)
        except ValueError as cause:
            raise UndecodableEventError(f"schema {schema_id} is no Avro schema: it is not JSON") from cause

    return schema_of
