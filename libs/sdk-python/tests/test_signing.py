"""The vectors are those of the other SDK and of the service."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from lending import SecretSigner
from lending.signing import authorization_header, canonical_string

vectors = json.loads((Path(__file__).parents[3] / "test" / "vectors" / "signing.json").read_text())["cases"]


@pytest.mark.parametrize("vector", vectors, ids=lambda vector: str(vector["name"]))
def test_a_request_is_signed_as_the_test_vector_says(vector: dict[str, Any]) -> None:
    body = (vector["body"] or "").encode()
    signed = (vector["method"], vector["target"], int(vector["ts"]), body, vector["idempotency_key"])
    assert canonical_string(*signed) == vector["canonical"]
    assert authorization_header(SecretSigner(vector["secret"]), *signed) == vector["authorization"]


secret = vectors[0]["secret"]


@pytest.mark.parametrize(
    "broken",
    [secret.replace("lsk_", "sk_"), secret[:-1], secret[:-1] + "+", secret[:-1] + "B", ""],
    ids=["another prefix", "a character left out", "another alphabet", "stray bits at its end", "nothing"],
)
def test_a_secret_that_was_copied_wrongly_is_refused_and_not_printed(broken: str) -> None:
    with pytest.raises(ValueError, match="not the secret of a lending key") as refused:
        SecretSigner(broken)
    assert broken == "" or broken not in str(refused.value)
