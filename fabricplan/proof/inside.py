"""A director as the proofs see it: the chips of a two-tier Clos in one box, whose inner links no cable carries.

::

    panel cage      1 .. e        e+1 .. 2e         ...            e = external ports of a leaf chip
    leaf chip       L01/U1        L01/U2            ...            ports 1 .. e outside, the others inside
                       \\\\ every leaf chip to every spine chip, links_per_pair each //
    spine chip      S01/U1  ...

Only leaf modules of which a cage is cabled are there, and all spine modules: with fewer, a leaf chip's inner ports
would stay dark. Inner link j of a leaf chip leads to spine chip j mod (spine chips); a spine chip's ports are taken by
the first chips of all modules, then by the second ones. The makers publish neither: that both are even is what counts,
and the order agrees with the one inner link of a live CS8500 that was read (S02/U1 port 15, L15/U1 port 22).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from fabricplan.catalog import DirectorChips
from fabricplan.plan import Plan
from fabricplan.proof.wiring import Wiring, boxed_wirings
from fabricplan.sizing import FabricSizing, TierPorts
from fabricplan.topology import LEAF, tier_ports
from fabricplan.values import IntArray


def wirings(plan: Plan, fabric: int) -> Iterator[Wiring]:
    """Yield the planes of one fabric as a subnet manager sees them: a director is its chips."""
    for wiring in boxed_wirings(plan, fabric):
        yield opened(plan, wiring)


def director_of(plan: Plan, sizing: FabricSizing) -> DirectorChips | None:
    """Return the chips of the director that a fabric of one tier is; None where it is none."""
    if sizing.shape.tiers != 1 or sizing.shape.direct_pair:
        return None
    found = [item for item in plan.products.switches if item.model == sizing.shape.leaf.model]
    return found[0].inside if found else None


def opened(plan: Plan, wiring: Wiring) -> Wiring:
    """Return a plane with the chips of its director in place of the box; unchanged where there is none."""
    inside = director_of(plan, wiring.sizing)
    if inside is None or wiring.switch_count != 1 or wiring.trunk_count or not wiring.end_count:
        return wiring
    ports = tier_ports(wiring.sizing.shape, LEAF)
    chip, port, place = _outside(wiring.end_port, inside, ports)
    fitted = _fitted(chip, inside)
    low, low_port, high, high_port = _inner(fitted, inside, ports.numbers_per_cage)
    count = fitted.size + inside.spine_chips
    module = np.concatenate([
        fitted // inside.leaf_chips_per_module + 1,
        -(np.arange(inside.spine_chips) // inside.spine_chips_per_module + 1),
    ])  # fmt: skip
    # a chip is a unit of the shift, its panel ports are the slots, whatever node each of them serves
    order = np.lexsort((place, chip, wiring.reserved))
    slots = inside.external_ports * ports.down_per_cage
    kept = {name: getattr(wiring, name)[order] for name in (
        "end_device", "end_device_port", "end_link", "reserved", "rail")}  # fmt: skip
    node = (~kept["reserved"]).astype(np.int64)
    return replace(
        wiring, **kept, switch_row=np.repeat(wiring.switch_row, count), module=module,
        tier=np.repeat([LEAF, LEAF + 1], [fitted.size, inside.spine_chips]).astype(np.int64),
        pod=np.repeat(wiring.pod, count), low=low, high=high, low_port=low_port, high_port=high_port,
        link_row=np.full(low.size, -1, np.int64), end_switch=np.searchsorted(fitted, chip[order]), end_port=port[order],
        unit=(chip[order] + 1) * node, slot=(place[order] + 1) * node, place=0 * node, slots=slots * node,
    )  # fmt: skip


def _fitted(chip: IntArray, inside: DirectorChips) -> IntArray:
    """Return the leaf chips (from 0) of all modules of which a cage is cabled, from the chips of these cages."""
    each = inside.leaf_chips_per_module
    return (np.unique(chip // each)[:, None] * each + np.arange(each)).ravel().astype(np.int64)


def switch_names(wiring: Wiring, names: Sequence[str]) -> list[str]:
    """Return the name of every switch of a plane as a subnet manager shows it: a director's chips are ``name/L01/U2``.

    Args:
        wiring: the plane.
        names: name of every device row.
    """
    found = [names[row] for row in wiring.switch_row.tolist()]
    if not wiring.module.any():
        return found
    told = []
    for number, (name, module) in enumerate(zip(found, wiring.module.tolist(), strict=True)):
        unit = number - int(np.argmax(wiring.module == module)) + 1
        told.append(f"{name}/{'L' if module > 0 else 'S'}{abs(module):02}/U{unit}")
    return told


def chip_ports(inside: DirectorChips, ports: TierPorts) -> int:
    """Return the ports of one chip in the profile of the system."""
    return (inside.external_ports + inside.internal_ports) * ports.numbers_per_cage


def _outside(port: IntArray, inside: DirectorChips, ports: TierPorts) -> tuple[IntArray, IntArray, IntArray]:
    """Return leaf chip (from 0), port number of the chip, and place (from 0) among the chip's panel ports."""
    cage, part = np.divmod(port - 1, ports.numbers_per_cage)
    chip, within = np.divmod(cage, inside.external_ports)
    step = max(ports.numbers_per_cage // ports.down_per_cage, 1)
    return chip, within * ports.numbers_per_cage + part + 1, within * ports.down_per_cage + part // step


def _inner(fitted: IntArray, inside: DirectorChips, step: int) -> tuple[IntArray, IntArray, IntArray, IntArray]:
    """Return (leaf chip, port, spine chip, port) of all inner links, by leaf chip and port: leaf chips by their place
    among the fitted ones, spine chips behind them."""
    low = np.repeat(np.arange(fitted.size), inside.internal_ports)
    link, spine = np.divmod(np.tile(np.arange(inside.internal_ports), fitted.size), inside.spine_chips)
    module, unit = np.divmod(fitted[low], inside.leaf_chips_per_module)
    low_port = (inside.external_ports + link * inside.spine_chips + spine) * step + 1
    high_port = (link * inside.leaf_chips + unit * inside.leaf_modules + module) * step + 1
    return low, low_port, fitted.size + spine, high_port
