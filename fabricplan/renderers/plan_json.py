"""``plan.json``: the whole plan, for fabricplan itself and for portals.

Form: ``fabricplan/plan/1``; language-free, UTF-8, one column of a table a line. A column whose rows are all alike is
written as that one number; ``count`` tells the rows of a table.
"""

from __future__ import annotations

from fabricplan.plan import Plan, dumps


def render(plan: Plan, lang: str) -> dict[str, bytes]:
    """Return ``plan.json``; the language does not matter."""
    return {"plan.json": dumps(plan)}
