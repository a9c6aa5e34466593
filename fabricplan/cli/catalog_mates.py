"""``fabricplan catalog mates`` and ``replace``: what joins two ends, and what to order instead of a part."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fabricplan.cli.console import emit, emit_json
from fabricplan.errors import InfeasibleError, Problem, RequirementError, nearest

if TYPE_CHECKING:
    from fabricplan.mates import Mate, MateOption, MatePart
    from fabricplan.mating import MediaPolicy

MATES_EXAMPLES = """Examples:

\b
fabricplan catalog mates QM9700 MCX75310AAS-NEAT --length-m 30
fabricplan catalog mates SN5600 dgx-b300 --length-m 3 --media copper
fabricplan catalog mates QM9700 MMA4Z00-NS400"""
REPLACE_EXAMPLES = """Examples:

\b
fabricplan catalog replace MCP1650-H002E26 --length-m 2
fabricplan catalog replace MFS1S00-H100E"""
MEDIA = ("auto", "copper", "optical", "singlemode")
MEDIA_WORDS = {"copper": "copper", "optical": "optics", "singlemode": "single-mode part"}
"""What a preference among media is for."""

LENGTH_MAX_MM = 100_000_000
"""No part reaches as far: a longer route is a slip."""

Overlays = Annotated[list[Path] | None, typer.Option(
    "--catalog", metavar="DIR", help="Company catalogue laid over the shipped one; repeat.")]  # fmt: skip
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON, nothing else.")]
Length = Annotated[str | None, typer.Option(
    "--length-m", metavar="M", help="Length of the route in metres.", show_default=False)]  # fmt: skip
Media = Annotated[
    str,
    typer.Option(
        "--media", metavar="WORD", help="auto, copper, optical or singlemode.", autocompletion=lambda: list(MEDIA)
    ),
]


def mates(
    one: Annotated[str, typer.Argument(metavar="A", help="Model, part number, platform or port class.",
                                       show_default=False)],
    other: Annotated[str, typer.Argument(metavar="B", help="The other end, or a part.", show_default=False)],
    length_m: Length = None,
    media: Media = "auto",
    catalogs: Overlays = None,
    as_json: AsJson = False,
) -> None:  # fmt: skip
    """Show which parts join two ends, what each costs in links, or why nothing does."""
    from fabricplan.files import load_catalog
    from fabricplan.mates import join_any
    from fabricplan.products import candidates
    from fabricplan.summary import wrap

    length = length_of(length_m)
    catalog = load_catalog(*(catalogs or ()))
    ends = candidates(catalog, one, "A"), candidates(catalog, other, "B")
    report = join_any(catalog, *ends, length, media_of(media))
    if not report.fits:
        raise InfeasibleError(*(Problem("no-mate", reason, f"{report.a} {report.b}") for reason in report.reasons))
    if as_json:
        emit_json({"schema": "fabricplan/mates/1", **report.model_dump(mode="json")})
        return
    lines = [] if report.mates else wrap(f"{report.a} and {report.b} fit", indent="  ")
    for mate in report.mates:
        lines += _mate(mate, length)
    for note in report.notes:
        lines += wrap(f"  note: {note}", indent="    ")
    emit(lines)


def replace(
    pn: Annotated[str, typer.Argument(metavar="PN", help="Part number, order number or family.", show_default=False)],
    length_m: Length = None,
    media: Media = "auto",
    catalogs: Overlays = None,
    as_json: AsJson = False,
) -> None:
    """Show what to order instead of a retired or wrong part, for each piece of it."""
    from fabricplan.files import load_catalog
    from fabricplan.replacing import replace_part
    from fabricplan.summary import wrap

    length = length_of(length_m)
    report = replace_part(load_catalog(*(catalogs or ())), pn, length, media_of(media))
    if as_json:
        emit_json({"schema": "fabricplan/replace/1", **report.model_dump(mode="json")})
        return
    at = f", {report.length_mm / 1000:g} m" if report.length_mm else ""
    lines = wrap(f"{report.pn}: {report.title}, {report.status}; instead of it{at}:", indent="  ")
    if report.instead_of is not None:
        lines += [f"  {missing(report.instead_of, report.length_mm)} and is sold; instead:"]
    for item in report.replacements:
        told = " + ".join(f"{part.pieces} x {_name(part)}" for part in item.parts)
        per = "piece" if item.pieces == 1 else f"{item.pieces} pieces"
        verb = "goes" if item.goes in (("fibre",), ("module of the other end",)) else "go"
        goes = f"; the {' and the '.join(item.goes)} {verb} too" if item.goes else ""
        lines += wrap(f"  {told} per {per}{goes}", indent="    ")
        lines += wrap(f"    {item.reason}; {item.status}, {item.confidence}", indent="    ")
    emit(lines)


def length_of(text: str | None) -> int | None:
    """Return a length in millimetres from metres as a user writes them.

    Raises:
        RequirementError: not a number above zero and below 100 km.
    """
    if text is None:
        return None
    from fabricplan.measures import LengthError, length_mm

    try:
        length = length_mm(text, "m")
    except LengthError as caught:
        raise RequirementError(Problem("length", str(caught), "--length-m", "for example 30")) from None
    if length >= LENGTH_MAX_MM:
        raise RequirementError(Problem("length", f"{length / 1000:g} m is 100 km or more", "--length-m",
                                       "for example 30"))  # fmt: skip
    return length


def media_of(word: str) -> MediaPolicy:
    """Return the media policy that a word names.

    Raises:
        RequirementError: there is none.
    """
    for known in MEDIA:
        if word.casefold() == known:
            return known  # type: ignore[return-value]
    raise RequirementError(Problem("unknown-word", f"'{word}' is not known here", "--media", nearest(word, MEDIA)))


def missing(media: MediaPolicy, length_mm: int | None) -> str:
    """Say that the preferred medium is not to be had."""
    at = f"reaches {length_mm / 1000:g} m" if length_mm else "joins these ends"
    return f"no {MEDIA_WORDS[media]} {at}"


def _mate(mate: Mate, length_mm: int | None) -> list[str]:
    from fabricplan.summary import wrap

    lines = wrap(f"{mate.a} to {mate.b}: {mate.rate}, {mate.link_gbps} Gb/s a link; "
                 f"{mate.links_per_cage_a} link(s) a cage to {mate.links_per_cage_b}", indent="  ")  # fmt: skip
    if not mate.options:
        lines.append(f"  nothing reaches; the longest reaches {mate.longest_mm / 1000:g} m")
    if mate.instead_of is not None:
        lines += [f"  {missing(mate.instead_of, length_mm)}; instead:"]
    for option in mate.options:
        lines += _option(option)
    for note in mate.notes:
        lines += wrap(f"  note: {note}", indent="    ")
    return lines


def _option(option: MateOption) -> Iterable[str]:
    from fabricplan.summary import wrap

    told = " + ".join(f"{_name(part)} ({_cost(part)})" for part in option.parts)
    over = f"over {option.over_mm / 1000:g} m, " if option.over_mm else ""
    lines = wrap(f"  {option.medium}, {over}to {option.reach_mm / 1000:g} m: {told}", indent="    ")
    state = f"{option.status}, {option.confidence}" + (f"; {option.note}" if option.note else "")
    return [*lines, *wrap(f"    {state}", indent="    ")]


def _name(part: MatePart) -> str:
    name = part.pn or part.key.upper()
    if part.opn and part.opn != part.pn:
        name += f" [{part.opn}]"
    return f"{name} {part.length_mm / 1000:g} m" if part.length_mm and not part.pn else name


def _cost(part: MatePart) -> str:
    return f"{part.pieces} per link" if part.links == 1 else f"{part.pieces} per {part.links} links"
