"""Surveyed lengths: the rows of a request, and what a file of them tells."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, NamedTuple

from pydantic import Field, model_validator

from fabricplan.errors import Problem
from fabricplan.faults import refuse
from fabricplan.values import Value


class SurveyedLength(Value):
    """A measured length of one cable, or of all cables between two devices or two racks: plug to plug, with slack.

    Attributes:
        a, b: device at each end, or rack; absent where ``a_rack`` and ``b_rack`` name two racks.
        a_port, b_port: port there, as the panel, the label or the number of an InfiniBand port says.
        a_rack, b_rack: rack where the device stood when it was surveyed; refused where it stands elsewhere now.
        length_mm: the length.
    """

    a: str | None = None
    b: str | None = None
    a_port: str | None = None
    b_port: str | None = None
    a_rack: str | None = None
    b_rack: str | None = None
    length_mm: Annotated[int, Field(strict=True, ge=1, le=10_000_000)]

    @model_validator(mode="after")
    def _two_ends(self) -> SurveyedLength:
        for side in ("a", "b"):
            device, port, rack = (getattr(self, f"{side}{part}") for part in ("", "_port", "_rack"))
            if not device and not rack:
                raise refuse("a length needs both ends: devices, or racks", side)
            if port and not device:
                raise refuse(f"port '{port}' of no device", f"{side}_port", "name the device beside it")
        return self


class LengthsFile(NamedTuple):
    """What a file tells: its rows, the place of every cell of theirs, and what could not be read.

    Attributes:
        name: the file.
        rows: the rows with a length.
        places: field -> place, for each row.
        problems: cells that tell nothing, by place.
    """

    name: str
    rows: tuple[SurveyedLength, ...]
    places: tuple[Mapping[str, str], ...]
    problems: tuple[Problem, ...]

    def place(self, path: str) -> str:
        """Return the place of a JSON path such as ``lengths[3].b_port``; of a row as a whole, its length."""
        found = re.fullmatch(r"lengths\[(\d+)\](?:\.(\w+))?.*", path)
        if not found or int(found[1]) >= len(self.places):
            return self.name
        held = self.places[int(found[1])]
        field = found[2] or "length_mm"
        return held.get(field) or held.get(f"{field}_rack") or held["length_mm"]
