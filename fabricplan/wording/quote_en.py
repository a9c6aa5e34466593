"""English words of the quote."""

from __future__ import annotations

from collections.abc import Mapping

TERMS: Mapping[str, str] = {
    # Head and parties.
    "title": "Quotation", "number": "Quote no.", "date": "Date", "valid_until": "Valid until", "project": "Project",
    "seller": "Seller", "customer": "Customer", "name": "Name", "address": "Address", "contact": "Contact",
    "phone": "Phone", "email": "E-mail", "tax_id": "Tax ID", "bank": "Bank", "account": "Account",
    "currency": "Currency",
    # Columns.
    "no": "No.", "product": "Product", "brand": "Brand", "pn": "Part number", "opn": "Order number",
    "description": "Description", "quantity": "Qty", "unit": "Unit", "unit_price_included": "Unit price incl. tax",
    "amount_included": "Amount incl. tax", "unit_price_added": "Unit price excl. tax",
    "amount_added": "Amount excl. tax", "unit_price_none": "Unit price", "amount_none": "Amount",
    "lead_time": "Lead time", "warranty": "Warranty", "note": "Remarks", "on_request": "on request",
    # Groups and units.
    "group_switch": "Switches", "group_adapter": "Adapters", "group_transceiver": "Transceivers",
    "group_cable": "Cables", "group_software": "Software", "group_service": "Services", "group_spare": "Spares",
    "unit_switch": "pcs", "unit_adapter": "pcs", "unit_transceiver": "pcs", "unit_cable": "pcs", "unit_set": "set",
    "unit_service": "lot", "unit_device_year": "device-year", "unit_day": "person-day",
    "shared": "Common", "subtotal": "Subtotal",
    "network_compute": "Compute network", "network_storage": "Storage network", "network_inband": "In-band network",
    "network_oob": "Out-of-band network",
    # Foot.
    "net": "Total excl. tax", "tax": "Tax", "total_included": "Total incl. tax", "total_none": "Total",
    "capitals": "In words", "incomplete": " (incomplete: {count} on request, not included)",
    "prices_included": "Unit prices and amounts include {percent} {tax}.",
    "prices_included_rates": "Unit prices and amounts include {tax}, by kind of goods and services at {percent}.",
    "enumeration": " and ",
    "prices_added": "Unit prices and amounts are without tax; the tax is added below.",
    "exchange": "Exchange rate", "exchange_line": "1 {currency} = {rate} {quote} ({source}, {date})",
    "tax_residue": " (rounding {residue})", "price_list": "Price list",
    "basis": "Price basis", "payment": "Payment", "delivery": "Delivery", "warranty_terms": "Warranty",
    "notes": "Notes", "terms": "Terms", "tax_note": "Tax",
    "stamp_seller": "Seller (stamp)",
    "stamp_customer": "Customer (stamp)",
    # Sheets.
    "sheet_quote": "Quote", "sheet_configuration": "Configuration", "sheet_cables": "Cable summary",
    "sheet_compare": "Comparison", "sheet_changes": "Changes", "sheet_internal": "Internal",
 "page": "Page &P of &N",
    # Configuration.
    "item": "Item", "value": "Value", "gpus": "GPUs", "nodes": "Nodes", "fabric": "Fabric",
    "technology": "Technology and rate", "topology": "Topology", "tiers_1": "one switch",
    "leaves_alone": "leaves without spines",
    "tiers_2": "two-tier Clos (fat tree)", "tiers_3": "three-tier Clos (fat tree)",
    "planes": "Planes",
    "planes_value": "{count} independent planes", "attach": "Attachment", "attach_rail": "rail-optimized",
    "attach_packed": "packed (all ports of a node on one leaf)",
    "attach_spread": "spread (ports of a node on distinct leaves)", "oversubscription": "Oversubscription",
    "non_blocking": "non-blocking (1:1)", "switches": "Switches", "switches_value": "{counts}, {count} in all",
    "leaf": "leaf", "spine": "spine", "core": "core", "endpoints": "Node ports", "links": "Links",
    "node_leaf": "node-leaf {count}", "leaf_spine": "leaf-spine {count}", "spine_core": "spine-core {count}",
    "reserved": "reserved ports {count}", "bisection": "Bisection bandwidth",
    "bisection_value": "{one} Tb/s one way ({two} Tb/s both ways)", "infiniband": "InfiniBand", "roce": "RoCE",
    "ethernet": "Ethernet", "picture": "Topology", "comma": ", ",
    # Cable summary.
    "length": "Length (m)", "spare_quantity": "of which spares", "networks": "Networks", "total_quantity": "Total",
    "no_cables": "This quote holds no cables",
    # Goods.
    "patch_cord": "fibre patch cord", "trunk": "trunk", "patch_panel": "patch panel", "split_cord": "splitter fibre",
    "extension_note": "Quoted is what extends the {stands} nodes that stand to {total}; the network described is the"
    " whole one after the extension.",
    "support_share": "{percent}% of the hardware price a year x {years} years",
    "support_years": "{devices} devices x {years} years",
    # Internal sheet.
    "list_price": "List price", "cost": "Cost", "discount": "Discount %", "cost_amount": "Cost amount",
    "margin": "Margin", "margin_percent": "Margin %", "book": "Price book", "place": "Place",
    "price_currency": "Currency of price", "price_basis": "Price from", "base_price": "Base price",
    "internal_only": "Internal: not for customers",
    "basis_unit": "selling price", "basis_list": "list price", "basis_cost": "cost plus", "basis_terms": "terms",
    "cost_unknown": "unknown", "total": "Total", "cost_part": " ({count} lines of unknown cost are not in it)",
    # ERP.
    "erp_code": "Material code", "erp_name": "Material name", "erp_specification": "Specification",
    "erp_price": "Unit price incl. tax", "erp_rate": "Tax rate %",
    # Revision and comparison.
    "change": "Change", "old_quantity": "Old qty", "new_quantity": "New qty", "old_price": "Old unit price",
    "new_price": "New unit price", "old_amount": "Old amount", "new_amount": "New amount", "difference": "Difference",
    "reason": "Reason", "change_added": "added", "change_removed": "removed", "change_changed": "changed",
    "no_changes": "no change", "reason_request": "request", "reason_catalogue": "catalogue",
    "reason_price-book": "price book", "reason_rate": "exchange rate", "reason_terms": "terms",
    "reason_tool-version": "tool version", "reason_unknown": "not known",
    "or": " or ", "revision_tax": "Tax on it {difference}",
    "revision_sum": "{label} {old} -> {new}, {difference} ({reason})",
    "reason_tax_rate": "terms: tax rate", "reason_tax_mode": "terms: tax included or added",
    "against": "Against quote",
    "revision_line": "{part}: {old} -> {new}, {difference} ({reason})",
    "revision_total": "Total {old} -> {new}, {difference}", "cost_per_gpu": "Price per GPU",
    "offer": "Offer {number}", "difference_to": "Difference to offer 1",
    # Brief.
    "brief_on_request": "{count} on request", "brief_fabric": "{technology}, {topology}, {ratio}: {switches}",
    "brief_parts": "{kind} {count}",
 "brief_valid": "Valid until {date}",
 "brief_net": "{symbol}{net} before tax + {symbol}{tax} tax",
}  # fmt: skip

