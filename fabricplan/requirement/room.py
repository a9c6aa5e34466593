"""The room of a request: the default room as settings."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from fabricplan.values import Value


class RoomSettings(Value):
    """The default room, as settings. All lengths in millimetres.

    The length of a cable between racks is (see ``fabricplan.placement``) the two vertical runs to the tray,
    the tray run, and at each end ``end_mm`` into the device; then ``slack_percent`` and ``slack_mm`` are added.
    The constants are a choice, calibrated against published in-rack and multi-rack tables. Without
    ``racks_per_row`` rows hold 20 racks, and more where that makes the room about square.
    """

    nodes_per_rack: Annotated[int, Field(strict=True, ge=1, le=48)] | None = None
    racks_per_row: Annotated[int, Field(strict=True, ge=1, le=400)] | None = None
    rack_units: Annotated[int, Field(strict=True, ge=10, le=60)] = 42
    rack_pitch_mm: Annotated[int, Field(strict=True, ge=400, le=2000)] = 600
    row_pitch_mm: Annotated[int, Field(strict=True, ge=1000, le=10_000)] = 2400
    tray_height_mm: Annotated[int, Field(strict=True, ge=1000, le=8000)] = 2300
    end_mm: Annotated[int, Field(strict=True, ge=0, le=5000)] = 500
    slack_percent: Annotated[int, Field(strict=True, ge=0, le=100)] = 10
    slack_mm: Annotated[int, Field(strict=True, ge=0, le=10_000)] = 300
    uniform_length_mm: Annotated[int, Field(strict=True, ge=100, le=10_000_000)] | None = None
