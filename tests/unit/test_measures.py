"""Lengths as people write them: read right, or refused with the reason; never shorter than what was measured."""

from __future__ import annotations

import pytest

from fabricplan.measures import LengthError, length_mm, unit_of


@pytest.mark.parametrize(("text", "unit", "millimetres"), [
    ("30", "m", 30_000), ("1.5", "m", 1_500), ("30 m", None, 30_000), ("2.40M", None, 2_400), ("420", "cm", 4_200),
    ("420cm", "m", 4_200), ("1500 mm", None, 1_500), ("10 ft", None, 3_048), ("13 ft 9 in", None, 4_191),
    ("13'9\"", None, 4_191), ("6\u2032", None, 1_829), ("７．５米", None, 7_500), ("12 英尺", None, 3_658),
    ("4.2000000000000002", "m", 4_200), ("4.0001", "m", 4_001), ("3.", "m", 3_000), (".5", "m", 500),
    ("100 厘米", None, 1_000), ("2 metres", None, 2_000), ("9 inches", None, 229),
])  # fmt: skip
def test_read(text: str, unit: str | None, millimetres: int) -> None:
    assert length_mm(text, unit) == millimetres


@pytest.mark.parametrize(("text", "unit", "why"), [
    ("30", None, "no unit"), ("-3", "m", "below zero"), ("\u22123 m", None, "below zero"), ("0", "m", "above zero"),
    ("4,2", "m", "comma"), ("4,200 m", None, "comma"), ("far", "m", "no length"), ("", "m", "no length"),
    ("3 yd", None, "'yd' is no unit"), ("3 kmm", None, "'kmm' is no unit"), ("3 m 4 m", None, "no length"),
    ("9 in 3 ft", None, "no length"), ("1e3", "m", "no unit"), ("3 m (est.)", None, "no length"),
    ("3 4", "m", "no length"), ("nan", "m", "no length"),
])  # fmt: skip
def test_refused(text: str, unit: str | None, why: str) -> None:
    with pytest.raises(LengthError, match=why):
        length_mm(text, unit)


@pytest.mark.parametrize(("heading", "unit"), [
    ("Length (m)", "m"), ("长度（米）", "米"), ("实测长度(mm)", "mm"), ("length_cm", "cm"), ("length in feet", "feet"),
    ("Surveyed length [ft]", "ft"), ("线缆长度厘米", "厘米"), ("length", None), ("长度", None), ("room", None),
])  # fmt: skip
def test_units_of_headings(heading: str, unit: str | None) -> None:
    assert unit_of(heading) == unit
