"""Signs requests with Ed25519."""

from __future__ import annotations

import base64
import hashlib
import re
from typing import Protocol

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

_secret_form = re.compile(r"lsk_(?:live|test)_([A-Za-z0-9_-]{43})")


class Signer(Protocol):
    """Signs with a key. Implement it for a secret that is kept in a key service or an HSM."""

    @property
    def fp(self) -> str:
        """The fingerprint of the key: the first 16 bytes of SHA-256 of its public half, in lower-case hexadecimal."""

    def sign(self, message: bytes) -> bytes:
        """The 64 bytes of the Ed25519 signature."""


class SecretSigner:
    """The signer of a secret as it was printed when the key was minted: `lsk_live_…` or `lsk_test_…`."""

    def __init__(self, secret: str) -> None:
        found = _secret_form.fullmatch(secret)
        encoded = "" if found is None else found[1]
        seed = base64.urlsafe_b64decode(encoded + "=" * (-len(encoded) % 4))
        # Extra bits in the last character mean a secret that was copied wrongly.
        if found is None or _base64url(seed) != encoded:
            raise ValueError("the key is not the secret of a lending key; expected lsk_live_… or lsk_test_…")
        self._key = Ed25519PrivateKey.from_private_bytes(seed)
        public_key = self._key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
        self.fp = hashlib.sha256(public_key).hexdigest()[:32]

    def sign(self, message: bytes) -> bytes:
        return self._key.sign(message)


def canonical_string(method: str, target: str, ts: int, body: bytes, idempotency_key: str | None = None) -> str:
    """The lines that the contract lists. The target is path and query exactly as on the request line."""
    lines = [method, target, str(ts), hashlib.sha256(body).hexdigest()]
    if idempotency_key is not None:
        lines.append(idempotency_key)
    return "\n".join(lines)


def authorization_header(
    signer: Signer, method: str, target: str, ts: int, body: bytes, idempotency_key: str | None = None
) -> str:
    """The value of the `Authorization` header. It is valid for five minutes, so every attempt has its own."""
    canonical = canonical_string(method, target, ts, body, idempotency_key)
    signature = signer.sign(canonical.encode())
    return f"Service-Ed25519 fp={signer.fp},ts={ts},sig={_base64url(signature)}"


def _base64url(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")
