"""``proof.json``: the proof, with the SHA-256 of the plan file that it covers.

Form: ``fabricplan/proof/1``; language-free, UTF-8. ``holds`` repeats what the findings say.
"""

from __future__ import annotations

from fabricplan.proof import Proof, dumps


def render(proof: Proof, lang: str) -> dict[str, bytes]:
    """Return ``proof.json``; the language does not matter."""
    return {"proof.json": dumps(proof)}
