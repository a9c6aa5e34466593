"""Findings on patch panels in Chinese; as in ``findings_zh``."""

from __future__ import annotations

PANELS: dict[str, tuple[str, str]] = {
    "panel-mode": (
        "{subject}：跳线 {cord} 为 {mode}，主干 {trunk} 为 {trunk_mode}；共 {links} 条链路",
        "链路无法连通；请订购与跳线同模式的主干光缆",
    ),
    "panel-connectors": (
        "{subject}：{cord} 的接口为 {has}，主干 {trunk} 为 {needs}；共 {links} 条链路",
        "APC 与 UPC、MPO 与 LC 均不能对接；请订购与跳线接口相同的主干和配线架",
    ),
    "panel-pins": (
        "{subject}：跳线 {cord} 与主干 {trunk} 公母相同（{gender}），不能对接；共 {links} 条链路",
        "模块侧带针，因此跳线两端为母头，主干为公头：请订购公头主干",
    ),
    "panel-pins-unknown": (
        "{subject}：主干 {trunk} 是否带针未知，而跳线 {cord} 已标明；共 {links} 条链路",
        "请在目录中写明（gender: male both ends），或询问主干厂商",
    ),
    "panel-crossings": (
        "{subject}：跳线、主干、跳线共交叉 {crossings} 次（主干 {trunk}：{polarity}），为偶数，发送端将对发送端；"
        "共 {links} 条链路",
        "端到端极性须为 B 型：请选用 B 型主干，使交叉为三次",
    ),
    "panel-crossings-unknown": (
        "{subject}：主干 {trunk} 或跳线 {cord} 的极性未知；共 {links} 条链路",
        "请在目录中写明（polarity: Type-B crossover），或询问厂商",
    ),
    "panel-loss": (
        "{subject}：四对接头最多损耗 {loss_db} dB，模块标称距离只允许 {most_db} dB；主干为 {trunk}；共 {links} 条链路",
        "请订购低损耗接头（每个不超过 0.35 dB）",
    ),
    "panel-loss-unknown": (
        "{subject}：{parts} 的接头损耗未知，整条链路的 {most_db} dB 预算无法证明；共 {links} 条链路",
        "订货时要求每个接头不超过 0.35 dB，并写入目录（loss_db_max）",
    ),
    "panel-path": (
        "{subject}：跳线与主干合计 {length_m:g} m，{part} 只能到 {reach_m:g} m；共 {links} 条链路",
        "勿按此方案订货：请缩短配线架间距，或改用单模主干",
    ),
    "panel-port": (
        "{subject}：每端 {ports} 个端口上有 {links} 条链路，存在重复或超出的端口",
        "请勿订货或布线；这是程序错误，请反馈该需求",
    ),
    "media-through-panels": (
        "{subject}：{links} 条链路经过配线架，只能用与主干同类的光纤；而要求的介质为 {media}",
        "请将这些机柜移出配线架范围，或接受该处用光纤",
    ),
    "panel-pieces": (
        "{subject}：某端端口上有 {links} 条链路彼此或与机房不符，首个为 {device} 的端口 {port}：{what}",
        "请勿按此方案订货或布线：生成后被改动过；请重新生成",
    ),
    "panels-used": (
        "{subject}：{links} 条链路经过其配线架，使用 {trunks} 根主干；每端 {ports} 个端口中尚余 {free} 个",
        "跳线和主干已按长度列入清单；请按名称标识配线架",
    ),
    "panels-direct": (
        "{subject}：{fabric} 有 {links} 条位于两端之间的链路直接布线，不经过配线架：{parts} 不能接主干 {trunk}",
        "主干只接同模式、同接口的直通光纤；分支光纤和固定插头线缆（铜缆、AOC）直接布线。请将这些机柜或网络移出配线架范围，或选用同类光纤的主干",
    ),
    "panels-empty": (
        "{subject}：两端之间没有链路；其 {panels} 个配线架闲置，未列入清单",
        "请核对每端所服务的排和机柜",
    ),
    "surveyed-through-panels": (
        "{subject}：{links} 个实测长度属于经过配线架的链路，已忽略：没有一根线缆有这么长",
        "请改为实测主干：配线架的 trunk_length_mm",
    ),
    "cords-through-the-rack": (
        "{subject}：{cords} 根跳线穿过机柜，接到朝向另一侧的配线架，每根增加 {more_m:g} m",
        "可调整配线架朝向（face），或保持机柜内的穿线通道",
    ),
    "through-the-rack": (
        "{subject}：{links} 根线缆从机柜前侧穿到后侧（如 {front} 到 {rear}），每根增加 {more_m:g} m",
        "P2C 交换机端口朝热通道，C2P 朝冷通道；可更换风道方向，或修改机房的 pass_through_mm",
    ),
}
