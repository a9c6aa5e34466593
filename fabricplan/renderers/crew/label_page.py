"""``labels.html``: labels to print on A4 sheets, self-contained; flags and wraps on sheets of their own.

Every label has a QR code of its id and end beside them: ten millimetres, with modules of half a millimetre.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from html import escape

from fabricplan.crew.labels import Label
from fabricplan.renderers.qr import qr_drawing
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
p{margin:0;padding:1.8mm 1.6mm;overflow:hidden;white-space:nowrap;position:relative}
b,s{display:block;font-family:Consolas,'Liberation Mono','DejaVu Sans Mono',monospace;font-size:8.4pt;line-height:1.3;
text-decoration:none}
i{position:absolute;left:1.6mm;bottom:1.8mm;max-width:32mm;overflow:hidden;font-style:normal;font-size:7pt;
line-height:1.35}u{font-size:8.4pt;font-weight:bold;text-decoration:none}
svg{position:absolute;right:2mm;bottom:1.8mm;width:10.5mm;height:10.5mm}
@media screen{p{outline:.2mm dashed #bbb}}
@media print{header,h2{display:none}}
"""


FILE_MOST = 100 * PER_PAGE
"""Labels of a file at most, unless one package has more: a hundred sheets, which a browser opens in a second or two."""


def label_pages(labels: Sequence[Label], name: str, lang: str) -> dict[str, bytes]:
    """Return ``labels.html``, or where there are too many for one file ``labels-P001-P040.html`` and so on, each with
    whole packages; labels stand in the order of the packages."""
    parts: list[list[Label]] = [[]]
    for _, held in itertools.groupby(labels, key=lambda label: label.package):
        package = list(held)
        if parts[-1] and len(parts[-1]) + len(package) > FILE_MOST:
            parts.append([])
        parts[-1] += package
    if len(parts) == 1:
        return {"labels.html": _page(labels, name, lang)}
    return {f"labels-{part[0].package}-{part[-1].package}.html": _page(part, name, lang) for part in parts}


def _page(labels: Sequence[Label], name: str, lang: str) -> bytes:
    drawing = qr_drawing([label.code for label in labels])
    defs = "".join(f'<path id="q{size}" stroke="#000" d="{path}"/>' for size, path in sorted(drawing.shared.items()))
    title = escape(crew_text("labels_title", lang, name=name))
    parts = [
        f'<!DOCTYPE html><html lang="{lang}"><head><meta charset="utf-8"><title>{title}</title><style>{STYLE}</style>'
        f"</head><body><header><h1>{title}</h1>{escape(crew_text('labels_hint', lang))}</header>"
        f'<svg style="width:0;height:0"><defs>{defs}</defs></svg>'
    ]
    drawn = list(zip(labels, drawing.codes, strict=True))
    for stock in ("flag", "wrap"):
        mine = [(label, code) for label, code in drawn if label.stock == stock]
        if not mine:
            continue
        word = crew_text(f"stock_{stock}", lang)
        parts.append(f"<h2>{escape(crew_text('labels_stock', lang, stock=word, count=f'{len(mine):,}'))}</h2>")
        for start in range(0, len(mine), PER_PAGE):
            parts.append("<section>")
            parts += [_label(label, *code) for label, code in mine[start : start + PER_PAGE]]
            parts.append("</section>\n")
    parts.append("</body></html>\n")
    return "".join(parts).encode()


def _label(label: Label, size: int, path: str) -> str:
    return (
        f"<p><b>{escape(label.near)}</b><s>{escape(label.far)}</s><i><u>{label.id}</u><br>{label.package} · "
        f"{metres(label.length_mm)} m<br>{escape(label.pn)}</i>"
        f'<svg viewBox="0 -.5 {size} {size}"><use href="#q{size}"/><path stroke="#000" d="{path}"/></svg></p>'
    )
