"""The fields of a request workbook: what ``fabricplan new`` writes and the reader of ``request.xlsx`` expects."""

from __future__ import annotations

from typing import Literal, NamedTuple

from fabricplan.requirement import ETHERNET_RATES, INFINIBAND_RATES


class RequestField(NamedTuple):
    """One row: where its value goes in a request, its labels, an explanation, and the words to choose from."""

    path: str
    zh: str
    en: str
    help_zh: str
    help_en: str
    kind: Literal["text", "count", "metres", "ratio", "rate", "planes", "spares"] = "text"
    words: tuple[str, ...] = ()


FIELDS: tuple[RequestField, ...] = (
    RequestField("name", "项目名称", "Project name", "显示在方案和报价单上", "stands on plan and quote"),
    RequestField("groups[0].gpus", "GPU 数量", "GPUs", "与节点数量二选一", "this or the number of nodes", "count"),
    RequestField("groups[0].nodes", "节点数量", "Nodes", "与 GPU 数量二选一", "this or the number of GPUs", "count"),
    RequestField(
        "groups[0].platform", "服务器平台", "Platform", "空白：通用 8 GPU 服务器", "blank: a generic 8-GPU server"
    ),
    RequestField(
        "fabrics[0].rate",
        "网络速率",
        "Rate",
        "InfiniBand：edr 至 xdr；RoCE：…gbe",
        "InfiniBand: edr to xdr; RoCE: ...gbe",
        "rate",
        (*INFINIBAND_RATES, *ETHERNET_RATES),
    ),
    RequestField(
        "fabrics[0].attached[0].ports_per_node",
        "每节点端口数",
        "Ports per node",
        "空白：按平台",
        "blank: what the platform has",
        "count",
    ),
    RequestField(
        "groups[0].nic",
        "网卡",
        "Adapter",
        "型号；included：随服务器；customer：客户自备",
        "part number; included: with the node; customer: bought by others",
    ),
    RequestField(
        "fabrics[0].oversubscription",
        "收敛比",
        "Oversubscription",
        "空白：1:1 无收敛",
        "blank: 1:1",
        "ratio",
        ("1:1", "2:1", "3:1", "4:1"),
    ),
    RequestField(
        "fabrics[0].attach",
        "接入方式",
        "Attachment",
        "空白：按规则",
        "blank: by the rule",
        "text",
        ("rail", "packed", "spread"),
    ),
    RequestField(
        "fabrics[0].planes",
        "平面",
        "Planes",
        "独立网络数量，或 rail",
        "independent fabrics, or rail",
        "planes",
        ("1", "2", "4", "rail"),
    ),
    RequestField(
        "fabrics[0].management",
        "交换机管理方式",
        "Management",
        "空白：带管理",
        "blank: managed",
        "text",
        ("managed", "external"),
    ),
    RequestField(
        "fabrics[0].reserve_ports",
        "预留端口",
        "Reserved ports",
        "为 UFM/SM 主机保留",
        "kept for subnet-manager hosts",
        "count",
    ),
    RequestField(
        "groups[0].grow_to", "最终节点数量", "Grow to nodes", "按最终规模布局", "laid out for it today", "count"
    ),
    RequestField(
        "fabrics[0].media",
        "线缆类型",
        "Media",
        "空白：自动",
        "blank: automatic",
        "text",
        ("auto", "copper", "optical", "singlemode"),
    ),
    RequestField(
        "room.uniform_length_mm",
        "统一线缆长度 (m)",
        "Uniform length (m)",
        "勘测前所有线缆按此长度",
        "one length for all cables",
        "metres",
    ),
    RequestField(
        "spares",
        "备品备件",
        "Spares",
        "空白：无；field 或百分比，如 5%",
        "blank: none; field, or a percentage such as 5%",
        "spares",
        ("none", "field"),
    ),
)
"""In the order of the sheet."""
