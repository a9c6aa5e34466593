"""Rails of a discovered fabric: which leaf every adapter of a host goes to, and which host departs from its peers."""

from __future__ import annotations

from collections import Counter
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from fabricplan.asbuilt.found import DIRECTOR_CHIP
from fabricplan.values import IntArray, Value


class RailSurvey(Value):
    """How hosts attach.

    Attributes:
        attach: ``rail``: the adapters of a host go to as many leaves, the same for its peers; ``packed``: all of them
            to one leaf; ``mixed``: neither; ``single``: hosts have one adapter.
        hosts: hosts, counted by name.
        per_host: adapters of most hosts.
        rails: rails of most hosts.
        units: groups of hosts that share their leaves, rail by rail.
    """

    attach: Literal["rail", "packed", "mixed", "single"]
    hosts: int
    per_host: int
    rails: int
    units: int


class Railed(NamedTuple):
    """The survey, and the ports that depart: host, adapter, leaf, leaf of its peers."""

    survey: RailSurvey
    odd: list[tuple[str, str, str, str]]


def split_description(text: str) -> tuple[str, str]:
    """Return host and adapter of a node description.

    >>> split_description("node-su01-001 mlx5_0"), split_description("login-1")
    (('node-su01-001', 'mlx5_0'), ('login-1', ''))
    """
    base, _, word = text.rpartition(" ")
    return (base.strip(), word) if base else (word, "")


def _boxes(names: list[str], switches: IntArray) -> dict[int, int]:
    """Return switch -> itself, or the first chip of the director that it is a chip of: rails go to boxes."""
    first: dict[str, int] = {}
    found = {}
    for switch in sorted(set(switches.tolist())):
        chip = DIRECTOR_CHIP.fullmatch(names[switch])
        found[switch] = first.setdefault(chip[1], switch) if chip else switch
    return found


def rails(names: list[str], low: IntArray, high: IntArray, adapter: npt.NDArray[np.bool_]) -> Railed:
    """Return how hosts attach.

    Args:
        names: of all devices.
        low, high: adapter and switch of every host link.
        adapter: which devices are named adapters.
    """
    leaf: dict[str, dict[str, int]] = {}
    box = _boxes(names, high)
    for one, switch in zip(low.tolist(), high.tolist(), strict=True):
        if adapter[one]:
            host, word = split_description(names[one])
            held = leaf.setdefault(host, {})
            held[word if word not in held else f"{word}#{len(held)}"] = box[switch]
    several = {host: held for host, held in leaf.items() if len(held) > 1}
    per_host = Counter(len(held) for held in leaf.values()).most_common(1)[0][0] if leaf else 0
    if not several or per_host == 1:
        return Railed(RailSurvey(attach="single", hosts=len(leaf), per_host=per_host, rails=min(per_host, 1), units=0),
                      [])  # fmt: skip
    ways = Counter(frozenset(held.items()) for held in several.values())
    usual = [way for way, count in ways.items() if count > 1]
    by_port: dict[tuple[str, int], list[frozenset[tuple[str, int]]]] = {}
    for way in usual:
        for item in way:
            by_port.setdefault(item, []).append(way)
    odd: list[tuple[str, str, str, str]] = []
    for host, held in several.items():
        own = frozenset(held.items())
        if ways[own] > 1:
            continue
        near = Counter(way for item in own for way in by_port.get(item, ()))
        best = max(near, key=lambda way: (near[way], sorted(way)), default=None)
        if best is None or near[best] * 2 < len(held):
            continue
        expected = dict(best)
        odd += [(host, word, names[at], names[expected[word]]) for word, at in sorted(held.items())
                if word in expected and expected[word] != at]  # fmt: skip
    most = [held for held in several.values() if len(held) == per_host]
    distinct = Counter(len(set(held.values())) for held in most).most_common(1)[0][0]
    attach: Literal["rail", "packed", "mixed"] = "packed" if distinct == 1 else "rail" if usual else "mixed"
    return Railed(RailSurvey(attach=attach, hosts=len(leaf), per_host=per_host,
                             rails=distinct if attach == "rail" else 0, units=len(usual)), odd)  # fmt: skip
