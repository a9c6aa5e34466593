"""The fabric as it was built: what a discovery found, against the plan or alone."""

from __future__ import annotations

from fabricplan.asbuilt.found import (
    ADAPTER,
    AGGREGATION,
    SPEEDS,
    SWITCH,
    Found,
    FoundDevices,
    FoundLinks,
    Source,
    duplicate_names,
)

__all__ = [
    "ADAPTER", "AGGREGATION", "SPEEDS", "SWITCH", "Found", "FoundDevices", "FoundLinks", "Source", "duplicate_names",
]  # fmt: skip
