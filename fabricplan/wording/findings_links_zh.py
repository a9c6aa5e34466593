"""Findings on the parts of links in Chinese: modules, cables, lengths; as in ``findings_zh``."""

from __future__ import annotations

LINKS: dict[str, tuple[str, str]] = {
    "link-without-parts": (
        "{subject}：端口 {port} 到 {far} 没有线缆；共 {links} 条链路",
        "请勿订货：物料清单不完整；请反馈该需求",
    ),
    "reserved-port-without-parts": (
        "{subject}：{ports} 个预留端口的主机未知，物料清单中没有对应的光模块和线缆",
        "请在需求的该网络中写明这些主机的网卡：reserve_adapter: 料号",
    ),
    "module-missing": (
        "{subject}：{device} 的 {cage} 物理端口有光纤而没有光模块；{links} 条链路",
        "请勿订货：物料清单缺少光模块；请反馈该需求",
    ),
    "form-mismatch": (
        "{subject}：{part} 为 {has}，{cage} 物理端口只接 {takes}；{links} 条链路，首处在 {device}",
        "该部件插不进去；请勿订货，请检查产品目录中的搭配",
    ),
    "top-mismatch": (
        "{subject}：{part} 顶部为 {has}，{cage} 物理端口需要 {takes}；{links} 条链路，首处在 {device}",
        "带散热鳍片（finned-top）用于风冷交换机，平顶（flat-top）用于网卡和 DGX；请勿订货，请检查产品目录中的搭配",
    ),
    "lanes-mismatch": (
        "{subject}：{part} 为 {lanes} 通道 × {lane_gbps}G，{cage} 物理端口为 {cage_lanes} 通道 × {cage_lane_gbps}G；"
        "{links} 条链路，首处在 {device}",
        "链路无法以该速率启用；请勿订货，请检查产品目录中的搭配",
    ),
    "single-in-twin": (
        "{subject}：单端口光模块 {part} 插在双端口物理端口（{cage}）中；{links} 条链路，首处在 {device}",
        "物理端口的一半会闲置；请订购双端口光模块，请检查产品目录中的搭配",
    ),
    "fibre-mode": (
        "{subject}：{part} 为 {has}，光纤 {fibre} 为 {mode}；{links} 条链路，首处在 {device}",
        "链路无法启用（multimode 多模，singlemode 单模）；请勿订货，请检查产品目录中的搭配",
    ),
    "connector-mismatch": (
        "{subject}：{part} 接口为 {has}，光纤 {fibre} 为 {connector}；{links} 条链路，首处在 {device}",
        "APC 与 UPC 不能对接，MPO 与 LC 也不能；请勿订货，请检查产品目录中的搭配",
    ),
    "optics-mismatch": (
        "{subject}：{part} 为 {optics}，对端 {far_part} 为 {far_optics}；{links} 条链路，首处在 {device}",
        "两端光信号不一致，无法互通；请勿订货，请检查产品目录中的搭配",
    ),
    "part-technology": (
        "{subject}：{part} 只支持 {serves}，而该网络为 {technology}；{links} 条链路，首处在 {device}",
        "请订购与网络技术一致的部件；请检查产品目录中的搭配",
    ),
    "too-short": (
        "{subject}：到 {far} 的线缆为 {ordered_m:g} m，走线需要 {needed_m:g} m；共 {links} 条链路",
        "请勿订货；请设定 --uniform-length-m，或反馈该需求",
    ),
    "out-of-reach": (
        "{subject}：{part} 最远 {reach_m:g} m，而订购长度为 {length_m:g} m；{links} 条链路，首处在 {device}",
        "请拉近机柜，或采用更远距离的光模块（media: singlemode）",
    ),
    "unlisted-joint": (
        "{subject}：{part} 及其光模块不是连接 {upper} 与 {lower} 的已知搭配；{links} 条链路，首处在 {device}",
        "请勿订货：共用物理端口的链路可能配了不同的光模块；请反馈该需求",
    ),
    "module-twice": (
        "{subject}：物理端口 {cage} 配了 {modules} 个光模块；共 {cages} 个物理端口",
        "请勿订货：物料清单重复计算了光模块；请反馈该需求",
    ),
    "module-without-link": (
        "{subject}：物理端口 {cage} 的光模块没有链路；共 {modules} 个光模块",
        "请勿订货：物料清单多算了光模块；请反馈该需求",
    ),
    "module-overloaded": (
        "{subject}：物理端口 {cage} 的链路需要 {gbps} Gb/s，{part} 只有 {most} Gb/s；共 {modules} 个光模块",
        "请勿订货；请检查产品目录中的搭配",
    ),
    "fibres-mixed": (
        "{subject}：物理端口 {cage} 的光模块接了两种光纤：{one} 与 {other}；共 {cages} 个物理端口",
        "一个光模块的两根光纤必须同类；请让同一物理端口的链路用同一介质，或反馈该需求",
    ),
    "estimated-beyond-multimode": (
        "{subject}：按机房布局估算，{links:,} 条链路超过 {metres:g} m，因此选了单模或更远距离的单模光模块",
        "订货前请实测：给出 --uniform-length-m，或填写与现场一致的机房参数",
    ),
    "copper-by-estimate": (
        "{subject}：{links:,} 条链路为铜缆，长度按机房布局估算；铜缆偏短无法接长",
        "订货前请实测机柜间距，或改用光连接",
    ),
    "copper-beyond": (
        "{subject}：要求用铜缆，但 {links:,} 条链路中 {optical:,} 条没有足够长的铜缆（最长 {reach_m:metres}），"
        "已改用光缆",
        "请让节点靠近 Leaf（nodes_per_rack、racks_per_row），或去掉 --media copper",
    ),
    "media-no-part": (
        "{subject}：要求 --media {media}，但没有可订购的此类部件能连接 {upper} 与 {lower}；"
        "{links:,} 条链路中 {missed:,} 条改用其他介质",
        "请改选型号或网卡（fabricplan catalog mates 可查两端能用的部件），或去掉 --media {media}",
    ),
    "media-does-not-fit": (
        "{subject}：要求 --media {media}，但此类部件须占满 {upper} 与 {lower} 的整个端口笼，"
        "而这里同一端口笼的链路通往不同设备；{links:,} 条链路中 {missed:,} 条改用其他介质",
        "请让同一端口笼的链路两端相同（节点集中接入、每对交换机偶数条链路），或去掉 --media {media}",
    ),
    "length-gap": (
        "{subject}：{cables:,} 根线缆按 {ordered_m:g} m 订货，而路由最多只需 {needed_m:metres}："
        "目录中没有更接近且可订购的长度",
        "请预留余长空间，改用其他介质（--media），或在自有目录中补充可购长度（--catalog）",
    ),
    "length-gap-merged": (
        "{subject}：{cables:,} 根线缆按 {ordered_m:g} m 订货，而路由最多只需 {needed_m:metres}："
        "--merge-below {below} 将其并入更长一档",
        "请预留余长空间，或减小 --merge-below",
    ),
    "placed-for-cost": (
        "{subject}：Leaf 按“{leaves}”放置，为 {tried} 种布局中最优，节省光端口 {saved_ends:,} 个、光模块 "
        "{saved_modules:,} 只："
        "现为 {ends:,} 个、{modules:,} 只、线缆 {metres:,} m；不用 --place-for 时为 {plain_ends:,} 个、"
        "{plain_modules:,} 只、"
        "{plain_metres:,} m；默认布局在可及处用铜缆时为 {rule_ends:,} 个",
        "铜缆按机房估算长度选定：订货前请实测（render --format lengths）",
    ),
    "placed-for-reach": (
        "{subject}：Leaf 按“{leaves}”放置，为 {tried} 种布局中最优：最长路由 {longest_m:metres}，线缆 {metres:,} m；"
        "不用 --place-for 时为 {plain_longest_m:metres}、{plain_metres:,} m",
        "最终确定前请在平面图上核对机柜（render --format elevations）",
    ),
    "placed-for-only": (
        "{subject}：Leaf 按“{leaves}”放置：光端口 {ends:,} 个，最长路由 {longest_m:metres}；默认布局无法布线",
        "由机房决定：订货前请实测",
    ),
    "surveyed-lengths": (
        "{subject}：全部 {cables:,} 根线缆的长度均为实测",
        "请将勘测表与方案一并保存：设备移位后须重新测量",
    ),
    "surveyed-partly": (
        "{subject}：{cables:,} 根线缆中 {surveyed:,} 根的长度为实测",
        "其余仍为估算或统一长度：render --format lengths 可导出待填写的长度表",
    ),
    "estimated-lengths": (
        "{subject}：{cables:,} 根线缆的长度（最长 {longest_m:metres}）按机房布局估算",
        "订货前请实测；--uniform-length-m 可指定统一长度，机房的描述方法见 docs/room.md",
    ),
    "low-confidence-joint": (
        "{subject}：该搭配为推断，没有文档依据：{joint}（{links:,} 条链路）",
        "订货前请向 NVIDIA 确认该搭配",
    ),
}
# of a fabric that grows the numbers are those of its final stage
LINKS |= {
    f"{code}-final": (LINKS[code][0].replace("{subject}：", "{subject}，终期：", 1), LINKS[code][1])
    for code in ("placed-for-cost", "placed-for-reach", "placed-for-only")
}
