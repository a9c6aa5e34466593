"""Words and quantities of catalogue files: closed vocabularies, and numbers that cannot be zero or negative."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

Technology = Literal["infiniband", "ethernet"]
Lifecycle = Literal["active", "retired", "unlisted", "planned", "unverified"]
Confidence = Literal["verified", "transcribed", "estimated"]
Airflow = Literal["P2C", "C2P"]
Top = Literal["finned", "flat", "none"]
Medium = Literal["dac", "acc", "aoc", "multimode", "singlemode", "twisted-pair"]
PortNumbering = Literal["edr", "hdr", "ndr", "xdr", "spectrum"]
CableKind = Literal["dac", "acc", "aoc", "twisted-pair"]
FibreMode = Literal["multimode", "singlemode"]

Positive = Annotated[int, Field(strict=True, gt=0)]
"""A whole quantity above zero: millimetres, Gb/s, rack units, nanometres, nanoseconds, lanes, pieces."""
Ports = Annotated[int, Field(strict=True, gt=0, le=4096)]
"""A count of ports, cages or plugs of one device; the bound keeps a slip of the pen from filling the memory."""
NotNegative = Annotated[int, Field(strict=True, ge=0)]
"""A count that may be none."""
Amount = Annotated[float, Field(strict=True, gt=0, allow_inf_nan=False)]
"""A measured quantity above zero: W, kg, mm, Tb/s, dB. What is not known is absent."""
