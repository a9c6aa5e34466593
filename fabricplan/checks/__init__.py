"""Rules."""
from fabricplan.values import Finding
def check(requirement, sizings, topology, placement, cabling, bom, catalog) -> tuple[Finding, ...]:
    return ()
