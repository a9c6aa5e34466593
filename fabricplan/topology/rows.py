"""Collectors of device and link rows, and the numbering of ports."""

from __future__ import annotations

import numpy as np

from fabricplan.sizing import Shape, TierPorts
from fabricplan.topology.tables import Devices, Links
from fabricplan.values import IntArray


def tier_ports(shape: Shape, tier: int) -> TierPorts:
    """Return how a tier's switches are used."""
    found = (None, shape.leaf, shape.spine, shape.core)[tier]
    if found is None:
        raise ValueError(f"the fabric has no tier {tier}")
    return found


def cage_of(port: IntArray, ports: TierPorts) -> IntArray:
    """Return the cage (from 1) of switch port numbers."""
    return (port - 1) // ports.numbers_per_cage + 1


def port_numbers(index: IntArray, first_cage: int, per_cage: int, ports: TierPorts) -> IntArray:
    """Return port numbers for link indexes (from 0) dealt to cages from ``first_cage``."""
    step = ports.numbers_per_cage // per_cage
    return (first_cage - 1 + index // per_cage) * ports.numbers_per_cage + index % per_cage * step + 1


class DeviceRows:
    """Collects blocks of device rows; lives inside one call of :func:`build`."""

    def __init__(self) -> None:
        self.count = 0
        self._blocks: dict[str, list[IntArray]] = {name: [] for name in Devices.columns}

    def add(self, count: int, **columns: IntArray | int) -> IntArray:
        """Add ``count`` rows; a number stands for all of them. Return their row numbers."""
        for name in Devices.columns:
            value = columns[name]
            self._blocks[name].append(np.broadcast_to(np.asarray(value, np.int64), count))
        first = self.count
        self.count += count
        return np.arange(first, self.count, dtype=np.int64)

    def table(self) -> Devices:
        """Join the blocks."""
        return Devices(**{name: _join(blocks) for name, blocks in self._blocks.items()})


class LinkRows:
    """Collects blocks of link rows; lives inside one call of :func:`build`."""

    def __init__(self) -> None:
        self._blocks: list[tuple[int, int, tuple[IntArray, ...]]] = []

    def add(
        self, fabric: int, role: int, lower: IntArray, lower_port: IntArray, upper: IntArray, upper_port: IntArray
    ) -> None:
        """Add links, put in the order of their lower devices and ports."""
        order = np.lexsort((lower_port, lower))
        self._blocks.append((fabric, role, (lower[order], lower_port[order], upper[order], upper_port[order])))

    def table(self) -> Links:
        """Join the blocks by fabric and role; within a role they come in the order of their lower devices."""
        blocks = sorted(self._blocks, key=lambda block: block[:2])
        ends = [_join([columns[end] for _, _, columns in blocks]) for end in range(4)]
        sizes = [columns[0].size for _, _, columns in blocks]
        return Links(
            fabric=np.repeat([fabric for fabric, _, _ in blocks], sizes).astype(np.int64),
            role=np.repeat([role for _, role, _ in blocks], sizes).astype(np.int64),
            lower=ends[0], lower_port=ends[1], upper=ends[2], upper_port=ends[3],
        )  # fmt: skip


def _join(blocks: list[IntArray]) -> IntArray:
    return np.concatenate(blocks) if blocks else np.zeros(0, np.int64)
