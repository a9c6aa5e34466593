"""Which switch models serve the tiers, and how their cages are used at the fabric's rates."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from fabricplan.catalog import CageGroup, Catalog, PortMode, SwitchType, SwitchVariant, Technology
from fabricplan.errors import InfeasibleError, Problem, RequirementError
from fabricplan.mating import recipe_for
from fabricplan.requirement import RATE_GBPS, FabricRequirement
from fabricplan.sizing.clos import Box
from fabricplan.sizing.shape import TierPorts

UPLINK_RATE = {
    "hdr100": "hdr", "ndr200": "ndr", "1gbe": "100gbe", "10gbe": "100gbe", "25gbe": "100gbe",
    "50gbe": "100gbe", "200gbe": "400gbe",
}  # fmt: skip
"""Rate of the links between switches where it is not the nodes' own: split ports are for hosts only."""

DEFAULT_MODELS = {
    "edr": ("SB7800", "SB7800"), "hdr100": ("QM8700", "QM8700"), "hdr": ("QM8700", "QM8700"),
    "ndr200": ("QM9700", "QM9700"), "ndr": ("QM9700", "QM9700"), "xdr": ("Q3400-RA", "Q3400-RA"),
    "1gbe": ("SN2201", "SN4600C"), "10gbe": ("SN3420", "SN4600C"), "25gbe": ("SN3420", "SN4600C"),
    "50gbe": ("SN4600C", "SN4600C"), "100gbe": ("SN4600C", "SN4600C"), "200gbe": ("SN5600", "SN5600"),
    "400gbe": ("SN5600", "SN5600"), "800gbe": ("SN5600", "SN5600"),
}  # fmt: skip
"""Leaf and spine that a rate is built from when none is named: our choice, the current product of each rate."""

EXTERNAL_TWIN = {"SB7800": "SB7890", "QM8700": "QM8790", "QM9700": "QM9790"}
"""The externally managed sibling of an internally managed InfiniBand switch."""


@dataclass(frozen=True)
class Tier:
    """One tier's model, its cage groups and the way they run."""

    switch: SwitchType
    down: CageGroup | None
    down_mode: PortMode | None
    up: CageGroup
    up_mode: PortMode

    @property
    def box(self) -> Box:
        """Port geometry for the search; spines and cores run every cage at the uplink rate."""
        down, mode = self.down or self.up, self.down_mode or self.up_mode
        shared = down.name == self.up.name
        return Box(
            cages=down.count, down_per_cage=mode.ports, up_per_cage=self.up_mode.ports, shared=shared,
            up_cages=0 if shared else self.up.count,
        )  # fmt: skip

    def ports(self, down: int, up: int) -> TierPorts:
        """Return how the tier's cages are used for so many links down and up."""
        below, mode = self.down or self.up, self.down_mode or self.up_mode
        box = self.box
        split = "split" in (mode.profile, self.up_mode.profile)
        return TierPorts(
            model=self.switch.model,
            cage_count=self.up.count,
            numbers_per_cage=max(mode.ports, self.up_mode.ports),
            down_per_cage=mode.ports,
            up_per_cage=self.up_mode.ports,
            down_first_cage=below.first,
            up_first_cage=(below.first + box.up_first(down, up)) if box.shared else self.up.first,
            down_rate=mode.rate,
            up_rate=self.up_mode.rate,
            down_gbps=mode.speed_gbps,
            up_gbps=self.up_mode.speed_gbps,
            split=split,
            module_cages=self.switch.inside.module_cages if self.switch.inside else None,
            spine_modules=self.switch.inside.spine_modules if self.switch.inside else None,
        )


@dataclass(frozen=True)
class Tiers:
    """The models of all tiers of one fabric."""

    leaf: Tier
    spine: Tier
    core: Tier
    link_gbps: int
    uplink_rate: str
    uplink_gbps: int
    managed_twin: str | None


