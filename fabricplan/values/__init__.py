"""Frozen values and column tables: the two shapes in which all data of a plan is kept.

Small things are :class:`Value` (a frozen pydantic model). Things that come in hundreds of thousands are
:class:`Table`: declared integer columns over immutable bytes. Tables are loaded when they are first asked for,
so that what only lists products does without numpy.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any, Literal

from pydantic import BaseModel, ConfigDict

if TYPE_CHECKING:
    from fabricplan.values.tables import Column, IntArray, Table, distinct

__all__ = ["Column", "Finding", "IntArray", "Param", "Severity", "Table", "Value", "distinct", "finding"]

Severity = Literal["error", "warning", "info"]


class Value(BaseModel):
    """Base of all small records: frozen, and unknown fields are refused."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)


class Param(Value):
    """One named number or word of a finding."""

    name: str
    value: int | float | str


class Finding(Value):
    """Something that the reader of a document must know; the document stands all the same.

    Language-free: ``wording.text`` turns code and params into a sentence.
    """

    severity: Severity
    code: str
    subject: str
    params: tuple[Param, ...] = ()

    def param(self, name: str) -> int | float | str:
        """Return the value of a parameter."""
        for param in self.params:
            if param.name == name:
                return param.value
        raise KeyError(name)


def finding(severity: Severity, code: str, subject: str, **params: int | float | str) -> Finding:
    """Build a finding; parameters keep the order in which they are given."""
    return Finding(
        severity=severity,
        code=code,
        subject=subject,
        params=tuple(Param(name=name, value=value) for name, value in params.items()),
    )


def __getattr__(name: str) -> Any:
    if name in ("Column", "IntArray", "Table", "distinct"):
        return getattr(importlib.import_module("fabricplan.values.tables"), name)
    raise AttributeError(f"module 'fabricplan.values' has no attribute '{name}'")
