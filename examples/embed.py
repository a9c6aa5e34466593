"""The library inside another program: a request as plain data, a plan, its bill, its files; no disk is touched."""

from fabricplan import design, load_catalog, load_requirement, render, summarize

catalog = load_catalog()
requirement = load_requirement({"name": "portal", "groups": [{"gpus": 1024}], "fabrics": [{"rate": "ndr"}]})
plan = design(requirement, catalog)

summary = summarize(plan)
print(summary["totals"]["switches"], "switches,", summary["totals"]["cables"], "cables")
for line in plan.bom.lines:
    print(f"{line.quantity:6} x {line.pn}")
for note in plan.findings:
    print(note.severity, note.code)

files = render(plan, "cables-csv")
print({name: len(data) for name, data in files.items()})
