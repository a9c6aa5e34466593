"""``labels.html``: labels to print on A4 sheets, self-contained; flags and wraps on sheets of their own."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from fabricplan.crew.labels import Label
from fabricplan.renderers.words import metres
from fabricplan.wording.crews import crew_text

PER_PAGE = 44
"""4 x 11 labels of 48.5 x 25.4 mm: a common office format without a gap between labels."""
STYLE = """
@page{size:A4 portrait;margin:0}
*{box-sizing:border-box}
body{margin:0;font-family:'Segoe UI',Arial,'Liberation Sans','Microsoft YaHei','Noto Sans CJK SC',sans-serif;
color:#000;background:#fff}
header{padding:6mm 8mm;font-size:10pt}h1{font-size:14pt;margin:0 0 2mm}h2{font-size:11pt;margin:6mm 8mm 2mm}
section{width:210mm;height:296.9mm;padding:8.7mm 8mm;display:grid;grid-template-columns:repeat(4,48.5mm);
grid-auto-rows:25.4mm;align-content:start;page-break-after:always;break-after:page;overflow:hidden}
p{margin:0;padding:2mm 1.6mm;overflow:hidden;white-space:nowrap;display:flex;flex-direction:column;
justify-content:center}
b,s{font-family:Consolas,'Liberation Mono','DejaVu Sans Mono',monospace;font-size:8.4pt;line-height:1.35;
text-decoration:none}
i{font-style:normal;font-size:7pt;line-height:1.5}
@media screen{p{outline:.2mm dashed #bbb}}
@media print{header,h2{display:none}}
"""


def label_page(labels: Sequence[Label], name: str, lang: str) -> bytes:
    """Return the page; labels stand in the order of the packages."""
    parts = [
        f'<!DOCTYPE html><html lang="{lang}"><head><meta charset="utf-8"><title>',
        escape(crew_text("labels_title", lang, name=name)), f"</title><style>{STYLE}</style></head><body><header><h1>",
        escape(crew_text("labels_title", lang, name=name)), "</h1>", escape(crew_text("labels_hint", lang)),
        "</header>",
    ]  # fmt: skip
    for stock in ("flag", "wrap"):
        mine = [label for label in labels if label.stock == stock]
        if not mine:
            continue
        word = crew_text(f"stock_{stock}", lang)
        parts.append(f"<h2>{escape(crew_text('labels_stock', lang, stock=word, count=f'{len(mine):,}'))}</h2>")
        for start in range(0, len(mine), PER_PAGE):
            parts.append("<section>")
            parts += map(_label, mine[start : start + PER_PAGE])
            parts.append("</section>\n")
    parts.append("</body></html>\n")
    return "".join(parts).encode()


def _label(label: Label) -> str:
    return (
        f"<p><b>{escape(label.near)}</b><s>{escape(label.far)}</s>"
        f"<i>{label.id} · {label.package} · {metres(label.length_mm)} m</i></p>"
    )
