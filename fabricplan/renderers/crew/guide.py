"""The first sheet of the crew's workbook: how to read the pack, and what to heed, for people who never saw the program.

Source of the handling rules: NVIDIA's cable management guidelines and FAQ (unsupported hang, ties), Oracle's Exadata
maintenance guide (bend radius: ten diameters of fibre).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fabricplan.crew.labels import head_is_upper
from fabricplan.crew.packages import Package
from fabricplan.crew.pieces import Piece
from fabricplan.patching import panel_places, runs_on_floor
from fabricplan.plan import Plan
from fabricplan.renderers.crew.book import Column
from fabricplan.renderers.words import word
from fabricplan.wording.crews import crew_text


def guide_columns(plan: Plan, packages: Sequence[Package], faces: Mapping[str, str], lang: str) -> list[Column]:
    """Return topic and text, one a row; only what the plan has is explained, with its own ports as examples."""
    pieces = [piece for package in packages for piece in package.pieces]
    if not pieces:
        return []
    panels = {item.name for item in panel_places(runs_on_floor(plan.requirement.room, plan.placement, plan.products))}
    # what is explained first is a cable from device to device, where there is one
    cables = [cable for package in packages for cable in package.cables]
    direct = (cable for cable in cables if all({piece.a.device, piece.z.device}.isdisjoint(panels) for piece in cable))
    shown = next(direct, cables[0])
    first = shown[0]
    fibres = [plan.products.fibre(part.family) for part in plan.cabling.cable_parts if part.kind == "fibre"]
    shared = next((piece for piece in pieces if " + " in f"{piece.a.port}{piece.z.port}"), None)
    tail = next((piece for piece in pieces if piece.tail), None)
    modules = sorted({str(spot.module) for piece in pieces for spot in (piece.a, piece.z) if spot.module})
    found: list[tuple[str, str]] = [
        ("order", crew_text("guide_order", lang)), ("package", crew_text("guide_package", lang)),
        ("ends", crew_text("guide_ends", lang, a=first.a.device, z=first.z.device)),
        ("label", _label(shown, lang)),
        ("port", crew_text("guide_port", lang, device=first.z.device, port=first.z.port)),
    ]  # fmt: skip
    if shared is not None:
        port = shared.z.port if " + " in shared.z.port else shared.a.port
        found.append(("shared", crew_text("guide_shared", lang, port=port, id=shared.key)))
    if tail is not None:
        found.append(("splitter", crew_text("guide_splitter", lang, cable=tail.cable, id=tail.key)))
    trunk = next((piece for piece in pieces if _is_trunk(plan, piece)), None)
    if trunk is not None:
        found.append(("panel", crew_text("guide_panel", lang, id=trunk.key, panel=trunk.a.device, ports=trunk.a.port,
                                         far=trunk.z.device)))  # fmt: skip
    if any(faces.values()):
        found.append(("face", crew_text("guide_face", lang)))
    if any(spot.side for piece in pieces for spot in (piece.a, piece.z)):
        found.append(("side", crew_text("guide_side", lang)))
    if modules:
        found.append(("module", crew_text("guide_module", lang, modules=", ".join(modules))))
    if fibres:
        kinds = sorted({f"{fibre.connector}, {word(fibre.mode, lang)}" for fibre in fibres})
        found.append(("fibre", crew_text("guide_fibre", lang, kinds="; ".join(kinds))))
    found += [(key, crew_text(f"guide_{key}", lang)) for key in ("lengths", "handling", "done", "trouble")]
    return [
        Column(crew_text("head_topic", lang), [crew_text(f"topic_{key}", lang) for key, _ in found]),
        Column(crew_text("head_guide", lang), [text for _, text in found], wrap=True),
    ]


def _is_trunk(plan: Plan, piece: Piece) -> bool:
    part = plan.cabling.cable_parts[piece.part]
    return part.kind == "fibre" and plan.products.fibre(part.family).trunk_connectors is not None


def _label(cable: Sequence[Piece], lang: str) -> str:
    piece = cable[0]
    code = f"{piece.key}/{'Z' if piece.tail and not head_is_upper(cable) else 'A'}"
    return crew_text("guide_label", lang, id=piece.key, near=piece.a.line, far=piece.z.line, rack=piece.a.rack,
                     u=piece.a.u or 0, code=code)  # fmt: skip