FINDINGS: Mapping[str, str] = {
    "price-missing": "{subject} has no price in any book; the total is incomplete",
    "price-expired": "{subject}: its price ended on {until} (quote of {date})",
    "price-expires-early": "{subject}: its price ends on {until}, before the quote does ({expires})",
    "below-minimum": "{subject}: {quantity} is below the minimum of {minimum}",
    "stock-short": "{subject}: {quantity} wanted, {stock} in stock",
    "tax-rate-assumed": "price book {subject}: its prices hold tax, but nothing states the rate (first at {first}); "
    "taken as {percent} %, the quote's; write the rate above the headings",
    "book-text-withheld": "{subject}: '{text}' ({where}) speaks of the seller's own figures; the customer "
    "reads '{shown}'",
    "target-far-off": "the fixed total {target} is more than twice or less than half of the computed {computed}; is a "
    "digit missing?",
    "total-below-cost": "the lines whose cost is known come to {total}, below their cost {cost}",
    "discount-unused": "the discount for {subject} matches nothing in the quote; nearest: {near}",
    "line-below-cost": "{subject}: the unit price {price} is below the cost {cost}",
    "quote-head-incomplete": "the quote lacks: {lacking}",
    "discount-taken": "discount for {subject}: {off} % off, the customer pays {paid} %",
    "margin-unused": "{subject} {percent} decides no price: the price books have no cost for these parts, or a unit or "
    "list price that comes first; basis: cost takes the cost",
    "margin-partly-used": "{subject} {percent} decides the price of {used} lines; {others} have a unit or list price "
    "that comes first (basis: cost takes the cost)",
    "tax-unusual": "{percent} % is no rate of value-added tax in mainland China (13, 9, 6; 3, 1, 0); is it meant?",
    "rate-inverted": "exchange rate: 1 {subject} = {rate} {quote} is taken, which looks upside down; about {rough} is "
    "usual. Write what one {subject} is worth in {quote}",
    "rate-implausible": "exchange rate: 1 {subject} = {rate} {quote} is taken, about {rough} is usual; is a digit "
    "missing?",
    "rate-of-the-future": "exchange rate of {subject}: its date {of} is after the date of the quote {date}",
    "rate-old": "exchange rate of {subject}: it is of {of}, {days} days before the quote ({date})",
    "book-name-withheld": "the price book's name '{subject}' speaks of the seller's own figures and is not shown; "
    "price_basis in the terms says what the customer reads",
    "book-file-tells": "the file '{subject}' is called as if it held the seller's own figures: make sure that its "
    "prices are selling prices; its name is not shown to the customer",
    "rounded-by-all-lines": "no piece is dear enough to bear the rounding of {off}: all unit prices were recomputed",
    "share-residue": "'{subject}' at {price} bears the rounding to {total}, so it is not exactly the share of the "
    "hardware that its description says: no other line could bear it",
    "tax-residue": "no sum before tax gives {total} exactly: the tax was rounded by {residue}",
    "template-hidden-sheet": "template: its hidden sheet '{subject}' goes to the customer with the quote; delete it if "
    "it is not meant for him",
    "template-other-sheet": "template: its sheet '{subject}' holds no field and goes to the customer as it is",
    "template-hidden-cells": "template: hidden rows or columns go to the customer: {subject}",
    "template-comments": "template: comments go to the customer: {subject}",
    "template-link": "template: it is linked to another file: {subject}",
    "template-person": "template: its properties name {subject}",
    "service-without-subject": "{subject}: the plan has nothing to count per {per}; the quantity is 0",
    "plan-has-errors": "plan {subject} has {count} errors (the first: {first}); put it right before quoting",
    "book-no-currency": "price book {subject}: {count} prices state no currency (first at {first}); a quote takes them "
    "in its own; state it above the headings",
    "book-no-currency-taken": "price book {subject}: {count} prices state no currency (first at {first}); taken as "
    "{taken}, the quote's; state it above the headings",
    "book-no-tax": "price book {subject}: {count} prices do not say whether they hold the tax (first at {first}); a "
    "quote takes them as its terms say; write incl. or excl. tax above the headings",
    "book-no-tax-taken": "price book {subject}: {count} prices do not say whether they hold the tax (first at "
    "{first}); taken as the quote counts, tax {taken}",
    "book-hidden-sheet": "price book {subject}: the hidden sheet '{sheet}' is passed over; show it if it holds prices",
    "book-hidden-rows": "price book {subject}: {count} hidden rows of sheet '{sheet}' are read (first: row {first}); "
    "take out what no longer holds",
    "book-hidden-columns": "price book {subject}: hidden columns of sheet '{sheet}' are read: {columns}",
    "book-remarks": "price book {subject}: {count} lines speak of packs or discounts beside their price (first at "
    "{first}); the price is taken as it stands, for one piece",
    "book-set-unit": "price book {subject}: {count} prices are for a set (套), first at {first}; taken as what one "
    "part number orders",
}
