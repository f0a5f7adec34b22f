"""Signs every request of Schemathesis over the bytes and the target that are sent."""

import base64
import hashlib
import os
import time

import schemathesis
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from requests import PreparedRequest
from urllib3.util.url import _encode_target


def base64url(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def seed_of(secret: str) -> bytes:
    return base64.urlsafe_b64decode(secret.removeprefix("lsk_test_") + "=")


key = Ed25519PrivateKey.from_private_bytes(seed_of(os.environ["LENDING_KEY"]))
public_key = key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
fingerprint = hashlib.sha256(public_key).hexdigest()[:32]


def body_of(request: PreparedRequest) -> bytes:
    if request.body is None:
        return b""
    return request.body.encode() if isinstance(request.body, str) else request.body


def sign(request: PreparedRequest) -> PreparedRequest:
    timestamp = str(int(time.time()))
    # The target as urllib3 writes it on the request line.
    target = _encode_target(request.path_url)
    lines = [request.method, target, timestamp, hashlib.sha256(body_of(request)).hexdigest()]
    idempotency_key = request.headers.get("Idempotency-Key")
    if idempotency_key is not None:
        lines.append(idempotency_key if isinstance(idempotency_key, str) else idempotency_key.decode("latin-1"))
    signature = base64url(key.sign("\n".join(lines).encode("latin-1")))
    request.headers["Authorization"] = f"Service-Ed25519 fp={fingerprint},ts={timestamp},sig={signature}"
    return request


@schemathesis.hook
def before_call(context, case, kwargs):
    kwargs["auth"] = sign
