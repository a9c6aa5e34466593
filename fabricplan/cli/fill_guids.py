"""``fabricplan fill-guids``: OpenSM's lists with the GUIDs of a discovered fabric."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from fabricplan.cli.console import emit, emit_json, say
from fabricplan.errors import Problem, ReadError

FILL_EXAMPLES = """Examples:

\b
ibnetdiscover > found.txt
fabricplan fill-guids plan/plan.json --found found.txt -o plan
fabricplan fill-guids plan/plan.json --found su01.txt --partial -o plan"""
SHOWN = 8


def fill_guids(
    plan: Annotated[Path, typer.Argument(metavar="PLAN", help="A plan.json.", show_default=False)],
    found: Annotated[list[Path], typer.Option(
        "--found", metavar="FILE", help="What ibnetdiscover printed; repeat, one per subnet.", show_default=False)],
    names: Annotated[Path | None, typer.Option(
        "--names", metavar="MAP", help="CSV: found name or GUID, name in the plan; or a node name map.")] = None,
    output: Annotated[Path, typer.Option("-o", "--output", metavar="DIR", help="Folder to write.")] = Path(),
    partial: Annotated[bool, typer.Option(
        "--partial", help="Write what is found; else every planned switch and port must be there.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON, nothing else.")] = False,
) -> None:  # fmt: skip
    """Fill the lists of --format opensm with the GUIDs of a discovered fabric.

    Devices are known by name, whatever their cables; those that nobody named by their place.
    """
    from fabricplan.asbuilt.guids import find_guids
    from fabricplan.asbuilt.match import NO_NAMES
    from fabricplan.files import read_bytes, read_text, write
    from fabricplan.plan import loads
    from fabricplan.readers.discovery import read_all
    from fabricplan.readers.name_map import read_name_map
    from fabricplan.readers.port_guids import read_port_guids
    from fabricplan.renderers.opensm_fill import fill

    read = [(read_bytes(path), str(path)) for path in found]
    ports = {key: guid for data, name in read for key, guid in read_port_guids(data, name).items()}
    document = loads(read_bytes(plan), str(plan))
    known = read_name_map(read_text(names), str(names)) if names is not None else NO_NAMES
    guids = find_guids(document, read_all(read), ports, known)
    files, missing = fill(document, guids)
    total = len(missing)
    if not guids.switches and not guids.adapters:
        raise ReadError(Problem("other-fabric", "nothing in the discovery is of this plan", read[0][1],
                                "give a discovery of this fabric; names are compared with the plan's"))  # fmt: skip
    if missing and not partial:
        shown = ", ".join(missing[:SHOWN])
        more = f" and {total - SHOWN} more" if total > SHOWN else ""
        raise ReadError(Problem("guids-missing", f"no GUID for {total} names: {shown}{more}", read[0][1],
                                "discover the whole fabric, or write what is found with --partial"))  # fmt: skip
    written = write(output, files)
    if guids.by_place:
        told = ", ".join(guids.by_place[:SHOWN])
        say(f"known by place only, name them on the devices: {told}{' ...' if len(guids.by_place) > SHOWN else ''}")
    if missing:
        say(f"left out, not found: {total} names")
    if as_json:
        emit_json({"schema": "fabricplan/files/1", "files": written, "missing": missing, "by_place": guids.by_place})
    else:
        emit(written)