def resolve_tiers(fabric: FabricRequirement, where: str, catalog: Catalog) -> Tiers:
    """Return the models that serve a fabric.

    Raises:
        RequirementError: unknown model, a model of another technology, a rate that a model does not run.
    """
    leaf_default, spine_default = DEFAULT_MODELS[fabric.rate]
    twin = None
    if fabric.management != "managed":
        if leaf_default not in EXTERNAL_TWIN and not fabric.leaf:
            raise RequirementError(Problem(
                "management", f"no externally managed switch of {fabric.rate} is in the catalogue",
                f"{where}.management", "ask for managed"))  # fmt: skip
        twin = leaf_default if fabric.management.startswith("mixed") else None
        leaf_default = EXTERNAL_TWIN.get(leaf_default, leaf_default)
        spine_default = EXTERNAL_TWIN.get(spine_default, spine_default)
    uplink_rate = fabric.uplink_rate or _uplink_rate(catalog, fabric)
    director = _director(catalog, fabric, where)
    if director is not None and director.inside is not None:
        # the links between its chips are the only ones between switches
        uplink_rate = director.inside.internal_rate
    leaf = _tier(catalog, fabric, fabric.leaf or leaf_default, uplink_rate, f"{where}.leaf", fabric.rate)
    again = fabric.leaf and director is None and _runs(catalog, fabric.leaf, uplink_rate, 8)
    spine_word = fabric.spine or (fabric.leaf if again else None) or spine_default
    spine = _tier(catalog, fabric, spine_word, uplink_rate, f"{where}.spine", None)
    core = _tier(catalog, fabric, fabric.core or spine_word, uplink_rate, f"{where}.core", None)
    _management_fits(fabric, (leaf.switch, spine.switch, core.switch), where)
    return Tiers(
        leaf=leaf, spine=spine, core=core, link_gbps=RATE_GBPS[fabric.rate], uplink_rate=uplink_rate,
        uplink_gbps=RATE_GBPS[uplink_rate], managed_twin=twin,
    )  # fmt: skip


def _director(catalog: Catalog, fabric: FabricRequirement, where: str) -> SwitchType | None:
    """Return the director that is named as the leaf; None where it is a fixed switch.

    A director is a two-tier Clos in one box, so that it is a fabric by itself. Between directors, or between a
    director and leaves, there would be three or four tiers of chips, whose even wiring follows from an inner order that
    no maker publishes.

    Raises:
        RequirementError: a director in another role, beside other tiers, or one whose chips are not known.
    """
    models: dict[str, SwitchType] = {}
    for field, word in (("leaf", fabric.leaf), ("spine", fabric.spine), ("core", fabric.core)):
        key = catalog.find("switches", word) if word else None
        switch = catalog.switch(key) if key else None
        if switch and switch.product_class == "director" and fabric.technology == switch.technology:
            models[field] = switch
    if not models:
        return None
    field, switch = next(iter(models.items()))
    others = _some(catalog, switch.technology, fabric.rate)
    if switch.inside is None or not switch.cages:
        size = f" of up to {switch.max_logical_ports:,} ports" if switch.max_logical_ports else ""
        raise RequirementError(Problem(
            "product-class", f"{switch.model} is a director{size}; no source of the catalogue tells its cages and what "
            "is inside, so that nothing can be cabled or proven", f"{where}.{field}",
            f"build the same of fixed switches: {others}; or ask the maker"))  # fmt: skip
    mode = next((mode for group in switch.cages if (mode := group.mode(fabric.rate))), None)
    most = sum(group.count for group in switch.cages) * (mode.ports if mode else 1)
    beside = "spine" if fabric.spine else "core" if fabric.core else None
    if set(models) != {"leaf"} or beside is not None or fabric.direct_pair or (fabric.tiers or 1) > 1:
        asked = field if field != "leaf" else beside or ("direct_pair" if fabric.direct_pair else "tiers")
        raise RequirementError(Problem(
            "director-role", f"{switch.model} is a director, two tiers of chips in one box: it serves as a whole "
            f"fabric of up to {most:,} ports; as one of several tiers its chips would be the third and fourth "
            "tier, whose even wiring needs an inner order that no maker publishes", f"{where}.{asked}",
            f"name it as the leaf alone, or build the tiers of fixed switches: {others}"))  # fmt: skip
    if fabric.attach == "spread":
        raise RequirementError(Problem(
            "director-role", f"{switch.model} is the whole fabric, so that the ports of a node land in one box and not "
            "on distinct leaves", f"{where}.attach",
            f"leave attach out, or build it of fixed switches: {others}"))  # fmt: skip
    return switch


def _management_fits(fabric: FabricRequirement, switches: Iterable[SwitchType], where: str) -> None:
    """Refuse a named model that contradicts the asked management: both words would be believed."""
    if fabric.management == "managed":
        return
    for switch in switches:
        if switch.managed:
            twin = EXTERNAL_TWIN.get(switch.model)
            raise RequirementError(Problem(
                "management", f"{switch.model} is internally managed; --management {fabric.management} asks for "
                "externally managed switches", f"{where}.management",
                f"name {twin}, or ask for managed" if twin else "ask for managed"))  # fmt: skip


