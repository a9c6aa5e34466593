"""What a plan says of itself: one object for programs, one screen for people."""

from __future__ import annotations

from fabricplan.summary.rows import (
    Summary,
    order_number,
    part_description,
    power_max,
    summarize,
)
from fabricplan.summary.screen import (
    domain_lines,
    explain,
    list_checked,
    list_findings,
    list_phases,
    phase_notes,
    phase_ratio,
    rate_words,
    ratio_words,
    screen,
)
from fabricplan.terminal import WIDTH, columns, cut, wrap

__all__ = [
    "WIDTH",
    "Summary",
    "columns",
    "cut",
    "domain_lines",
    "explain",
    "list_checked",
    "list_findings",
    "list_phases",
    "order_number",
    "part_description",
    "phase_notes",
    "phase_ratio",
    "power_max",
    "rate_words",
    "ratio_words",
    "screen",
    "summarize",
    "wrap",
]  # fmt: skip
