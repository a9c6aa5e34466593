"""networkx views of a plan's switches: maximum flow between two parts of the hosts, cycles of dependencies.

The only home of networkx. Graphs are aggregated: parallel links are one edge, the hosts of a leaf are one number.
"""

from __future__ import annotations

import networkx as nx
import numpy as np
from networkx.algorithms.flow import preflow_push

from fabricplan.values import IntArray

SOURCE, SINK = "source", "sink"


def half_flow(low: IntArray, high: IntArray, gbps: int, sends: IntArray, takes: IntArray) -> int:
    """Return the most bandwidth from one part of the hosts to the other.

    Args:
        low, high: switch ids of every link between switches; both directions carry ``gbps``.
        gbps: rate of a link.
        sends: bandwidth that the sending hosts of every switch inject.
        takes: bandwidth that the receiving hosts of every switch take.

    Returns:
        Maximum flow in Gb/s.

    >>> half_flow(np.array([0, 1]), np.array([2, 2]), 400, np.array([800, 0, 0]), np.array([0, 800, 0]))
    400
    """
    graph = nx.DiGraph()
    graph.add_nodes_from((SOURCE, SINK))
    count = sends.size
    pairs, links = np.unique(low * count + high, return_counts=True)
    for pair, number in zip(pairs.tolist(), links.tolist(), strict=True):
        lower, upper = divmod(pair, count)
        graph.add_edge(lower, upper, capacity=number * gbps)
        graph.add_edge(upper, lower, capacity=number * gbps)
    for switch in np.flatnonzero(sends).tolist():
        graph.add_edge(SOURCE, switch, capacity=int(sends[switch]))
    for switch in np.flatnonzero(takes).tolist():
        graph.add_edge(switch, SINK, capacity=int(takes[switch]))
    return int(nx.maximum_flow_value(graph, SOURCE, SINK, flow_func=preflow_push))


def find_cycle(tail: IntArray, head: IntArray) -> list[int]:
    """Return the members of a directed cycle; empty if there is none.

    Args:
        tail, head: numbers of the two ends of every edge; ``tail`` waits for ``head``.

    >>> find_cycle(np.array([0, 1, 2]), np.array([1, 2, 0])), find_cycle(np.array([0, 1]), np.array([1, 2]))
    ([0, 1, 2], [])
    """
    graph = nx.DiGraph()
    graph.add_edges_from(zip(tail.tolist(), head.tolist(), strict=True))
    if nx.is_directed_acyclic_graph(graph):
        return []
    return sorted({int(edge[0]) for edge in nx.find_cycle(graph)})
