"""Chinese words that only tables use: sheet names, headings, remarks."""

from __future__ import annotations

from collections.abc import Mapping

SHEETS: Mapping[str, str] = {
    "overview": "方案概览", "bill": "设备清单", "cable_summary": "线缆汇总", "cables": "端口互联表",
    "ports": "设备端口视图", "racks": "机柜布置", "findings": "问题与提示", "basis": "依据",
}  # fmt: skip

TERMS: Mapping[str, str] = {
    "tail": "分支", "a_cage": "A 端物理端口", "z_cage": "Z 端物理端口", "a_module_opn": "A 端光模块料号",
    "z_module_opn": "Z 端光模块料号", "cable_opn": "线缆料号", "family": "线缆系列",
    "piece": "连接编号", "end": "端", "site": "站点", "a_row": "A 端列", "z_row": "Z 端列", "a_kind": "A 端类别",
    "z_kind": "Z 端类别",
    "a_side": "A 端理线侧", "z_side": "Z 端理线侧", "left": "左", "right": "右",
    "a_model": "A 端型号", "z_model": "Z 端型号", "medium": "介质", "connector": "光纤接头",
    "serial": "序列号", "a_module_serial": "A 端光模块序列号", "z_module_serial": "Z 端光模块序列号", "by": "施工人",
    "date": "日期", "note": "备注",
    "patch_panel": "配线架", "side_a": "A 端", "side_z": "Z 端", "side_near": "本端", "side_far": "对端",
    "label_near": "标签（本端）",
    "label_far": "标签（对端）",
    "required_m": "所需长度 (m)", "spare_quantity": "备件", "with_spares": "合计", "subtotal": "小计",
    "share": "占比", "metres_total": "总长 (m)", "bundle_cables": "线缆数", "shortest_m": "最短 (m)",
    "longest_m": "最长 (m)", "height_u": "高度 (U)", "power_w": "最大功耗 (W)",
    "power_unknown": "功耗未知", "near_port": "端口", "near_module": "光模块", "far_rack": "对端机柜",
    "far_u": "对端 U 位", "cable_id": "线缆编号", "unit_short": "SU", "host": "预留主机",
    "rack_total": "机柜合计", "grand_total": "总计", "in_box": "第 {box} 台，同机箱",
    "order_pn": "订货型号", "has_management": "网管型",
    "general": "方案", "fabrics": "网络", "parts": "部件", "how_to_read": "端口互联表说明",
    "cables_elsewhere": "共 {rows:,} 行，超出工作表的合理行数：见 cables.csv，每根线缆一行。",
    "ports_elsewhere": "共 {rows:,} 个端口，超出工作表的合理行数：见 cables.csv，其中列出两端端口。",
    "no_findings": "无问题与提示。", "tbps": "对分带宽（Tb/s，单向）",
    "ratio_leaf": "Leaf 收敛比", "ratio_spine": "Spine 收敛比", "pair_links": "每对 Leaf-Spine 链路数",
    "link_rate": "链路速率 (Gb/s)", "switch_total": "交换机合计", "link_total": "链路合计", "length_note": "线缆长度",
    "length_estimated": "按机房布局估算，订货前请实测机房",
    "length_surveyed": "均为实测",
    "length_partly": "{cables} 根中 {surveyed} 根为实测，其余为估算或统一长度",
    "length_uniform": "按要求取统一长度",
    "power_known": "已知最大功耗合计 (kW)", "power_lacking": "功耗未知的设备数",
    "free": "空闲", "free_cages": "空闲：{cages} 个物理端口，另有使用中物理端口的 {ports} 个端口",
    "program": "程序版本", "schema": "文档格式", "catalog_digest": "产品目录哈希",
    "versions": "版本", "request": "需求", "rack_count": "机柜数", "findings_count": "问题与提示",
    "findings_line": "错误 {errors}，警告 {warnings}，提示 {infos}",
    "note_label": "线缆标签：A 端第一行为标签 A、第二行为标签 Z，Z 端相反。"
    "格式：机柜-U 位（自下而上）-端口；面板上的 IB1/8/1、swp33s1 "
    "在标签上写作 P08/1、P33s1。",
    "note_ends": "A 端为下级（节点、Leaf），Z 端为上级。分支线缆每个分支一行，编号相同。"
    "编号以 R 开头的是尚无线缆的预留端口。",
}  # fmt: skip
