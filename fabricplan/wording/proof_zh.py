"""Chinese words of a proof: findings, the screen and the certificate page."""

from __future__ import annotations

from collections.abc import Mapping

TEXT: Mapping[str, tuple[str, str]] = {
    "plan-rewritten": (
        "方案文件与本版本写出的格式不同（由 {version} 版本生成，或被修改过）；本计算书以现有文件为准",
        "如文件不应被改动，请重新生成方案",
    ),
    "plan-check-failed": (
        "方案未通过自身检查（{errors:,} 项错误，见下文），因此无论单项结果如何，方案未获证明",
        "请重新生成方案，或解决 fabricplan check 发现的问题",
    ),
    "proof-rate": (
        "{subject}：方案写明 {rate} 为 {stated:,} Gb/s，其交换机实际运行 {found:,} Gb/s",
        "数字已被改动，请重新生成方案",
    ),
    "proof-ratio": (
        "{subject}：方案写明 {tier} 层为 {stated}，表中实为 {found}",
        "请检查缺失的上联，或重新生成方案",
    ),
    "proof-stray-links": (
        "{subject}：{links:,} 条链路跨越平面或网络，或未连接交换机",
        "链路表已被改动，请重新生成方案",
    ),
    "proof-port-twice": ("{subject}：{ports:,} 个交换机端口上有多条链路", "链路表已被改动，请重新生成方案"),
    "proof-counts": (
        "{subject}：方案写明 {what} 为 {stated:,}，表中实有 {found:,}",
        "表已被改动，请重新生成方案",
    ),
    "proof-idle-switches": ("{subject}：{switches:,} 台交换机没有任何链路", "请去掉这些交换机，或为其布线"),
    "proof-host-above-leaf": (
        "{subject}：{ports:,} 个端点接在叶层以上",
        "请改接到叶交换机端口；胖树路由要求所有端点位于叶层",
    ),
    "proof-cut": (
        "{subject}：最窄对分带宽为 {found:,} Gb/s，方案声明 {claimed:,} Gb/s",
        "请检查交换机之间缺失或接错的链路",
    ),
    "proof-leaves-apart": (
        "{subject}：方案未将其 {leaves:,} 台叶交换机互联（上联至：{network}），不对叶间流量作声明",
        "",
    ),
    "proof-uneven": (
        "{subject}：叶与本 Pod 各脊、或脊与其核心之间的链路数不均等",
        "所有交换机对之间应布设相同数量的链路",
    ),
    "proof-flow-skipped": ("{subject}：{endpoints:,} 个端点规模过大，未做最大流遍历，仅采用闭式结果", ""),
    "proof-no-way": (
        "{subject}：{pairs:,} 组（叶，端点）之间没有先上后下的路径",
        "请检查缺失的链路和接错位置的端点",
    ),
    "proof-shift": (
        "{subject}：在 {total:,} 种移位中的 {shifts:,} 种，一条链路上有 {worst} 条流，允许 {allowed} 条"
        "（首次出现在移位 {first:,}）",
        "请检查缺失或交叉的链路；每台叶到每台脊的链路数应相同",
    ),
    "proof-shift-mixed": (
        "{subject}：各组节点的接入方式不同，不声明跨组移位无冲突：一条链路上最多 {worst} 条流，均分时为 {allowed} 条",
        "请启用自适应路由，或为各组分设网络",
    ),
    "proof-shift-sampled": ("{subject}：共 {total:,} 种移位，统计了 {counted:,} 种（首尾各段及固定随机样本）", ""),
    "proof-shift-beside": (
        "{subject}：仅按实有节点移位时，未满的单元在回绕处相遇：{real_shifts:,} 种移位出现 {real} 条流，"
        "同轨移位中 {rail_shifts:,} 种出现 {rail} 条流",
        "节点未填满单元时属正常现象；启用自适应路由可均衡",
    ),
    "proof-first-leaf": (
        "{subject}：假定 GUID 最小的 Leaf（OpenSM 由此开始为 Leaf 编号）是其 Pod 的第一台；"
        "若不是，部分移位会有两条流落在同一链路",
        "将 GUID 最小的 Leaf 交换机装在某个 Pod 的第一台 Leaf 位置",
    ),
    "proof-ftree-parts": (
        "{subject}：网络分成互不可达的几部分（{switches:,} 台交换机：{offenders}）",
        "请将各部分连通；任何路由引擎都无法弥补",
    ),
    "proof-ftree-one-rank": (
        "{subject}：所有端点都在同一层交换机上（{offenders}）；OpenSM 的 ftree 引擎会拒绝，并不报错地退回 min-hop",
        "请加入脊交换机，或明确采用 min-hop / updn",
    ),
    "proof-ftree-pair": (
        "{subject}：两台交换机之间没有脊（{offenders}）；OpenSM 的 ftree 引擎会拒绝（给出根列表也一样），"
        "并不报错地退回 min-hop，后者能把两台之间的链路分配均匀",
        "只有两台时无需处理；第三台交换机需要加脊",
    ),
    "proof-ftree-ranks": (
        "{subject}：{switches:,} 台交换机超出 OpenSM ftree 引擎的八层限制（{offenders}）",
        "请检查串接的交换机",
    ),
    "proof-ftree-equal-rank": (
        "{subject}：有端点或链路连接了同一层的交换机（{offenders}）；OpenSM 的 ftree 引擎会拒绝，"
        "并不报错地退回 min-hop",
        "请把端点移到叶层，并去掉同层交换机之间的链路；提供根列表无济于事（此处：{helps}）",
    ),
    "proof-ftree-uneven": (
        "{subject}：{switches:,} 台交换机与同层其他交换机不同（{offenders}）；OpenSM 的 ftree 引擎会拒绝，"
        "并不报错地退回 min-hop",
        "可向 OpenSM 提供 {roots} 台顶层交换机的列表（root_guid_file），引擎即可接受，但部分链路上至少有 {worst} 条流；"
        "更好的办法是把所列交换机接成与其他一致",
    ),
    "proof-ftree-uneven-no-roots": (
        "{subject}：{switches:,} 台交换机与同层其他交换机不同（{offenders}）；OpenSM 的 ftree 引擎会拒绝，"
        "并不报错地退回 min-hop",
        "此处提供根列表无济于事；请把所列交换机接成与其他一致",
    ),
    "proof-drift": (
        "{subject}：OpenSM 自身的均衡可能使一条链路承载移位流量的 {flows} 条流，而 {allowed} 条是可行的",
        "请启用自适应路由，或使每台叶的上联数等于主机数、每台脊有独立的核心",
    ),
    "proof-deadlock": (
        "{subject}：通道之间存在循环等待：{cycle}",
        "请去掉同层交换机之间的链路，或采用可避免信用环路的路由引擎",
    ),
    "witness-forecast": (
        "{subject}：OpenSM 的路由结果为 {engine}，预测为 {expected}。{refusal}",
        "以 OpenSM 为准，并请反馈此案例",
    ),
    "witness-no-way": ("{subject}：OpenSM 的转发表未能连通 {pairs:,} 组", "请检查缺失的链路"),
    "witness-credit-loops": (
        "{subject}：ibdmchk 发现信用环路，或检查未完成",
        "请采用可避免信用环路的路由引擎",
    ),
    "witness-no-drift": (
        "{subject}：预测 OpenSM 的均衡可能偏移，但在独立程序的验证中并未发生："
        "任一链路最多 {flows} 条流，允许 {allowed} 条",
        "",
    ),
    "witness-shift": (
        "{subject}：按 OpenSM 的转发表，{total:,} 种移位中的 {shifts:,} 种在一条链路上有 {worst} 条流，"
        "允许 {allowed} 条",
        "请启用自适应路由，或改用其他结构",
    ),
}

