"""Findings on the room in Chinese: racks, power, cooling, boxes; as in ``findings_zh``."""

from __future__ import annotations

ROOM: dict[str, tuple[str, str]] = {
    "airflow-mixed": (
        "机柜 {subject}：{p2c} 台交换机为 P2C（电源侧进风），{c2p} 台为 C2P（端口侧进风）；"
        "共 {racks} 个机柜（{named}）",
        "请统一风向（airflow: P2C 或 C2P），或把两种交换机放在不同机柜",
    ),
    "airflow-assumed": (
        "{subject} 有两种风向；需求未指定，取 {airflow}（{pn}）",
        "请核对冷通道与端口朝向，然后在需求中设定 airflow: P2C 或 C2P",
    ),
    "node-side-unknown": (
        "{subject}：叶交换机端口朝冷通道（C2P），节点（{groups}）端口朝向未知；{links:,} 条链路按同侧计算",
        "请在机房中填写 node_ports: front 或 rear；若为 rear，其每条路由增加 {more_m:g} m",
    ),
    "rack-too-low": (
        "机柜 {subject}：{device} 顶部到第 {top}U，机柜只有 {units}U；共 {devices} 台设备",
        "请放低设备、减少每柜节点数（nodes_per_rack），或用更高的机柜（机柜的 units 或 rack_units）",
    ),
    "rack-overlap": (
        "机柜 {subject}：{device} 与 {other} 同占第 {u}U；共 {devices} 台设备",
        "请减少每柜节点数（nodes_per_rack），或反馈该需求",
    ),
    "rack-reserved": (
        "机柜 {subject}：{device} 占用预留的第 {u}U；共 {devices} 台设备",
        "请换 U 位，或将该 U 从 reserved 中去掉",
    ),
    "rack-panel": (
        "机柜 {subject}：{device} 占用配线架 {panel} 所在的第 {u}U；共 {devices} 台设备",
        "请换 U 位，或移动配线架（room.panels）",
    ),
    "rack-fixed": (
        "机柜 {subject} 为已有设备专用（kind: fixed），{device} 却放在其中；共 {devices} 台设备",
        "请换机柜，或更改该机柜的 kind",
    ),
    "height-unknown": (
        "{subject}：{devices} 台设备高度未知，未计入 U 位",
        "请对照产品手册核对机柜布置，或在目录扩展中填写高度",
    ),
    "twin-box": (
        "{subject}：{boxes} 台机箱每台含两个独立交换机，共 {switches} 个；{unused} 个未使用",
        "订货按机箱数，布线按交换机数；一台机箱故障会影响两个交换机",
    ),
    "twin-box-shared": (
        "{subject} 与 {other} 属于不同平面或层级，却在同一机箱；共 {boxes} 台机箱",
        "请勿订货：一台机箱故障会使互为冗余的两台同时失效；请反馈该需求",
    ),
    "spines-in-one-box": (
        "{subject}：所在平面或 Pod 的 {spines} 台 Spine 都在同一机箱；共 {groups} 处",
        "该机箱是单点故障：请增加 Spine（min_spines: 4），或更换 Spine 型号",
    ),
    "no-psu": (
        "{subject}：{boxes} 台机箱没有自带电源；需要 {input}",
        "请为这些机柜订购母线或电源框，或选用自带电源的型号；资料未给出其料号，因此未列入清单，也未报价",
    ),
    "coolant-loop": (
        "{subject}：{boxes} 台机箱为液冷，机柜需要冷却液回路",
        "请与机房确认流量和温度，并订购分液器、软管和冷却液供应，或选用风冷型号；资料未给出其料号，因此未列入清单，也未报价",
    ),
    "rack-power": (
        "机柜 {subject}：设备最大功耗 {known:power}，上限 {limit:power}（另有 {unknown} 台功耗未知）；"
        "共 {racks} 个机柜（{named}）",
        "请减少该柜节点数（nodes_per_rack），或用 power_limit_w 更高的机柜",
    ),
    "rack-feed": (
        "机柜 {subject}：失去一路供电后另一路承担 {known:power}，上限 {limit:power}（另有 {unknown} 台功耗未知）；"
        "共 {racks} 个机柜（{named}）",
        "请减少该柜节点数（nodes_per_rack），或用 feed_limit_w 更高的供电",
    ),
    "rack-weight": (
        "机柜 {subject}：设备重 {known:,} kg，上限 {limit:,} kg（另有 {unknown} 台重量未知）；"
        "共 {racks} 个机柜（{named}）",
        "请减少该柜节点数（nodes_per_rack），或用 weight_limit_kg 更高的机柜与地板",
    ),
    "rack-power-unknown": (
        "{subject}：{racks} 个有功率上限的机柜装有功耗未知的设备：{models}",
        "请向厂家索取数据；在此之前上限检查不含这些设备",
    ),
    "rack-weight-unknown": (
        "{subject}：{racks} 个有承重上限的机柜装有重量未知的设备：{models}",
        "请向厂家索取数据；在此之前上限检查不含这些设备",
    ),
    "rack-cooling": (
        "机柜 {subject} 仅风冷，{device}（{model}）为液冷；共 {boxes} 台（机柜 {named}）",
        "请移到有冷却液回路的机柜（cooling: liquid），或选用风冷型号",
    ),
    "one-feed": (
        "{subject}：互为冗余的 {boxes} 台（至 {other}）都接在 {feed} 路，如机柜 {rack}；共 {groups} 组",
        "请把其中一台移到另一路供电的机柜，或为机柜接入 A、B 两路（feeds: [A, B]）",
    ),
    "feed-loss": (
        "{subject}：{boxes} 台满载需要 {supplies} 个电源中的 {needed} 个；两路供电失去一路后只剩 {left} 个",
        "请为这些机柜增加第三路供电，或接受失电时停机或降频",
    ),
    "power": (
        "{subject}：交换机最大功耗合计 {known_w:power}",
        "另加节点与制冷；数值为厂家最大功耗，注明时含有源光模块",
    ),
    "power-unknown": (
        "{subject}：交换机最大功耗合计 {known_w:power}，不含功耗未知的型号：{models}",
        "规划供电前请向厂家索取缺少的数据",
    ),
    "no-power-known": (
        "{subject}：交换机功耗未知：{models}",
        "规划供电前请向厂家索取数据",
    ),
}
