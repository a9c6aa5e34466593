"""``verify.json``: a verification, with the SHA-256 of the plan and of every discovery.

Form: ``fabricplan/verification/1``; language-free, UTF-8.
"""

from __future__ import annotations

from fabricplan.asbuilt.document import Verification, dumps


def render(verification: Verification, lang: str) -> dict[str, bytes]:
    """Return ``verify.json``; the language does not matter."""
    return {"verify.json": dumps(verification)}
