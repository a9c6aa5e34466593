"""``quote.csv`` and ``quote.json``, and the eight lines of ``--brief``."""

from __future__ import annotations

from fabricplan.quote import Quote, QuoteLine, dumps
from fabricplan.quote.document import GroupPart
from fabricplan.quote.money import money
from fabricplan.renderers.csv_text import csv_bytes, quoted
from fabricplan.renderers.quotes.layout import (
    SYMBOLS,
    Column,
    Words,
    cell_text,
    in_words,
    lay_out,
    ratio_text,
    switch_counts,
    tax_label,
    technology_text,
    total_label,
)
from fabricplan.wording.quotes import joined, quote_term

BRIEF_LINES = 8


def render_csv(quote: Quote, lang: str) -> dict[str, bytes]:
    """Return ``quote.csv``: one row a line with network and group, then the totals; amounts without separators."""
    layout = lay_out(quote, lang)
    words = layout.words
    headings = [*([words.term("fabric")] if layout.several_networks else []), words.term("item"),
                *(column.heading.replace("\n", " ") for column in layout.columns)]  # fmt: skip
    rows: list[list[str]] = []
    for section in layout.sections:
        for part in section.groups:
            for line in part.lines:
                lead = [quoted(words.network(section.network))] if layout.several_networks else []
                cells = _cells(line, len(rows) + 1, layout.columns, words)
                rows.append([*lead, quoted(words.term(f"group_{part.group}")), *cells])
    amount = [column.key for column in layout.columns].index("amount") + len(headings) - len(layout.columns)
    totals = []
    if quote.taxed:
        totals = [(words.term("net"), f"{quote.net:f}")]
        totals += [(tax_label(row, words), f"{row.tax:f}") for row in quote.taxes if row.percent]
    totals.append((total_label(quote, words), f"{quote.total:f}"))
    if capitals := in_words(quote, words.lang):
        totals.append((words.term("capitals"), quoted(capitals)))
    for label, value in totals:
        rows.append([quoted(label), *([""] * (amount - 1)), value, *([""] * (len(headings) - amount - 1))])
    return {"quote.csv": csv_bytes(headings, list(zip(*rows, strict=True)))}


def _cells(line: QuoteLine, number: int, columns: list[Column], words: Words) -> list[str]:
    cells = []
    for column in columns:
        key = column.key
        if key == "no":
            cells.append(str(number))
        elif key == "quantity":
            cells.append(str(line.quantity))
        elif key in ("unit_price", "amount"):
            value = line.unit_price if key == "unit_price" else line.amount
            cells.append(words.term("on_request") if value is None else f"{value:f}")
        else:
            cells.append(quoted(cell_text(line, key, words).replace("\n", " / ")))
    return cells


def render_json(quote: Quote, lang: str) -> dict[str, bytes]:
    """Return ``quote.json``: the document without the seller's own figures."""
    return {"quote.json": dumps(quote)}


def brief(quote: Quote, lang: str) -> list[str]:
    """Return at most eight lines to paste into a chat: what, how many, how much, until when."""
    words = Words(quote, lang)
    lines = [_title(quote, words)]
    fabrics = [_fabric(quote, number, words) for number in range(len(quote.fabrics))]
    parts = _parts(quote, words)
    tail = _money_lines(quote, words)
    # Money is never cut; several fabrics share a line where there are too many.
    room = BRIEF_LINES - 1 - len(tail) - len(parts)
    if len(fabrics) > room:
        fabrics = [*fabrics[: room - 1], "; ".join(fabrics[room - 1 :])]
    return [*lines, *fabrics, *parts, *tail]


def render_brief(quote: Quote, lang: str) -> dict[str, bytes]:
    """Return ``quote.txt``: the eight lines as a file."""
    return {"quote.txt": ("\n".join(brief(quote, lang)) + "\n").encode()}


def _title(quote: Quote, words: Words) -> str:
    pieces = [words.term("title"), quote.number, words.text(quote.project, " / ")]
    if quote.gpus:
        pieces.append(f"{quote.gpus} GPU")
    pieces.append(joined(f"{quote.nodes} 节点", f"{quote.nodes} nodes", words.lang, " / "))
    return " · ".join(piece for piece in pieces if piece)


def _fabric(quote: Quote, number: int, words: Words) -> str:
    fabric = quote.fabrics[number]
    texts = {}
    for lang in ("zh", "en"):
        texts[lang] = quote_term("brief_fabric", lang).format(
            technology=technology_text(fabric, lang), topology=quote_term(fabric.topology, lang),
            ratio=ratio_text(fabric, lang), switches=switch_counts(fabric, lang))  # fmt: skip
    text = joined(texts["zh"], texts["en"], words.lang, " / ")
    return f"{words.network(fabric.name)} {text}" if len(quote.fabrics) > 1 else text


def _parts(quote: Quote, words: Words) -> list[str]:
    layout = lay_out(quote, words.lang)
    counts: dict[str, int] = {}
    for section in layout.sections:
        for part in section.groups:
            counts[part.group] = counts.get(part.group, 0) + _count(part)
    shown = []
    for group, count in counts.items():
        if group in ("switch", "adapter", "transceiver", "cable"):
            texts = [
                quote_term("brief_parts", lang).format(
                    kind=quote_term(f"group_{group}", lang), count=count, unit=quote_term(f"unit_{group}", lang)
                )
                for lang in ("zh", "en")
            ]
            shown.append(joined(texts[0], texts[1], words.lang, " / "))
    return ["   ".join(shown)] if shown else []


def _count(part: GroupPart) -> int:
    return sum(line.quantity for line in part.lines)


def _money_lines(quote: Quote, words: Words) -> list[str]:
    symbol = SYMBOLS.get(quote.currency, f"{quote.currency} ")
    colon = ": " if words.lang == "en" else "："
    lines = [f"{total_label(quote, words)}{colon}{symbol}{money(quote.total)}"]
    if quote.taxed:
        lang = "en" if words.lang == "en" else "zh"
        split = quote_term("brief_net", lang).format(symbol=symbol, net=money(quote.net), tax=money(quote.tax))
        lines[0] += f" ({split})" if lang == "en" else f"（{split}）"
    if capitals := in_words(quote, words.lang):
        lines.append(f"{words.term('capitals')}{colon}{capitals}")
    if quote.missing:
        lines.append(f"{words.term('on_request')}{colon}{', '.join(quote.missing)}")
    if quote.valid_until:
        lines.append(words.filled("brief_valid", date=quote.valid_until))
    return lines
