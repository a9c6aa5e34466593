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
    "floor_unmeasured": "一段中最多有 {count} 根双绞线无公布外径，未计入截面积（以 + 标记）。",
    "floor_busiest": "最满的一段：{place}，{cables} 根线缆，{area} cm²，{fill} %。",
    "floor_no_trays": "没有线缆离开机柜。",
    "key_node_rack": "节点机柜", "key_network_rack": "网络机柜",
    "segment_along": "{one}–{other}", "segment_across": "{one}–{other} 列之间，位置 {position}",
    "cables": "线缆", "bundles": "线束", "bundle_letter": "束",
    "head_kind": "桥架段", "head_from": "起", "head_to": "止", "head_area": "截面积 cm²",
    "head_unmeasured": "外径未知的线缆", "head_fill": "占 300 × 100 mm 的 %",
    "along": "沿列", "across": "跨列",
    # Crew pack: sheets.
    "sheet_packages": "工作包", "sheet_checklist": "检查表", "sheet_ports": "端口 {row}",
    "sheet_labels": "标签", "sheet_cuts": "裁线清单", "sheet_lengths": "长度", "sheet_edges": "余量不足",
    "crew_title": "{name}：布线施工包",
    "crew_counts": "共 {cables} 根线缆（{pieces} 条点到点连接，{labels} 张标签），{packages} 个工作包，"
    "{teams} 个班组共 {steps} 步。",
    "crew_one": "共 {cables} 根线缆（{pieces} 条点到点连接，{labels} 张标签），{packages} 个工作包，一个班组。",
    "crew_order": "按步施工：所有班组完成一步后再进入下一步，同一机柜内不会有两个班组。"
    "先柜内，再同列，后跨列；短的线束在先。",
    "crew_idle": "{slots} 个班次中有 {idle} 个班组无独占机柜而等待；最多 {most} 个班组可同时施工。",
    "crew_reserved": "{count} 个预留端口不布线。",
    "crew_lengths_estimated": "长度按默认机房估算：订货前须现场勘测。",
    "crew_lengths_uniform": "按统一长度订货：所需长度不反映机房实际。",
    "crew_elsewhere": "{rows} 行超出工作簿容量：见 {file}。",
    "crew_no_spares": "请求未要求备件；--spares field 可为每种增加少量备件。",
    "no_edges": "没有余量低于 {percent} % 的线缆。",
    "edges_uniform": "未列出：按统一长度订货。",
    "route_inside": "柜内", "route_within": "同列", "route_between": "跨列",
    "end_A": "A", "end_Z": "Z", "end_head": "分支线缆头端", "stock_flag": "旗形", "stock_wrap": "缠绕",
    "no_longer": "无：须换技术", "by_metre": "任意长度",
    # Crew pack: headings.
    "head_step": "步骤", "head_team": "班组", "head_package": "工作包", "head_route": "路由", "head_racks": "机柜",
    "head_cables": "线缆数", "head_pieces": "点到点连接", "head_bundles": "线束",
    "head_shortest": "最短 m", "head_longest": "最长 m", "head_number": "序号", "head_id": "编号",
    "head_rack": "机柜", "head_u": "U 位", "head_device": "设备", "head_port": "端口", "head_portnumber": "端口号",
    "head_far_rack": "对端机柜", "head_far_u": "对端 U 位", "head_far_device": "对端设备",
    "head_far_port": "对端端口",
    "head_a_rack": "A 机柜", "head_a_u": "A U 位", "head_a_device": "A 设备", "head_a_port": "A 端口",
    "head_z_rack": "Z 机柜", "head_z_u": "Z U 位", "head_z_device": "Z 设备", "head_z_port": "Z 端口",
    "head_label_a": "A 端标签", "head_label_z": "Z 端标签", "head_part": "型号", "head_length": "订货长度 m",
    "head_required": "所需长度 m", "head_slack": "余量 m", "head_slack_percent": "余量 %", "head_bundle": "线束",
    "head_done": "完成", "head_by": "施工人", "head_date": "日期", "head_note": "备注",
    "head_end": "端", "head_near": "第 1 行（本端）", "head_far": "第 2 行（对端）", "head_stock": "标签类型",
    "head_diameter": "外径 mm", "head_wrap": "缠绕长度至少 mm", "head_family": "系列",
    "head_required_from": "所需最短 m", "head_required_to": "所需最长 m",
    "head_slack_least": "最小余量 m", "head_slack_mean": "平均余量 m", "head_spare": "备件",
    "head_order": "订货数量", "head_metre": "不超过 m", "head_required_count": "所需根数",
    "head_ordered_count": "订货根数", "head_next": "下一长度 m",
    # Label sheet.
    "labels_title": "{name}：线缆标签",
    "labels_hint": "A4 每页 44 张标签，48.5 × 25.4 mm。按 100 % 打印，不留页边距、页眉和页脚。"
    "第 1 行为本端，第 2 行为对端。",
    "labels_stock": "{stock}标签：{count} 张",
    # Progress.
    "progress_head": "共 {total} 条，已完成 {done} 条（{percent} %）",
    "progress_package": "{package}（{route}）：{done} / {total}（{percent} %）",
    "progress_missing": "规划中有 {count} 条不在文件内，按未完成计：{ids}",
    "progress_unknown": "{where}：“{id}”不在此规划中",
    "progress_twice": "{where}：“{id}”已在第 {first} 行出现",
    "progress_mark": "{where}：“{mark}”既非完成也非未完成；请填 x 或留空",
    "progress_no_id": "{where}：有标记而无编号",
}  # fmt: skip
