"""Chinese words of rack elevations, the floor plan and the crew pack."""

from __future__ import annotations

from collections.abc import Mapping

TERMS: Mapping[str, str] = {
    # Elevations.
    "elevation_title": "{name}：机柜立面图，{row} 列",
    "elevation_note": "正面视图，按比例绘制：1 U = 44.45 mm，面板宽 482.6 mm，机柜宽 {pitch} mm；U 位自下而上编号，"
    "机柜按编号排列。",
    "elevation_faces": "交换机旁的前、后：端口朝向机柜的一侧，由风向得出；前为冷通道。无论朝向，均绘于所在 U 位。",
    "face_front": "前", "face_rear": "后", "head_face": "前/后", "topic_face": "前侧与后侧",
    "guide_face": "“端口”各页的前/后指交换机端口朝向机柜前侧（冷通道）或后侧。",
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
    "floor_stretched_rows": "相距较近的列在图中拉开，以标注数字。",
    "floor_route_crossings": "假定路由（与长度计算一致）：在 A 端进桥架，沿列及跨列桥架走最短路径，在 Z 端出。"
    "柜内线缆不进桥架。",
    "floor_note_under": "俯视图。每列上方的条带为该列走线槽；走线槽在地板下，画在机柜旁。"
    "每段标注：线缆数、线束数（机柜对）、截面积 cm²。",
    "floor_route": "假定路由（与长度计算一致）：在 A 端上升，沿本列走到 Z 端位置，再跨列。柜内线缆不进桥架。",
    "floor_area": "假定外径：铜缆 9.43 mm、AOC 3.0 mm（NVIDIA DGX SuperPOD 设计指南），光纤同 AOC；"
    "分支线缆按尾端计数。颜色：占 300 × 100 mm 桥架（假定）的比例：25 % 以下、50 % 以下、以上。",
    "floor_unmeasured": "一段中最多有 {count} 根线缆（{kinds}）无公布外径，未计入截面积（以 + 标记）。",
    "bare_twisted-pair": "双绞线", "bare_trunk": "主干光缆", "bare_and": "、",
    "floor_busiest": "最满的一段：{place}，{cables} 根线缆，{area} cm²，{fill} %。",
    "floor_no_trays": "没有线缆离开机柜。",
    "key_node_rack": "节点机柜", "key_network_rack": "网络机柜",
    "segment_along": "{one}–{other}",
    "cables": "线缆", "bundles": "线束", "bundle_letter": "束",
    "head_kind": "桥架段", "head_from": "起", "head_to": "止", "head_area": "截面积 cm²",
    "head_unmeasured": "外径未知的线缆", "head_fill": "占 300 × 100 mm 的 %",
    "along": "沿列", "across": "跨列",
    # Crew pack: sheets.
    "sheet_guide": "说明", "sheet_packages": "工作包", "sheet_checklist": "检查表", "sheet_ports": "端口 {row}",
    "sheet_labels": "标签",
    "sheet_package_cuts": "各包用线", "sheet_cuts": "裁线清单", "sheet_lengths": "长度", "sheet_edges": "余量不足",
    "crew_title": "{name}：布线施工包",
    "crew_counts": "共 {cables} 根线缆（{pieces} 条点到点连接，{labels} 张标签），{packages} 个工作包，"
    "{teams} 个班组共 {steps} 步。",
    "crew_one": "共 {cables} 根线缆（{pieces} 条点到点连接，{labels} 张标签），{packages} 个工作包，一个班组。",
    "crew_order": "按步施工：所有班组完成一步后再进入下一步，同一机柜内不会有两个班组。"
    "先柜内，再同列，后跨列；短的线束在先。",
    "crew_idle": "{slots} 个班次中有 {idle} 个班组无独占机柜而等待；最多 {most} 个班组可同时施工，再增加班组无益。",
    "crew_hours": "工作量估算：{hours} 人时（每条点到点连接 {minutes:g} 分钟，为我方取值）。",
    "crew_reserved": "{count} 个预留端口不布线。",
    "crew_lengths_estimated": "长度按机房布局估算：订货前须现场勘测。",
    "crew_lengths_surveyed": "全部长度均为实测。",
    "crew_lengths_partly": "{cables} 根线缆中 {surveyed} 根的长度为实测；其余为估算或统一长度。",
    "crew_lengths_uniform": "按统一长度订货：所需长度不反映机房实际。",
    "crew_elsewhere": "{rows} 行超出工作簿容量：见 {file}。",
    "crew_rare": "有 {count} 种长度的需求少于 {below} 根；--merge-below {below} 可并入下一长度。",
    "crew_no_spares": "请求未要求备件；--spares field 可为每种增加少量备件。",
    "no_edges": "没有余量低于 {percent} % 的线缆。",
    "edges_uniform": "未列出：按统一长度订货。",
    "route_inside": "柜内", "route_within": "同列", "route_between": "跨列",
    "end_A": "A", "end_Z": "Z", "end_head": "分支线缆头端", "stock_flag": "旗形", "stock_wrap": "缠绕",
    "no_longer": "无：须换技术", "by_metre": "任意长度",
    # Crew pack: how to read it.
    "head_topic": "主题", "head_guide": "阅读方法与注意事项", "head_module": "本端口光模块", "head_hours": "人时",
    "topic_order": "顺序", "topic_package": "工作包", "topic_ends": "两端", "topic_label": "标签", "topic_port": "端口",
    "topic_shared": "一头两口", "topic_splitter": "分支线缆", "topic_panel": "配线架",
    "topic_side": "左右走线", "side_left": "左", "side_right": "右", "head_side": "理线侧",
    "guide_side": "“端口”各页的理线侧指线缆从交换机引出的机柜一侧（面向端口）：左半笼位走左侧，右半笼位走右侧，"
    "不得跨越面板中线。未填写表示面板布局未知：走较近一侧。",
    "sides": "线缆左 {left}，右 {right}",
    "topic_module": "光模块", "topic_fibre": "光纤",
    "topic_lengths": "长度", "topic_handling": "布放", "topic_done": "完成", "topic_trouble": "遇到不符",
    "guide_order": "“工作包”表按步骤给出各班组的工作包；所有班组完成一步后再进入下一步。包内按“检查表”的顺序布线。",
    "guide_package": "一个工作包由一个班组完成。检查表中对应各页说明插接位置，“各包用线”说明领料。"
    "线束指同两个机柜之间的全部线缆，应整束布放。",
    "guide_ends": "每行为一条插头到插头的连接。A 为靠近服务器的一端（服务器，否则为叶交换机），例如 {a}；"
    "Z 为靠近脊的一端（叶、脊或核心交换机），例如 {z}。与机柜内的高低无关，高低见 U 位。",
    "guide_label": "两端各贴一张标签：第 1 行为本端，第 2 行为对端，编号另列。{id} 的 A 端第 1 行为 {near}："
    "机柜 {rack}，U 位 {u}（自下而上），其后为端口；第 2 行为 {far}。"
    "二维码内容为编号和端，例如 {code}。穿线前先贴好两端标签。",
    "guide_port": "端口名称与面板一致，例如 {device} 上为 {port}。“端口”各页按机柜自上而下排列。",
    "guide_shared": "{port} 为同一笼位的一个插头，服务两个端口：一根线缆，一行（{id}）。",
    "guide_splitter": "分支线缆为一头多尾，各尾等长。{cable} 为线缆编号，{id} 为其中一尾；头端只插一次。",
    "guide_panel": "{panel} 为配线架：主干从背面接入，跳线从正面接入，逐端口对应。{id} 是一根主干，从 {panel} 的端口 "
    "{ports} 到 {far} 的同号端口，第 1 支接最小端口号。主干可最先敷设并测试。",
    "guide_module": "先插入端口旁所列的光模块（{modules}）；外观相近的模块顶部不同（带鳍片或平顶），不得互换。"
    "空白表示插头为线缆自带。",
    "guide_fibre": "本工程光纤：{kinds}。每次插接前检查并清洁两端端面。APC（绿色）不得与 UPC 对接。极性由部件决定："
    "不得翻转或改针。",
    "guide_lengths": "按该行订货长度取线，不得取短。“余量不足”表列出几乎无余量的线缆：走最直路由，并先行布放。",
    "guide_handling": "光纤弯曲半径不小于外径的 10 倍，铜缆不小于 58 mm；无支撑悬垂不超过 2 m；用魔术贴绑带，"
    "不用硬扎带；"
    "不遮挡风口和电源；余长盘放于机柜侧面。",
    "guide_done": "两端均已插接、锁紧并贴标后勾选该行，填写姓名和日期。progress.csv 填写相同标记：可读回统计进度。",
    "guide_trouble": "端口被占、设备位置不符、线缆过短或损坏：该行保持未完成，写入备注并告知规划人员。"
    "不得改插其他端口：端口号决定流量分布。",
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
    "head_source": "估算/实测",
    "head_done": "完成", "head_by": "施工人", "head_date": "日期", "head_note": "备注",
    "head_qr": "二维码",
    "head_end": "端", "head_near": "第 1 行（本端）", "head_far": "第 2 行（对端）", "head_stock": "标签类型",
    "head_diameter": "外径 mm", "head_wrap": "缠绕长度至少 mm", "head_family": "系列",
    "head_required_from": "所需最短 m", "head_required_to": "所需最长 m",
    "head_slack_least": "最小余量 m", "head_slack_mean": "平均余量 m", "head_spare": "备件",
    "head_order": "订货数量", "head_metre": "不超过 m", "head_required_count": "所需根数",
    "head_ordered_count": "订货根数", "head_next": "下一长度 m",
    # The customer's room.
    "given_room": "机房按需求文件描述；线缆长度在路由勘测前均为估算。",
    "given_positions": "设备位置取自客户提供的位置表；线缆长度在路由勘测前均为估算。",
    "keep_out": "不设机柜",
    "fixed_rack": "已有设备",
    "reserved_unit": "预留",
    "panel_units": "配线架 {units}U", "head_panel_units": "配线架 U",
    "panel_used": "{used}/{ports} 端口",
    "later": "为后续阶段预留：{what}",
    "later_and": "、",
    "later_nodes": "节点 {count} 台",
    "later_switches": "交换机 {count} 台",
    "head_later_nodes": "后续阶段节点数",
    "head_later_switches": "后续阶段交换机数",
    "of_limit": "{value}，上限 {limit}",
    "feeds": "A 路 {a} + B 路 {b} kW",
    "feed_lost": "失去一路：另一路 {alone} kW",
    "feed_lost_some": "失去一路：{alone} kW，{lost} 台停机",
    "feed_none": "无交流电源：母排供电",
    "head_units": "U 数",
    "head_used": "已用 U",
    "head_reserved": "预留 U",
    "head_boxes": "设备数",
    "head_power": "最大功耗 W",
    "head_power_unknown": "最大功耗未知台数",
    "head_power_limit": "功率上限 W",
    "head_typical": "典型功耗 W",
    "head_typical_unknown": "典型功耗未知台数",
    "head_feed_a": "A 路 W",
    "head_feed_b": "B 路 W",
    "head_alone_a": "仅 A 路 W",
    "head_alone_b": "仅 B 路 W",
    "head_feed_unknown": "供电分路未知台数",
    "head_lost": "失一路停机台数",
    "head_direct": "母排供电台数",
    "head_weight": "重量 kg",
    "head_weight_unknown": "重量未知台数",
    "head_weight_limit": "承重上限 kg",
    "key_fixed_rack": "已有设备",
    "segment_at": "{one}–{other} 列之间，{place} 处",
    # Positions.
    "head_stage": "阶段",
    "stage_today": "当前",
    "stage_later": "后续",
    "sheet_positions": "位置", "head_row": "列", "head_model": "型号", "head_height": "高度 U",
    # Survey of lengths.
    "sheet_survey": "长度表", "head_estimate": "估算长度 (m)", "head_surveyed": "实测长度 (m)",
    "survey_note": "沿实际路由测量插头到插头的长度，含应有余量。填写米数，或连同单位填写（420 cm、13 ft 9 in）。"
    "留空的行沿用估算值。读回：design --lengths",
    # Label sheet.
    "labels_title": "{name}：线缆标签",
    "labels_hint": "A4 每页 44 张标签，48.5 × 25.4 mm。按 100 % 打印，不留页边距、页眉和页脚。"
    "第 1 行为本端，第 2 行为对端。",
    "zpl_letters": "ZPL 文件含非 ASCII 字符（机柜名称）。各 Zebra 打印机字库不同：请先试打一张；如有缺字，"
    "请将含这些字的字体设为 0 号字体，或改用 --printer a4 或 tape。",
    "labels_stock": "{stock}标签：{count} 张",
    # Progress.
    "progress_head": "共 {total} 条，已完成 {done} 条（{percent} %）",
    "progress_package": "{package}（{route}）：{done} / {total}（{percent} %）",
    "progress_missing": "规划中有 {count} 条不在文件内，按未完成计：{ids}",
    "progress_unknown": "{where}：“{id}”不在此规划中",
    "progress_twice": "{where}：“{id}”已在第 {first} 行出现",
    "progress_mark": "{where}：“{mark}”既非完成也非未完成；请填 x 或留空",
    "progress_no_id": "{where}：有标记而无编号",
    "progress_ends": "{where}：{id} 在文件中连接 {told}，在规划中连接 {planned}；不计入",
    "progress_other_plan": "{name} 出自另一规划或较早的阶段：其中 {rows} 条的两端与规划不同，均不计入。"
    "请使用生成该文件的 plan.json。",
    "progress_unknown_ids": "{name}：{count} 个编号不在此规划中：{ids}",
}  # fmt: skip
