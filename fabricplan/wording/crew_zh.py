"""Chinese words of rack elevations, the floor plan and the crew pack."""

from __future__ import annotations

from collections.abc import Mapping

TERMS: Mapping[str, str] = {
    # Elevations.
    "elevation_title": "{name}：机柜立面图，{row} 列",
    "elevation_note": "正面视图，按比例绘制：1 U = 44.45 mm，面板宽 482.6 mm，机柜宽 {pitch} mm；U 位自下而上编号。"
    "图中不表示端口朝向。",
    "default_room": "默认机房：未经现场勘测，位置与长度均为估算。",
    "used_u": "已用 {used} / {total} U", "used_u_unknown": "已用 {used} / {total} U，{unknown} 台高度未知",
    "power_max": "最大功率 {value}", "power_typical": "典型功率 {value}", "weight": "设备重量 {value}",
    "at_least": "≥ {value}，{unknown} 台未知", "all_unknown": "未知（{unknown} 台）", "nothing": "空柜",
    "unknown_facts": "未知且未计入：{models} 的{fact}。",
    "fact_height": "高度（虚线，按 1 U 绘制）", "fact_power_max_w": "最大功率",
    "fact_power_typical_w": "典型功率", "fact_weight_kg": "重量",
    "weight_note": "重量仅为设备本身，不含机柜、导轨、线缆和配电单元。",
    "kind_node": "节点", "kind_host": "预留端口主机", "kind_leaf": "叶交换机", "kind_spine": "脊交换机",
    "kind_core": "核心交换机",
    "row_sum": "{row} 列：{racks} 个机柜，最大功率 {power}，设备重量 {weight}",
    # Floor plan.
    "floor_title": "{name}：机房平面图与走线桥架",
    "floor_note": "俯视图。每列上方的条带为该列桥架；桥架实际位于机柜上方，图中绘于一侧。"
    "每段桥架标注：线缆数、线束数（机柜对）、截面积（cm²）。",
    "floor_stretched": "列间距为 {pitch} m；为标注数字，图中间距加大。",
    "floor_route": "假定路由（与长度计算一致）：在 A 端上升，沿本列走到 Z 端位置，再跨列。柜内线缆不进桥架。",
    "floor_area": "假定外径：铜缆 9.43 mm、AOC 3.0 mm（NVIDIA DGX SuperPOD 设计指南），光纤同 AOC；"
    "分支线缆按尾端计数。颜色：占 300 × 100 mm 桥架（假定）的比例：25 % 以下、50 % 以下、以上。",
    "floor_unmeasured": "{count} 根双绞线无公布外径，未计入截面积（以 + 标记）。",
    "floor_busiest": "最满的一段：{place}，{cables} 根线缆，{area} cm²，{fill} %。",
    "floor_no_trays": "没有线缆离开机柜。",
    "key_node_rack": "节点机柜", "key_network_rack": "网络机柜",
    "segment_along": "{one}–{other}", "segment_across": "{one}–{other} 列之间，位置 {position}",
    "cables": "线缆", "bundles": "线束", "bundle_letter": "束",
    "head_kind": "桥架段", "head_from": "起", "head_to": "止", "head_area": "截面积 cm²",
    "head_unmeasured": "外径未知的线缆", "head_fill": "占 300 × 100 mm 的 %",
    "along": "沿列", "across": "跨列",
}  # fmt: skip