PAGE: Mapping[str, str] = {
    "title": "无阻塞计算书（软件校验，非第三方检测）",
    "title-ratio": "收敛比计算书（软件校验，非第三方检测）",
    "holds": "以下各项声明均已证明。",
    "unconfirmed": "独立程序未予证实（{name}）：声明任一链路不超过 {claimed} 条流，"
    "按 OpenSM 自身的转发表测得 {found} 条。"
    "其余各项声明均已证明。",
    "unconfirmed-short": "未获证实",
    "fails": "并非所有声明都成立。下列错误解决之前请勿下单。",
    "endpoints": "端点", "fabrics": "网络", "verdict": "结论", "yes": "已证明", "no": "未证明",
    "claim": "声明", "found": "结果", "what": "证明了什么",
    "findings": "检查结果", "none": "无。", "do": "处理办法",
    "error": "错误", "warning": "警告", "info": "提示",
    "cut": "任意一半端点可同时向另一半发送，带宽 {claimed}（单向）",
    "cut-found": "闭式计算 {closed}；{halves} 种对分的最大流为 {flow}",
    "cut-found-closed": "闭式计算 {closed}；规模过大，未做最大流遍历",
    "cut-within": "每台叶之内，一半端点可全速向另一半发送，合计 {claimed}（单向）",
    "between": "附：叶与叶之间",
    "between-found": "不作声明：方案中 {leaves} 台叶互不相连，其上联接至{network}",
    "customer": "客户网络",
    "cut-found-within": "闭式计算 {closed}；最大流 {flow}",
    "even": "每台叶到本 Pod 每台脊、每台脊到其核心的链路数均相同",
    "even-found": "由链路表逐条统计", "even-one": "单台交换机，无需互联",
    "shift": "按补满次序（单元以空缺节点补满），所有端点同时发送、各发给后移 k 位的端点时，对任意 k，"
    "任一链路上不超过 {allowed} 条流",
    "not-promised": "按均匀分配的路由计数，不作承诺：{text}",
    "shift-sampled": "按补满次序（单元以空缺节点补满），所有端点同时发送、各发给后移 k 位的端点时，"
    "对抽样的 {counted} 个 k，任一链路上不超过 {allowed} 条流",
    "shift-found": "任一链路最多 {worst} 条流，共 {total} 种移位，统计 {counted} 种",
    "shift-real": "附：仅按实有节点",
    "shift-real-found": "最多 {worst} 条流；{counted} 种移位中 {over} 种超过 {allowed} 条",
    "shift-rail": "附：每条轨道各自在节点间移位（训练流量即如此）",
    "deadlock": "缓冲区不会相互循环等待（无信用环路，不会死锁）",
    "deadlock-full": "{channels} 个通道、{dependencies} 个依赖中无环",
    "deadlock-classes": "{classes} 类通道中无环",
    "deadlock-found": "存在环路：{cycle}",
    "routing": "子网管理器（OpenSM 胖树引擎）无需辅助即可接受本网络",
    "routing-ftree": "接受；各层交换机数（自根起）：{ranks}",
    "routing-refused": "拒绝：{reason}",
    "routing-not-needed": "所有端点都在一台交换机上，任何引擎的路由都相同",
    "routing-other": "非 InfiniBand 网络，由其自身协议路由（等价多路径）",
    "reason-parts": "网络分成几部分", "reason-one-rank": "叶之间没有脊",
    "reason-pair": "两台交换机之间没有脊，min-hop 同样适用",
    "reason-ranks": "层数过多", "reason-equal-rank": "有端点在叶层以上，或同层之间有链路",
    "reason-uneven": "同层交换机的连接不均等",
    "failures": "故障后还剩多少",
    "failures-intro": "每类故障取最坏情况；带宽为完好网络的百分比。",
    "failure": "故障", "count": "总数", "bisection": "剩余对分带宽",
    "uplinks": "最差叶剩余上联带宽", "node": "最差节点剩余端口带宽", "hit": "失去端口的节点数",
    "cut-off": "断连节点数",
    "cable-node": "一根节点线缆", "cable-leaf-spine": "一根叶脊线缆", "cable-spine-core": "一根脊核心线缆",
    "spine": "一台脊交换机", "core": "一台核心交换机", "leaf": "一台叶交换机",
    "spine-module": "框式交换机的一块 Spine 板卡", "leaf-module": "框式交换机的一块 Leaf 板卡",
    "director": "整台框式交换机",
    "cables-random": "随机 {count} 根线缆（{trials} 次抽取中最差）",
    "witness": "独立程序的验证",
    "witness-intro": "将网络导出、仿真，由现场所用的子网管理器进行路由，再对其转发表做同样的检验。",
    "witness-none": "无验证：非 InfiniBand 网络",
    "witness-absent": "未执行。使用 --witness 可由 OpenSM 和 ibdmchk 对导出的网络进行验证。",
    "program": "程序", "plane": "平面", "planes-alike": "{planes} 个平面布线相同，验证其一",
    "engine": "路由引擎", "ftree": "ftree，未退回", "fallback": "退回其他引擎",
    "engine-one": "单台交换机：ftree 引擎无需排序，OpenSM 改用其他引擎，属正常现象",
    "ranks": "各层交换机数", "devices": "发现设备", "devices-found": "{switches} 台交换机，{endpoints} 个端点",
    "witness-shift": "链路最多流数（补满 / 实有节点 / 同轨）",
    "loops": "信用环路", "loops-no": "未发现", "loops-yes": "发现，或检查未完成",
    "hops": "跳数：端点对数", "port-loads": "端口后的目的数：端口数",
    "limits": "不作声明的内容",
    "limit-static": "固定路由并非对任意流量模式都无冲突，任何静态路由都做不到。已证明的是上述对分带宽；"
    "关于规则交换（移位），各网络的结论如下。",
    "limit-shift": "{name}：规则交换（移位）在任一链路上不超过 {allowed} 条流，即其下上行带宽比所允许的数目。",
    "limit-shift-beside": "{name}：按补满次序的移位在任一链路上不超过 {allowed} 条流，即其带宽比所允许的数目。"
    "仅按实有节点或逐轨移位时，未满的单元处可能有 {beside} 条流相遇，对此不作声明。",
    "limit-shift-none": "{name}：移位不可作为依据：未作声明或未能成立，见检查结果。",
    "limit-shift-hashed": "{name}：移位流量按均匀分配的路由计算；以太网等价多路径由哈希选择，会随机叠加，因此不对"
    "单条链路作承诺；自适应路由可接近该结果。",
    "limit-random": "{name}：每个端点随机发往另一端点时，固定路由下每条流平均得到其速率的 {share}；"
    "自适应路由正是为此类流量而设。",
    "limit-adaptive-helps": "未仿真自适应路由、拥塞控制和网内归约。标为已证明的各项不以其为前提；"
    "在流数超过带宽比所允许之处（见检查结果），自适应路由可予均衡。",
    "limit-adaptive": "未仿真自适应路由、拥塞控制和网内归约；它们可改善不规则流量，但不是以上结论的前提。",
    "limit-parts": "线缆、光模块、网卡和服务器按额定速率计；施工完成后应对照方案核验。",
    "limit-ratio": "{ratio} 收敛比是方案的一部分：所有端点同时跨网络发送时，各端点按份额分享上联带宽，而非满速。",
    "limit-apart": "{name}：证明止于叶交换机。叶间流量走共享上联并进入另一网络，对其带宽不作声明。",
    "limit-oracle": "预测针对 OpenSM；其他厂商的管理器对端口的排序可能不同。",
    "covers": "本计算书的对象",
    "plan-file": "方案文件 SHA-256", "catalogue": "产品目录", "made-by": "证明程序", "plan-version": "方案生成版本",
    "repeat": "同一文件得到相同数字：fabricplan prove plan.json --witness",
    "gbps": "{value} Gb/s", "tbps": "{value} Tb/s",
    "fabric": "{name}：{endpoints} 个端点，{ratio}",
    "fabric-apart": "{name}：{endpoints} 个端点，每台叶内 {ratio}",
    "written": "{folder} 中的文件：{names}",
    "percent": "{value} %",
}  # fmt: skip
