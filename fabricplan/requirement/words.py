"""Words of a request that are checked before anything is known of products: rates, ratios, names, counts."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Annotated, Literal

from pydantic import AfterValidator, BeforeValidator, Field

from fabricplan.errors import nearest
from fabricplan.faults import refuse

INFINIBAND_RATES: tuple[str, ...] = ("edr", "hdr100", "hdr", "ndr200", "ndr", "xdr")
ETHERNET_RATES: tuple[str, ...] = (
    "1gbe", "10gbe", "25gbe", "50gbe", "100gbe", "200gbe", "400gbe", "800gbe",
)  # fmt: skip
RATE_GBPS: Mapping[str, int] = {
    "edr": 100, "hdr100": 100, "hdr": 200, "ndr200": 200, "ndr": 400, "xdr": 800,
    **{rate: int(rate.removesuffix("gbe")) for rate in ETHERNET_RATES},
}  # fmt: skip
CUSTOMER = "customer"
"""In place of a fabric's name: a network of the customer that this plan does not hold."""
COUNT_MAX = 4_000_000
"""Counts above this are refused as slips of the finger: no fabric of today's switches holds as many."""

Attach = Literal["rail", "packed", "spread"]
Rule = Literal["switches", "optics", "cables"]
"""What a fabric is chosen by: fewest switches, optical ends or cables."""
Choose = Literal["switches", "optics", "cables", "price"]


def _ratio(text: str) -> str:
    match = re.fullmatch(r"\s*([1-9][0-9]{0,3})\s*:\s*([1-9][0-9]{0,3})\s*", text)
    if not match:
        raise refuse(f"'{text}' is no ratio down:up", hint="whole numbers from 1, such as 2:1")
    down, up = int(match[1]), int(match[2])
    if down < up:
        raise refuse(f"{down}:{up} gives more uplink than downlink", hint="the most that helps is 1:1")
    if down > 64 * up:
        raise refuse(f"{down}:{up} is beyond 64:1", hint="ask for at most 64:1")
    return f"{down}:{up}"


def _management(text: str) -> str:
    if text in ("managed", "external") or re.fullmatch(r"mixed:[1-9][0-9]{0,4}", text):
        return text
    raise refuse(f"no management '{text}'", hint="managed, external, or mixed:N (N internally managed switches)")


def _rate(value: object) -> object:
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value}gbe"
    if isinstance(value, str):
        text = value.strip().casefold()
        if re.fullmatch(r"[0-9]+", text):
            return f"{text}gbe"
        return re.sub(r"^([0-9]+)(g|gb|gbit|ge)$", r"\1gbe", text)
    return value


Ratio = Annotated[str, AfterValidator(_ratio)]
Name = Annotated[str, Field(pattern=r"^[a-z][a-z0-9-]{0,30}$")]
Rate = Annotated[str, BeforeValidator(_rate)]
PositiveCount = Annotated[int, Field(strict=True, ge=1, le=COUNT_MAX)]


def ratio_parts(ratio: str) -> tuple[int, int]:
    """Split a checked ratio into its two numbers.

    >>> ratio_parts("2:1")
    (2, 1)
    """
    down, up = ratio.split(":")
    return int(down), int(up)


Management = Annotated[str, AfterValidator(_management)]


def other_rate(rate: str, known: Sequence[str]) -> str:
    """Return what to write instead of a rate that the technology does not have.

    >>> other_rate("400gbe", INFINIBAND_RATES)
    'technology: roce runs 400gbe; known here: edr, hdr100, hdr, ndr200, ndr, xdr'
    >>> other_rate("nrd", INFINIBAND_RATES)
    'did you mean ndr? (known: edr, hdr100, hdr, ndr200, ndr, xdr)'
    """
    listed = ", ".join(known)
    if rate in RATE_GBPS:
        return f"technology: {'roce' if rate in ETHERNET_RATES else 'infiniband'} runs {rate}; known here: {listed}"
    near = nearest(rate, known)
    return near if near.startswith("known") else f"{near} (known: {listed})"