def fit_cages(tiers: Tiers, fabric: FabricRequirement, host_classes: Iterable[str], catalog: Catalog) -> Tiers:
    """Return the tiers with no more links in a cage than the parts to hosts and other switches can carry.

    A switch may split a cage further than any cable does: SN5600 runs 4 x 200GbE in a cage, but the splitter to
    QSFP56 adapters has two tails; SN3700 runs 2 x 100GbE, but what leads to a QSFP28 cage carries one link.

    Raises:
        InfeasibleError: the ends do not mate, or the split is not for every cage.
    """
    tiers = _fit_trunks(tiers, fabric, catalog)
    leaf = tiers.leaf
    if leaf.down is None or leaf.down_mode is None:
        return tiers
    technology: Technology = "infiniband" if fabric.technology == "infiniband" else "ethernet"
    links = leaf.down_mode.ports
    for port_class in host_classes:
        join = recipe_for(catalog, leaf.down.port_class, port_class, technology, tiers.link_gbps,
                          fabric.rate, f"{fabric.name}: nodes to {leaf.switch.model}")  # fmt: skip
        recipe = join.recipe
        links = min(links, recipe.links_per_cage_b if join.swapped else recipe.links_per_cage_a)
    most, cages = leaf.down_mode.cages_max, leaf.down.count
    if links == leaf.down_mode.ports and most is not None and most < cages:
        raise InfeasibleError(Problem(
            "split-limit", f"{fabric.name}: {leaf.switch.model} splits {links} ways on {most} of its {cages} cages "
            "only, and each of them costs its neighbour", "",
            "choose a leaf that splits every cage, or a rate that needs no such split"))  # fmt: skip
    mode = leaf.down_mode.model_copy(update={"ports": links})
    return replace(tiers, leaf=replace(leaf, down_mode=mode))


def _fit_trunks(tiers: Tiers, fabric: FabricRequirement, catalog: Catalog) -> Tiers:
    """Return the tiers with no more links in a cage than the parts between two tiers carry at their ends."""
    technology: Technology = "infiniband" if fabric.technology == "infiniband" else "ethernet"
    rows = [tiers.leaf, tiers.spine, tiers.core]
    for low in (0, 1):
        lower, upper = rows[low], rows[low + 1]
        try:
            join = recipe_for(catalog, lower.up.port_class, upper.up.port_class, technology, tiers.uplink_gbps,
                              tiers.uplink_rate, fabric.name)  # fmt: skip
        except InfeasibleError:
            continue  # told where the tiers are joined, if they are
        links = join.recipe.links_per_cage_a, join.recipe.links_per_cage_b
        # between cages of one class a splitter has its head above where those below carry but one link each
        turned = join.recipe.a == join.recipe.b and lower.up_mode.ports <= links[1]
        near, far = links[::-1] if join.swapped or turned else links
        mode = _no_more(lower.up_mode, near)
        # spines and cores run every cage alike; a leaf's cages for hosts are fitted to these
        rows[low] = replace(lower, up_mode=mode, down_mode=mode if low else lower.down_mode)
        mode = _no_more(upper.up_mode, far)
        rows[low + 1] = replace(upper, up_mode=mode, down_mode=mode)
    return replace(tiers, leaf=rows[0], spine=rows[1], core=rows[2])


def _no_more(mode: PortMode, links: int) -> PortMode:
    return mode if mode.ports <= links else mode.model_copy(update={"ports": links})


def _uplink_rate(catalog: Catalog, fabric: FabricRequirement) -> str:
    """Return the rate of the links between switches where a leaf is named: of the rates that it and the other named
    models run, on InfiniBand the fastest (an HDR node on an NDR leaf does not slow the spine links down), on
    Ethernet the first from the usual one upward for which parts join two such cages."""
    usual = UPLINK_RATE.get(fabric.rate, fabric.rate)
    named = [catalog.find("switches", word) for word in (fabric.leaf, fabric.spine, fabric.core) if word]
    if not fabric.leaf or None in named:
        return usual
    models = [catalog.switch(key) for key in named if key]
    rates = [{mode.rate for group in model.cages for mode in group.modes} for model in models]
    common = [rate for rate in set.intersection(*rates) if RATE_GBPS[rate] >= RATE_GBPS[usual]]
    common.sort(key=lambda rate: (RATE_GBPS[rate], rate))
    if fabric.technology == "infiniband":
        return common[-1] if common and RATE_GBPS[common[-1]] > RATE_GBPS[usual] else usual
    return next((rate for rate in common if _joins_itself(catalog, models[0], rate)), usual)


