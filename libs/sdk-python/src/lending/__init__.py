"""A client of the lending service."""

from .async_client import AsyncLending
from .client import Lending
from .contract import routes, shapes
from .errors import LendingError, RefusalError, UnreachableError
from .feed import FeedEvents
from .listing import AsyncListing, Listing
from .money import to_decimal, to_money
from .receipt_batches import ReportedReceipt
from .request_steps import Answer, AnsweredRequest
from .retry import Patience
from .signing import SecretSigner, Signer

__all__ = [
    "Answer",
    "AnsweredRequest",
    "AsyncLending",
    "AsyncListing",
    "FeedEvents",
    "Lending",
    "LendingError",
    "Listing",
    "Patience",
    "RefusalError",
    "ReportedReceipt",
    "SecretSigner",
    "Signer",
    "UnreachableError",
    "routes",
    "shapes",
    "to_decimal",
    "to_money",
]
