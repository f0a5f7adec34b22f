"""Checks the options of a client before anything is sent. A message never shows the value, which may be a secret."""

from __future__ import annotations

import os
import re
from urllib.parse import urlsplit

from .request_steps import OnAnswer, OnRetry, RequestMaker
from .retry import Patience
from .signing import SecretSigner, Signer

_base_url_format = "the address of the service, scheme and host alone, such as https://lending.example"
_tenant_format = "the identifier of the Tenancy, such as demo: 1 to 64 letters, digits, - and _"
_tenant_pattern = re.compile("[A-Za-z0-9_-]{1,64}")


def request_maker(
    base_url: str | None,
    tenant: str | None,
    key: str | Signer | None,
    patience: Patience | None,
    answer_timeout_seconds: float,
    contract_version: str,
    on_retry: OnRetry | None,
    on_answer: OnAnswer | None,
) -> RequestMaker:
    return RequestMaker(
        base_url=_parse_base_url(base_url),
        tenant=_parse_tenant(tenant),
        signer=_parse_key(key),
        patience=patience or Patience(),
        answer_timeout_seconds=answer_timeout_seconds,
        contract_version=contract_version,
        on_retry=on_retry,
        on_answer=on_answer,
    )


def _parse_base_url(value: str | None) -> str:
    text = _text_option("base_url", "LENDING_URL", value, _base_url_format)
    parts = urlsplit(text)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError(f"base_url is not a URL; expected {_base_url_format}")
    # It would appear in the message of every failed request.
    if parts.username is not None or parts.password is not None:
        raise ValueError(f"base_url has a user or a password; expected {_base_url_format}")
    if parts.path not in ("", "/") or parts.query or parts.fragment:
        raise ValueError(f"base_url has a path or a query; expected {_base_url_format}")
    return f"{parts.scheme}://{parts.netloc}"


def _parse_tenant(value: str | None) -> str:
    tenant = _text_option("tenant", "LENDING_TENANT", value, _tenant_format)
    if _tenant_pattern.fullmatch(tenant) is None:
        raise ValueError(f"tenant is not an identifier; expected {_tenant_format}")
    return tenant


def _parse_key(value: str | Signer | None) -> Signer:
    if value is not None and not isinstance(value, str):
        if not isinstance(getattr(value, "fp", None), str) or not callable(getattr(value, "sign", None)):
            raise TypeError("key is neither a text nor a Signer; expected an object with fp and sign")
        return value
    return SecretSigner(_text_option("key", "LENDING_KEY", value, "the secret of a key, lsk_live_… or lsk_test_…"))


def _text_option(name: str, variable: str, value: str | None, expected: str) -> str:
    text = os.environ.get(variable) if value is None else value
    if text is None or text == "":
        raise ValueError(f"{name} is missing; pass it or set {variable}: {expected}")
    if not isinstance(text, str):
        raise TypeError(f"{name} is a {type(text).__name__}; expected {expected}")
    return text
