"""``proof.html``: the certificate, one self-contained page that a customer understands and can print on A4.

The page in the report's style: what was proven, what is left after failures, what independent programs found, what
is not claimed, and the hash of the plan file that it covers.
"""

from __future__ import annotations

from functools import lru_cache, partial

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template

from fabricplan.files import data_folder
from fabricplan.proof import Proof
from fabricplan.renderers import proof_rows as rows
from fabricplan.wording.proof import proof_hint, proof_text, say


def render(proof: Proof, lang: str) -> dict[str, bytes]:
    """Return ``proof.html``."""
    page = _template().render(lang="zh-CN" if lang == "zh" else "en", c=certificate(proof, lang))
    return {"proof.html": page.encode()}


def certificate(proof: Proof, lang: str) -> dict[str, object]:
    """Return what the certificate shows, for its own page and for its page in the report."""
    return {
        "t": partial(say, lang=lang), "proof": proof, "sound": proof.holds and proof.confirmed,
        "standing": rows.standing(proof, lang), "verdict": rows.verdict(proof, lang), "title": rows.title(proof, lang),
        "findings": [
            {"severity": item.severity, "word": say(item.severity, lang), "code": item.code,
             "text": proof_text(item, lang), "hint": proof_hint(item, lang)}
            for item in proof.findings
        ],
        "fabrics": [
            {"title": rows.heading(fabric, lang),
             "claims": [(claim, rows.mark(claim, lang)) for claim in rows.claims(fabric, lang)],
             "failures": rows.failure_rows(fabric, lang),
             "witness": rows.witness_tables(fabric, lang)}
            for fabric in proof.fabrics
        ],
        "heads": rows.failure_heads(lang), "limits": rows.limits(proof, lang),
        "endpoints": f"{sum(fabric.endpoints for fabric in proof.fabrics):,}",
    }  # fmt: skip


@lru_cache(maxsize=1)
def _template() -> Template:
    """Return the template, compiled once in a process: it does not change while it runs."""
    environment = Environment(
        loader=FileSystemLoader(data_folder("templates")), autoescape=True, undefined=StrictUndefined,
        trim_blocks=True, lstrip_blocks=True, auto_reload=False,
    )  # fmt: skip
    return environment.get_template("proof.html.j2")