def _joins_itself(catalog: Catalog, switch: SwitchType, rate: str) -> bool:
    group = switch.group(rate)
    try:
        return group is not None and bool(recipe_for(
            catalog, group.port_class, group.port_class, switch.technology, RATE_GBPS[rate], rate, ""))  # fmt: skip
    except InfeasibleError:
        return False


def _runs(catalog: Catalog, word: str, rate: str, least: int) -> bool:
    key = catalog.find("switches", word)
    group = catalog.switch(key).group(rate) if key else None
    return group is not None and group.count >= least


def _tier(
    catalog: Catalog, fabric: FabricRequirement, word: str, uplink_rate: str, where: str, rate: str | None
) -> Tier:
    key = catalog.find("switches", word)
    if key is None:
        raise RequirementError(Problem("unknown-switch", f"no switch '{word}'", where,
                                       catalog.advice("switches", word), (("word", word),)))  # fmt: skip
    switch = catalog.switch(key)
    technology = "infiniband" if fabric.technology == "infiniband" else "ethernet"
    if switch.technology != technology:
        raise RequirementError(Problem(
            "technology", f"{key} is {_article(switch.technology)} switch; the fabric is {fabric.technology}",
            where, f"choose {_article(technology)} switch: {_some(catalog, technology, fabric.rate)}"))  # fmt: skip
    if switch.product_class == "router":
        raise RequirementError(Problem("product-class", f"{key} is a {switch.product_class}, not a fixed switch",
                                       where, f"choose: {_some(catalog, technology, fabric.rate)}"))  # fmt: skip
    up = switch.group(uplink_rate)
    down = switch.group(rate) if rate else up
    for group, needed in ((down, rate or uplink_rate), (up, uplink_rate)):
        if group is None:
            rates = ", ".join(dict.fromkeys(mode.rate for cages in switch.cages for mode in cages.modes))
            raise RequirementError(Problem(
                "rate-of-switch", f"{key} does not run {needed}", where,
                f"its rates: {rates or 'not known'}; choose: {_some(catalog, technology, needed)}"))  # fmt: skip
    assert up is not None and down is not None
    up_mode, down_mode = up.mode(uplink_rate), down.mode(rate or uplink_rate)
    assert up_mode is not None and down_mode is not None
    return Tier(switch=switch, down=down, down_mode=down_mode, up=up, up_mode=up_mode)


def _article(technology: str) -> str:
    return "an InfiniBand" if technology == "infiniband" else "an Ethernet"


def _some(catalog: Catalog, technology: str, rate: str) -> str:
    """Return switches of a rate that can be ordered: what a hint names is not refused in turn."""
    names = [
        switch.model
        for switch in catalog.all("switches", SwitchType)
        if switch.technology == technology and switch.product_class == "switch" and switch.group(rate)
        and any(form.orderable for form in switch.variants)
    ]  # fmt: skip
    return ", ".join(names[:6]) or "none in the catalogue"


def choose_variant(switch: SwitchType, airflow: str | None, where: str, field: str) -> SwitchVariant:
    """Return the orderable form of a switch: the asked airflow, else the first that can be ordered.

    Args:
        switch: the model.
        airflow: what is asked; absent: any.
        where: path of the fabric in the request.
        field: the field of the fabric that named the model.

    Raises:
        RequirementError: if no form has the asked airflow, or the catalogue knows no part number.
    """
    if switch.inside is not None:
        # a number that orders nothing would be taken for one that does: the bill names the model alone
        sold = [form for form in switch.variants if form.orderable and airflow in (None, form.airflow)]
        return sold[0] if sold else SwitchVariant(pn="", orderable=False)
    if not switch.variants:
        raise RequirementError(Problem("no-part-number", f"no part number of {switch.model} is known",
                                       f"{where}.{field}",
                                       "choose another model, or add its number in a catalogue overlay"))  # fmt: skip
    forms = [form for form in switch.variants if airflow is None or form.airflow == airflow]
    if not forms:
        known = ", ".join(sorted({form.airflow for form in switch.variants if form.airflow}))
        raise RequirementError(Problem("airflow", f"{switch.model} does not come with airflow {airflow}",
                                       f"{where}.airflow",
                                       f"it comes with {known or 'airflow not stated'}"))  # fmt: skip
    return next((form for form in forms if form.orderable), forms[0])
