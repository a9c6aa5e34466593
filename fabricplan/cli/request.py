"""Options of ``design`` to a requirement, and places of errors back to the options they came from."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from fabricplan.cli.networks import FURTHER, further_networks
from fabricplan.errors import FabricplanError, Problem, ReadError, RequirementError, nearest
from fabricplan.files import RequestFile, lengths_of, load_positions
from fabricplan.measures import LengthError, length_mm
from fabricplan.requirement import INFINIBAND_RATES, LengthsFile, Requirement, parse_requirement
from fabricplan.terminal import whole

PATHS: Mapping[str, str] = {
    "--gpus": "groups[0].gpus", "--nodes": "groups[0].nodes", "--platform": "groups[0].platform",
    "--nic": "groups[0].nic", "--grow-to": "groups[0].grow_to",
    "--phases": "groups[0].phases",
    "--ports-per-node": "fabrics[0].attached[0].ports_per_node", "--technology": "fabrics[0].technology",
    "--gen": "fabrics[0].rate", "--rate": "fabrics[0].rate", "--uplink-rate": "fabrics[0].uplink_rate",
    "--leaf": "fabrics[0].leaf", "--spine": "fabrics[0].spine", "--core": "fabrics[0].core",
    "--oversubscription": "fabrics[0].oversubscription", "--attach": "fabrics[0].attach",
    "--planes": "fabrics[0].planes", "--tiers": "fabrics[0].tiers",
    "--uplinks": "fabrics[0].uplinks",
    "--rails-per-leaf": "fabrics[0].rails_per_leaf", "--min-spines": "fabrics[0].min_spines",
    "--reserve-ports": "fabrics[0].reserve_ports", "--reserve-adapter": "fabrics[0].reserve_adapter",
    "--manager": "fabrics[0].manager",
    "--management": "fabrics[0].management", "--airflow": "fabrics[0].airflow", "--media": "fabrics[0].media",
    "--choose": "fabrics[0].choose", "--nodes-per-rack": "room.nodes_per_rack",
    "--racks-per-row": "room.racks_per_row", "--uniform-length-m": "room.uniform_length_mm",
    "--spares": "spares", "--name": "name", "--positions": "positions",
    "--lengths": "lengths", "--merge-below": "merge_below", "--place-for": "place_for",
}  # fmt: skip
"""Where in a requirement the value of an option goes."""
ETHERNETS = ("roce", "ethernet")
LENGTH_MM = (100, 10_000_000)
"""Least and most of ``uniform_length_mm``."""


class Request:
    """A request from options and perhaps a file. Options override the file's first group and first fabric."""

    def __init__(self, options: Mapping[str, Any], file: RequestFile | None) -> None:
        """Keep the options that were given.

        Args:
            options: parameters of the command; None where one was not given.
            file: the request file.
        """
        named = {option: options[option.removeprefix("--").replace("-", "_")] for option in PATHS}
        self.given = {option: value for option, value in named.items() if value is not None}
        self.file = file
        self.more = {name: options[name] for name in FURTHER if options[name] is not None}
        self._options = {PATHS[option]: option for option in self.given}
        self._lengths: LengthsFile | None = None

    def requirement(self) -> Requirement:
        """Return the requirement.

        Raises:
            RequirementError: placed at options, or at lines of the file.
        """
        try:
            self._contradictions()
            data = self._data()
        except ReadError:
            raise  # a file beside the request, which its mistakes name
        except FabricplanError as caught:
            raise self.placed(caught) from None
        # what is wrong with a file of lengths stands at its own places, not at those of the request
        folder = Path() if "--lengths" in self.given or self.file is None else Path(self.file.name).parent
        self._lengths = lengths_of(data, folder)
        if self._lengths is not None:
            data["lengths"] = self._lengths.rows
        try:
            return parse_requirement(further_networks(data, self.more))
        except FabricplanError as caught:
            raise self.placed(caught) from None

    def finish(self) -> None:
        """Refuse surveyed lengths of which some could not be read, once the plan has judged the others.

        Raises:
            RequirementError: with every such cell.
        """
        if self._lengths is not None and self._lengths.problems:
            raise RequirementError(*self._lengths.problems)

    def placed(self, error: FabricplanError) -> FabricplanError:
        """Return an error whose places are the options, file lines or cells that its values came from; beside what is
        wrong with surveyed lengths stands what could not be read of them."""
        if self._lengths is not None and self._lengths.problems:
            rows = [item for item in error.problems if item.where.startswith("lengths[")]
            return RequirementError(*self._lengths.problems, *(
                replace(item, where=self._place(item)) for item in rows
            ))  # fmt: skip
        return type(error)(*dict.fromkeys(
            replace(item, where=self._place(item)) for item in error.problems
        ))  # fmt: skip

    def _place(self, problem: Problem) -> str:
        path = problem.where
        if path == "" or path.startswith("--"):
            return path
        if problem.code.startswith("position-") and not re.match(r"positions(\[|$)", path):
            return path  # a cell of the customer's file
        if path.startswith("lengths[") and self._lengths is not None:
            return self._lengths.place(path)
        count = "--gpus" if "--gpus" in self.given else "--nodes"
        if problem.code == "too-large" and count in self.given:
            return count
        if problem.code == "ports-per-node" and "--ports-per-node" in self.given:
            return "--ports-per-node"
        if problem.code == "no-generic-platform" and self.file is None:
            return "--gen" if "--gen" in self.given else "--rate"
        for known, option in self._options.items():
            if path == known or path.startswith((f"{known}[", f"{known}.")):
                return option
        if self.more and path.startswith(("groups[1]", "fabrics[")) and not path.startswith("fabrics[0]"):
            return "--networks" if "networks" in self.more and path.startswith("fabrics") else "--storage-nodes"
        if self.file is not None:
            return self.file.place(path)
        for option, known in PATHS.items():
            if path == known:
                return option
        return count if path.startswith("groups[0]") else path

    def _contradictions(self) -> None:
        given, file = self.given, self.file
        if "--gpus" in given and "--nodes" in given:
            raise RequirementError(Problem("two-counts", "both --gpus and --nodes are given", "--nodes",
                                           "give one of them"))  # fmt: skip
        if file is None and not given.keys() & {"--gpus", "--nodes", "--phases"}:
            raise RequirementError(Problem("no-count", "neither --gpus nor --nodes is given", "--gpus",
                                           "say how many, or name a request file"))  # fmt: skip
        if "--gen" in given and "--rate" in given:
            raise RequirementError(Problem("two-rates", "both --gen and --rate are given", "--rate",
                                           "--gen for InfiniBand, --technology roce --rate for Ethernet"))  # fmt: skip
        if file is None and not given.keys() & {"--gen", "--rate"} and given.get("--technology") in ETHERNETS:
            raise RequirementError(Problem("no-rate", f"--technology {given['--technology']} needs a rate", "--rate",
                                           "--rate 25|100|200|400|800"))  # fmt: skip
        if file is None and "--gen" not in given and "--rate" not in given:
            raise RequirementError(Problem("no-rate", "no generation is given", "--gen",
                                           "--gen ndr, or --technology roce --rate 400"))  # fmt: skip
        if "--gen" in given:
            technology = given.get("--technology", "infiniband")
            if technology != "infiniband":
                raise RequirementError(Problem("technology", f"--gen is of InfiniBand, --technology {technology} "
                                               "is not", "--gen", "give --rate 25|100|200|400|800"))  # fmt: skip
            word = given["--gen"]
            if word.casefold() not in INFINIBAND_RATES:
                raise RequirementError(Problem("unknown-generation", f"no InfiniBand generation '{word}'", "--gen",
                                               _generations(word), (("word", word),)))  # fmt: skip
        if file is None and whole(str(given.get("--rate", ""))) is not None and "--technology" not in given:
            raise RequirementError(Problem("no-technology", f"--rate {given['--rate']} is an Ethernet rate",
                                           "--rate", f"add --technology roce, or give --gen: "
                                           f"{', '.join(INFINIBAND_RATES)}"))  # fmt: skip

    def _data(self) -> dict[str, Any]:
        data = dict(self.file.data) if self.file else {}
        groups, fabrics = _first(data, "groups"), _first(data, "fabrics")
        room = dict(data["room"]) if isinstance(data.get("room"), dict) else {}
        homes: dict[str, dict[str, Any]] = {"groups[0]": groups, "fabrics[0]": fabrics, "room": room, "": data}
        for option, value in self.given.items():
            home, _, field = PATHS[option].rpartition(".")
            if option == "--ports-per-node":
                fabrics["attached"] = _attached(fabrics, groups, value)
            elif option in ("--gpus", "--nodes"):
                groups.pop("nodes" if option == "--gpus" else "gpus", None)
                groups[field] = value
            elif option == "--gen":
                homes[home].update(technology="infiniband", rate=value)
            else:
                homes[home][field] = _value(option, value)
        if room:
            data["room"] = room
        return data


