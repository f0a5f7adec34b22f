"""Amounts of money as whole minor units. A float is refused, because it cannot hold every amount exactly."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .contract.shapes import Money


def to_money(amount: Decimal | str | int, currency: str, digits: int = 2) -> Money:
    """`to_money("103.56", "MXN")`. `digits` is the number of decimals of the currency: 0 for the yen."""
    if not isinstance(amount, (Decimal, str, int)) or isinstance(amount, bool):
        raise TypeError(f"the amount is a {type(amount).__name__}; expected a Decimal, a text or a whole number")
    units = Decimal(amount).scaleb(digits)
    if not units.is_finite() or units != units.to_integral_value():
        raise ValueError(f"the amount {amount} has more than {digits} decimals; expected whole minor units")
    return {"minor_units": int(units), "currency": currency}


def to_decimal(money: Money, digits: int = 2) -> Decimal:
    """The amount in units of the currency: 103.56 for 10,356 centavos."""
    return Decimal(money["minor_units"]).scaleb(-digits)
