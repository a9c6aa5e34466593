"""Chinese sentences of the findings: code -> (message, hint)."""

from __future__ import annotations

TEXT: dict[str, tuple[str, str]] = {}
