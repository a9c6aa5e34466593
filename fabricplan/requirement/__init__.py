"""The request: what the customer wants, before anything is decided.

A :class:`Requirement` names groups of nodes and one or more fabrics. Nothing here knows products; words such
as models and platforms are resolved against the catalogue when the fabric is sized.
"""

from __future__ import annotations

from fabricplan.faults import json_path
from fabricplan.requirement.lengths import LengthsFile, SurveyedLength
from fabricplan.requirement.models import (
    FIELD_SPARES,
    Attachment,
    ExistingSwitch,
    FabricRequirement,
    NodeGroup,
    Requirement,
    SparesPolicy,
    without_cells,
)
from fabricplan.requirement.panels import Face, PanelEnd, PanelRun, Stand, serving, stands
from fabricplan.requirement.parsing import parse_requirement, spares_share
from fabricplan.requirement.positions import FIELDS as POSITION_FIELDS
from fabricplan.requirement.positions import Field as PositionField
from fabricplan.requirement.positions import Position
from fabricplan.requirement.racks import Feed
from fabricplan.requirement.room import DEPTH_MM, RoomSettings, SiteRack, rack_top_mm, site_gaps, site_racks
from fabricplan.requirement.words import (
    CUSTOMER,
    ETHERNET_RATES,
    INFINIBAND_RATES,
    RATE_GBPS,
    Attach,
    Choose,
    ratio_parts,
)

__all__ = [
    "CUSTOMER", "DEPTH_MM", "ETHERNET_RATES", "FIELD_SPARES", "INFINIBAND_RATES", "POSITION_FIELDS", "RATE_GBPS",
    "Attach", "Attachment", "Choose", "ExistingSwitch", "FabricRequirement", "Face", "Feed", "LengthsFile", "NodeGroup",
    "PanelEnd", "PanelRun", "Position", "PositionField", "Requirement", "RoomSettings", "SiteRack", "SparesPolicy",
    "Stand", "SurveyedLength", "json_path", "parse_requirement", "rack_top_mm", "ratio_parts", "serving", "site_gaps",
    "site_racks", "spares_share", "stands", "without_cells",
]  # fmt: skip
