"""Work orders that a technician can carry out: splitters, dead devices, manager's ports, boxes of another model."""

from __future__ import annotations

import pytest

from fabricplan.asbuilt.document import Verification
from fabricplan.asbuilt.verify import verify
from fabricplan.errors import ReadError
from fabricplan.plan import Plan
from fabricplan.readers.discovery import read_found
from fabricplan.renderers.verify_rows import order_steps
from tests.conftest import PlanOf
from tests.miscabling import End, Model, carry_out, dump, model


def check(plan: Plan, built: Model) -> Verification:
    return verify(plan, "0" * 64, read_found(dump(built).encode(), "found.txt"))


def exchange(built: Model, one: int, other: int, side: int) -> None:
    """Exchange the plugs of two cables at their lower (0) or upper (1) ends."""
    first, second = list(built.links[one]), list(built.links[other])
    first[side], second[side] = second[side], first[side]
    built.links[one], built.links[other] = (first[0], first[1]), (second[0], second[1])


def tails(plan: Plan) -> list[list[int]]:
    """Return the positions of the links of each splitter."""
    held: dict[int, list[int]] = {}
    table = plan.cabling.links
    for at, (cable, tail) in enumerate(zip(table.cable.tolist(), table.tail.tolist(), strict=True)):
        if tail:
            held.setdefault(cable, []).append(at)
    return list(held.values())


@pytest.fixture(scope="module")
def split(plan_of: PlanOf) -> Plan:
    return plan_of({"nodes": 32, "ports": 1}, {"rate": "hdr100"})


def test_tails_are_exchanged_at_the_nodes_because_the_head_is_one_plug(split: Plan) -> None:
    built = model(split)
    one, other = tails(split)[0]
    exchange(built, one, other, 0)
    checked = check(split, built)
    (order,) = checked.orders
    assert order.kind == "swap" and {move.at.kind for move in order.moves} == {"node"}
    assert [move.cables for move in order.moves] == [("C0001-1",), ("C0001-2",)] or [
        move.cables for move in order.moves
    ] == [("C0001-2",), ("C0001-1",)]
    carry_out(built, checked.orders)
    assert built.key() == model(split).key()


def test_one_tail_of_each_of_two_splitters_is_exchanged_at_the_nodes(split: Plan) -> None:
    built = model(split)
    first, second = tails(split)[0], tails(split)[3]
    exchange(built, first[0], second[1], 1)
    (order,) = check(split, built).orders
    assert order.kind == "swap" and {move.at.kind for move in order.moves} == {"node"}


def test_heads_of_two_splitters_exchanged_are_one_order_at_the_switch(split: Plan) -> None:
    built = model(split)
    first, second = tails(split)[0], tails(split)[3]
    for one, other in zip(first, second, strict=True):
        exchange(built, one, other, 1)
    checked = check(split, built)
    (order,) = checked.orders
    assert order.kind == "swap" and {move.at.kind for move in order.moves} == {"switch"} and len(order.moves) == 4
    carry_out(built, checked.orders)
    assert built.key() == model(split).key()


def test_a_device_without_any_link_is_looked_at_before_its_cables(plan_of: PlanOf) -> None:
    plan = plan_of({"nodes": 16}, {"rate": "hdr"})
    built = model(plan)
    dead = sorted(built.switches)[0]
    built.links = [link for link in built.links if dead not in (link[0][0], link[1][0])]
    del built.switches[dead]
    (order,) = check(plan, built).orders
    assert order.kind == "absent" and (order.moves[0].action, order.moves[0].at.device) == ("start", dead)
    assert order_steps(order, "en")[0].startswith(f"{dead} (A")
    assert len(order.moves) == order.links + 1


def test_a_manager_on_its_own_port_is_no_fault(plan_of: PlanOf) -> None:
    """FNM1 of a Quantum-3 box is its port 145, beyond the 144 of the plan; public tools call it ``sw73p1`` too."""
    plan = plan_of({"nodes": 16}, {"rate": "xdr"})
    for port, clean in ((145, True), (140, False)):
        built = model(plan)
        leaf = next(name for name in sorted(built.switches) if "leaf" in name)
        host: End = ("ufm", 1)
        built.host[host] = "ufm mlx5_0"
        built.links.append((host, (leaf, port)))
        checked = check(plan, built)
        assert checked.clean is clean, port
        assert "unplanned-hosts" in [item.code for item in checked.findings]


def test_a_box_of_another_model_is_told(plan_of: PlanOf) -> None:
    plan = plan_of({"nodes": 16}, {"rate": "hdr"})
    text = dump(model(plan)).replace("leaf-su01-r3:MQM8700", "leaf-su01-r3:MQM8790")
    checked = verify(plan, "0" * 64, read_found(text.encode(), "found.txt"))
    (told,) = [item for item in checked.findings if item.code == "other-model"]
    assert (told.subject, told.param("planned"), told.param("found")) == ("leaf-su01-r3", "QM8700", "MQM8790")
    assert not checked.clean and not checked.orders


def test_a_plan_of_another_fabric_with_the_same_names_is_refused(plan_of: PlanOf) -> None:
    ndr, hdr = (plan_of({"nodes": 16}, {"rate": rate}) for rate in ("ndr", "hdr"))
    text = dump(model(hdr)).replace("HCA-", "mlx5_")
    with pytest.raises(ReadError, match="the file's switches say MQM8700, the plan's are QM9700") as caught:
        verify(ndr, "0" * 64, read_found(text.encode(), "found.txt"))
    assert caught.value.problems[0].where.startswith("found.txt:")