def _generations(word: str) -> str:
    known = nearest(word, INFINIBAND_RATES)
    return known if known.startswith("known") else f"{known} (known: {', '.join(INFINIBAND_RATES)})"


def _first(data: dict[str, Any], name: str) -> dict[str, Any]:
    """Return a copy of the first row of a list that may be overridden, and put it in its place."""
    rows = data.get(name)
    rest = rows[1:] if isinstance(rows, list) else []
    if rows is not None and not (isinstance(rows, list) and rows and isinstance(rows[0], dict)):
        return {}
    first = dict(rows[0]) if rows else {}
    data[name] = [first, *rest]
    return first


def _attached(fabric: dict[str, Any], group: dict[str, Any], ports: int) -> list[Any]:
    rows = fabric.get("attached")
    if isinstance(rows, list) and rows and isinstance(rows[0], dict):
        return [{**rows[0], "ports_per_node": ports}, *rows[1:]]
    return [{"group": group.get("name", "node"), "ports_per_node": ports}]


def _value(option: str, value: Any) -> Any:
    """Return an option's word as plain data of the requirement."""
    if option == "--oversubscription":
        return [ratio.strip() for ratio in value.split(",")]
    if option == "--phases":
        counts = [whole(count) for count in value.split(",")]
        if None in counts:
            raise RequirementError(Problem("phases", f"'{value}' is no list of node counts", option,
                                           "for example --phases 40,128"))  # fmt: skip
        return counts
    if option == "--planes":
        planes = whole(value)
        if value != "rail" and planes is None:
            raise RequirementError(Problem("planes", f"'{value}' is neither a number of planes nor rail", option,
                                           "--planes 2, or --planes rail"))  # fmt: skip
        return value if planes is None else planes
    if option == "--positions":
        return load_positions(value)
    if option == "--uniform-length-m":
        return _length_mm(value)
    if option == "--spares" and value not in ("none", "field"):
        share = whole(value.removesuffix("%"))
        if not value.endswith("%") or share is None or not 0 <= share <= 100:
            meant = f"{share}%" if share is not None and 0 <= share <= 100 else "3%"
            raise RequirementError(Problem("spares", f"'{value}' is neither a percentage nor a policy", option,
                                           f"a whole number such as {meant}, or field, or none"))  # fmt: skip
        return {f"{part}_percent": share for part in ("copper", "aoc", "transceiver", "fibre")}
    return value


def _length_mm(text: str) -> int:
    """Return the millimetres of metres as a user writes them: ``30``, ``1.5``, ``150 cm``.

    Raises:
        RequirementError: no length, or outside of what one cable may be.
    """
    option, example = "--uniform-length-m", "for example --uniform-length-m 30"
    try:
        length = length_mm(text, "m")
    except LengthError as caught:
        raise RequirementError(Problem("length", str(caught), option, example)) from None
    if not LENGTH_MM[0] <= length <= LENGTH_MM[1]:
        raise RequirementError(Problem("length", f"a cable of {length / 1000:g} m is outside of 0.1 to 10,000 m",
                                       option, example))  # fmt: skip
    return length
