"""Problems with rooms and positions in Chinese; as in ``problems``."""

from __future__ import annotations

from collections.abc import Mapping

ROOM: Mapping[str, tuple[str, str]] = {
    "room-too-small": (
        "机房放不下：还有 {left} 台设备无处安放（可用机柜 {racks} 个）；每台需 {height}U、{power} W、{weight} kg；"
        "{why}",
        "请增加机柜、提高上限，或增加每柜节点数；node、network 类机柜不放其他设备",
    ),
    "position-unnamed": ("没有设备名称", "请填写设备名称，或清空该行"),
    "position-device": ("'{name}' 不是本方案的设备", "是否想用 {near}？"),
    "position-stranger": (
        "'{name}' 不是本方案的设备",
        "名称须与方案一致：fabricplan render plan.json --format positions 可列出",
    ),
    "position-twice": ("{device} 出现两次，前一处在 {place}", "请保留一处"),
    "position-rackless": ("{name} 没有机柜", "请填写机柜名称，或其在列中的编号"),
    "position-rack": ("没有机柜 '{rack}'", "是否想用 {near}？机房有 {first} 至 {last}"),
    "position-rack-unknown": ("没有机柜 '{rack}'", "机房有 {first} 至 {last}"),
    "position-rack-default": (
        "默认机房没有机柜 '{rack}'",
        "默认机房只有方案所需的 {first} 至 {last}；自有机柜请在 room 中描述（docs/room.md）",
    ),
    "position-row": ("没有列 '{row}'", "现有列：{rows}"),
    "position-other-row": ("机柜 {rack} 在 {stands} 列，不在 {row} 列", "请更正列或机柜"),
    "position-unitless": ("{name} 没有 U 位", "请填写最低 U 位，自下而上从 1 计"),
    "position-text": ("'{text}' 不是 U 位", "须为整数：最低 U 位，自下而上从 1 计"),
    "position-below": ("U 位 {u} 小于 1", "U 位自下而上从 1 计"),
    "position-fixed": ("机柜 {rack} 为已有设备专用（fixed）", "请换机柜，或在需求中更改其 kind"),
    "position-high": (
        "{device}（{height}U）在第 {u}U，顶部到第 {top}U，机柜 {rack} 只有 {units}U",
        "最高可从第 {most}U 开始",
    ),
    "position-no-room": ("{device} 高 {height}U，机柜 {rack} 只有 {units}U", "请用更高的机柜"),
    "position-reserved": ("{device}（{height}U）在第 {u}U，占用机柜 {rack} 预留的第 {taken}U", "请换 U 位"),
    "position-panel": (
        "{device}（{height}U）在第 {u}U，占用机柜 {rack} 的第 {taken}U，该处为配线架 {panel}",
        "请换 U 位，或移动配线架（room.panels）",
    ),
    "position-box": (
        "{device} 与 {other} 同属一台机箱，却分别在 {rack} 第 {u}U 和 {other_rack} 第 {other_u}U",
        "两者位置须相同",
    ),
    "position-overlap": (
        "{device}（{span}）与 {other}（{other_span}，见 {place}）在机柜 {rack} 中重叠",
        "请移动其中一台",
    ),
    "position-more": ("另有 {rest} 处错误未列出", "该文件是否属于本方案？"),
    "position-missing": (
        "方案的 {devices} 台设备中有 {missing} 台没有位置：{names}",
        "每台设备都须有位置；fabricplan render plan.json --format positions 可生成待填文件；"
        "分期扩容的方案须含最终阶段的设备",
    ),
}

_SHORT = {"units": "U 位不足", "power": "功率不足", "weight": "承重不足", "liquid": "无冷却液", "airflow": "风向不合",
          "nodes": "节点数已满"}  # fmt: skip


def reasons(params: Mapping[str, int | float | str]) -> str:
    """Return what keeps boxes out of racks, and out of how many.

    >>> reasons({"no_units": 0, "no_power": 3, "no_nodes": 2, "most_power": "5,000 W"})
    '其中功率不足 3 个（每柜至多 5,000 W）、节点数已满 2 个'
    >>> reasons({"no_units": 0}), reasons({"network": 3, "racks": 3}), reasons({"network": 1, "racks": 3})
    ('均已占满', '其中network 类（不放节点）3 个', '其中network 类（不放节点）1 个，其余均已占满')
    """
    found = []
    for word, text in _SHORT.items():
        most = str(params.get(f"most_{word}", "")).replace(" units", " U")
        if params.get(f"no_{word}"):
            found.append(f"{text} {params[f'no_{word}']} 个" + (f"（每柜至多 {most}）" if most else ""))
    network = int(params.get("network", 0))
    if network:
        rest = "" if found or network == params.get("racks") else "，其余均已占满"
        found.append(f"network 类（不放节点）{network} 个{rest}")
    return f"其中{'、'.join(found)}" if found else "均已占满"
