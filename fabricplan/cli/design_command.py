"""``fabricplan design``: from a request to a plan, its screen and its files."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from fabricplan.cli.console import Progress, whole_number
from fabricplan.cli.outcome import check_language, show, write_plan

GENERATIONS = ("edr", "hdr100", "hdr", "ndr200", "ndr", "xdr")

EXAMPLES = """Examples:

\b
fabricplan design --gpus 1024 --gen ndr
fabricplan design --nodes 127 --platform dgx-h100 --gen ndr --reserve-ports 4
fabricplan design --nodes 64 --technology roce --rate 400 --planes 2 -o plan
fabricplan design --gpus 1024 --gen ndr --networks compute,storage,inband,oob
fabricplan design --nodes 95 --platform dgx-h100 --gen ndr --explain
fabricplan design request.yaml --lang zh -o plan
fabricplan design request.xlsx -o plan
fabricplan design --gpus 256 --gen xdr --json"""


def number(name: str, text: str) -> Any:
    """Declare an option that takes a whole number."""
    return typer.Option(name, metavar="N", parser=whole_number, help=text)


def word(name: str, metavar: str, text: str, *known: str) -> Any:
    """Declare an option that takes a word; ``known`` words are offered by completion."""
    return typer.Option(name, metavar=metavar, help=text, autocompletion=lambda: list(known))


Count = int | None
Word = str | None


def design(
    ctx: typer.Context,
    request: Annotated[Path | None, typer.Argument(
        metavar="REQUEST", help="Request as .yaml, .json or .xlsx (fabricplan new); options override it.",
        show_default=False)] = None,
    gpus: Annotated[Count, number("--gpus", "GPUs; rounded up to whole nodes.")] = None,
    nodes: Annotated[Count, number("--nodes", "Nodes, instead of GPUs.")] = None,
    gen: Annotated[Word, word("--gen", "RATE", f"InfiniBand: {', '.join(GENERATIONS)}.", *GENERATIONS)] = None,
    technology: Annotated[Word, word("--technology", "WORD", "infiniband, roce or ethernet; with --rate.",
                                     "infiniband", "roce", "ethernet")] = None,
    rate: Annotated[Word, word("--rate", "GBPS", "25, 100, 200, 400 or 800.", "25", "100", "200", "400", "800")] = None,
    platform: Annotated[Word, word("--platform", "NAME", "Node, such as dgx-h100; default: an 8-GPU server.")] = None,
    ports_per_node: Annotated[Count, number("--ports-per-node", "Ports of a node on this fabric.")] = None,
    nic: Annotated[Word, word("--nic", "PN", "Adapter part number, or included, or customer.",
                              "included", "customer")] = None,
    leaf: Annotated[Word, word("--leaf", "MODEL", "Leaf switch.")] = None,
    spine: Annotated[Word, word("--spine", "MODEL", "Spine switch.")] = None,
    core: Annotated[Word, word("--core", "MODEL", "Core switch.")] = None,
    oversubscription: Annotated[Word, word("--oversubscription", "RATIO", "2:1 for the leaf; 2:1,1:1 for leaf and "
                                           "spine.")] = None,
    attach: Annotated[Word, word("--attach", "WORD", "rail, packed or spread.", "rail", "packed", "spread")] = None,
    planes: Annotated[Word, word("--planes", "N", "Independent fabrics: a number, or rail.", "2", "rail")] = None,
    tiers: Annotated[Count, number("--tiers", "1, 2 or 3; default: the fewest.")] = None,
    uplinks: Annotated[Word, word("--uplinks", "WORD", "fit, or full: as many as a full leaf needs.",
                                  "fit", "full")] = None,
    uplink_rate: Annotated[Word, word("--uplink-rate", "RATE", "Rate between switches, where it differs.")] = None,
    rails_per_leaf: Annotated[Count, number("--rails-per-leaf", "Rails that share a leaf.")] = None,
    min_spines: Annotated[Count, number("--min-spines", "Fewest spines; default 2.")] = None,
    reserve_ports: Annotated[Count, number("--reserve-ports", "Leaf ports kept for subnet-manager hosts.")] = None,
    reserve_adapter: Annotated[Word, word("--reserve-adapter", "PN", "Adapter of the hosts on reserved ports.")] = None,
    manager: Annotated[Word, word("--manager", "PN", "UFM appliance to put into the bill, as a pair.")] = None,
    grow_to: Annotated[Count, number("--grow-to", "Nodes of the final stage; laid out for it today.")] = None,
    phases: Annotated[Word, word("--phases", "LIST", "Nodes of every stage, as 40,128; the first is built.")] = None,
    networks: Annotated[Word, word("--networks", "LIST", "compute,storage,inband,oob: further fabrics of the plan.",
                                   "compute,storage,inband,oob")] = None,
    storage_nodes: Annotated[Word, word("--storage-nodes", "NxP", "Storage servers and their ports: 16x2.")] = None,
    storage_rate: Annotated[Word, word("--storage-rate", "RATE", "Rate of the storage fabric; default: as compute, "
                                       "NDR for XDR.")] = None,
    extra_ports: Annotated[Count, number("--extra-ports", "Out of band: ports for PDUs, DPUs, UFM.")] = None,
    management: Annotated[Word, word("--management", "WORD", "managed, external or mixed:N.",
                                     "managed", "external", "mixed:2")] = None,
    airflow: Annotated[Word, word("--airflow", "WORD", "P2C or C2P.", "P2C", "C2P")] = None,
    media: Annotated[Word, word("--media", "WORD", "auto, copper, optical or singlemode.",
                                "auto", "copper", "optical", "singlemode")] = None,
    uniform_length_m: Annotated[Word, word("--uniform-length-m", "M", "One length for all cables.")] = None,
    nodes_per_rack: Annotated[Count, number("--nodes-per-rack", "Nodes in a rack of the default room.")] = None,
    racks_per_row: Annotated[Count, number("--racks-per-row", "Racks in a row of the default room.")] = None,
    positions: Annotated[Path | None, typer.Option(
        "--positions", metavar="FILE", help="Where every device stands: XLSX or CSV (render --format positions).",
        show_default=False)] = None,
    spares: Annotated[Word, word("--spares", "WORD", "none, field, or a percentage: 3%.", "none", "field")] = None,
    choose: Annotated[Word, word("--choose", "WORD", "Fewest switches, optics or cables, or by price.",
                                 "switches", "optics", "cables", "price")] = None,
    prices: Annotated[list[Path] | None, typer.Option(
        "--prices", metavar="BOOK", help="Show the price; --choose price needs it. Repeat, the first wins.")] = None,
    terms: Annotated[Path | None, typer.Option(
        "--terms", metavar="FILE", help="Terms that the price is shown by.")] = None,
    lengths: Annotated[Word, word("--lengths", "FILE", "Surveyed lengths, .csv or .xlsx (render --format lengths).")
                       ] = None,
    place_for: Annotated[Word, word("--place-for", "WORD", "cost (fewest optics) or reach: the best of several.",
                                    "cost", "reach")] = None,
    merge_below: Annotated[Count, number("--merge-below", "Order lengths of fewer pieces longer; usual: 4.")] = None,
    name: Annotated[Word, word("--name", "NAME", "Name of the plan.")] = None,
    output: Annotated[Path | None, typer.Option(
        "-o", "--output", metavar="DIR", help="Write the plan folder.")] = None,
    formats: Annotated[list[str] | None, typer.Option(
        "--format", metavar="F", help="Formats to write; repeat or list with commas.")] = None,
    lang: Annotated[str, word("--lang", "LANG", "en or zh.", "en", "zh")] = "en",
    as_json: Annotated[bool, typer.Option("--json", help="Print the summary as JSON, nothing else.")] = False,
    explain: Annotated[bool, typer.Option("--explain", help="Show why: candidates, all findings.")] = False,
    catalogs: Annotated[list[Path] | None, typer.Option(
        "--catalog", metavar="DIR", help="Company catalogue laid over the shipped one; repeat.")] = None,
) -> None:  # fmt: skip
    """Design a fabric: counts, parts, cabling and checks.

    Prints what to buy in a few lines; -o DIR writes the plan folder.
    """
    from fabricplan.cli.request import Request
    from fabricplan.cli.sources import request_file
    from fabricplan.errors import FabricplanError, Problem, RequirementError
    from fabricplan.files import load_catalog
    from fabricplan.growth import grow
    from fabricplan.pipeline import design as make

    check_language(lang)
    if formats and output is None:
        raise RequirementError(Problem("no-folder", "--format says what to write, not where", "--format",
                                       "add -o DIR"))  # fmt: skip
    if terms and not prices:
        raise RequirementError(Problem("no-prices", "--terms are of --prices", "--terms", "add --prices BOOK"))
    asked = Request(ctx.params, request_file(request) if request else None)
    requirement = asked.requirement()
    progress = Progress()
    catalog = load_catalog(*(catalogs or ()))
    quote = None
    try:
        if prices:
            from fabricplan.byprice import design_by_price
            from fabricplan.cli.priced import books_and_terms
            from fabricplan.quote import price

            books, agreed = books_and_terms(prices, terms)
            plan = design_by_price(requirement, catalog, books, agreed, progress)
            quote = price(plan, books, agreed)
        else:
            plan = make(requirement, catalog, progress)
        growth = grow(plan.requirement, catalog, plan)
    except FabricplanError as caught:
        raise asked.placed(caught) from None
    asked.finish()
    written = write_plan(plan, output, formats, lang, progress, growth=growth) if output else []
    progress.end()
    show(plan, lang, written, str(output or ""), as_json, explain, growth, quote)
