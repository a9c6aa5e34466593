"""Findings in Chinese: code -> (what is wrong, what to do), filled with the finding's params and ``subject``."""

from __future__ import annotations

from fabricplan.wording.findings_links_zh import LINKS
from fabricplan.wording.findings_panels_zh import PANELS
from fabricplan.wording.findings_room_zh import ROOM

TEXT: dict[str, tuple[str, str]] = {
    **ROOM,
    **PANELS,
    **LINKS,
    # sizing
    "gpus-rounded": (
        "{subject}：{gpus:,} 个 GPU 不能填满每台 {per_node} GPU "
        "的节点；按 {nodes:,} 台节点、{gpus_built:,} 个 GPU 规划",
        "请给出 {per_node} 的整数倍，或改用 --nodes",
    ),
    "shift-drift": (
        "{subject}：每对 Leaf 与 Spine 之间 {per_pair} 条链路，每台 Leaf 有 {uplinks} 条上行、{hosts} 个主机端口；"
        "带宽足够，但静态路由下规则流量可能两条流落在同一链路",
        "请启用自适应路由，或让每台 Leaf 的主机端口数与上行数相等",
    ),
    "spine-drift": (
        "{subject}：每台 Spine 下行 {down} 条、上行 {up} 条链路，到每台 Core {per_pair} 条；带宽足够，但 OpenSM "
        "的均衡可能使规则流量的两条流落在同一链路",
        "请启用自适应路由；fabricplan prove --witness 可验证是否发生",
    ),
    "grows": (
        "{subject}：按最终 {nodes_final:,} 台节点布局；本期建设 {leaves_final:,} 台 Leaf 中的 {leaves_today:,} 台",
        "请保留空余的 Spine 端口：扩容时现有线缆不动",
    ),
    "phases-begin-smaller": (
        "{subject}：布局须适应任意的首期规模，本期需要 {now:,} 台交换机；若各期规模已知，{switches:,} 台即可",
        "请使用 --phases {phases}，后续各期使用同一列表",
    ),
    "direct-pair": (
        "{subject}：两台 Leaf 以 {links} 条链路直连，没有 Spine（全部流量跨越时为 {ratio}）；"
        "其 {ports} 个端口中，互联占用链路数的两倍，OpenSM 的 ftree 会拒绝并退回 min-hop，"
        "第三台交换机会形成可能死锁的环",
        "需要扩容时请采用 Leaf 与 Spine；在 min-hop 路由下不要让交换机成环",
    ),
    "manager-leaf": (
        "{subject}：其他 Leaf 已被节点占满，因此另设 {leaves} 台 Leaf 承接 {ports} 个预留端口",
        "每个 SU 少一台节点即可省去这台 Leaf 及相应的 Spine",
    ),
    "switches-reused": (
        "{subject}：已有 {quantity:,} 台 {model}，用于本网络，不计入物料清单",
        "布线前请核对其软件版本、端口拆分与风向",
    ),
    "existing-unused": (
        "{subject}：已有的 {model} 中 {quantity:,} 台未被使用",
        "如需使用，请指定其作为 Leaf、Spine 或 Core",
    ),
    "existing-too-few-ports": (
        "{subject}：已有的 {model} 有 {free} 个空闲端口，{tier} 需要 {ports} 个；因此购买新设备",
        "请腾出端口，或用于其他网络",
    ),
    "spine-ratio-unused": (
        "{subject}：要求 Spine 层收敛比 {ratio}，但 {tiers} 层网络在 Spine 之上没有 Core",
        "仅三层网络使用该值；否则请去掉",
    ),
    "first-leaf-guid": (
        "{subject}：OpenSM 的 fat-tree 引擎从 GUID 最小的 Leaf 开始编号；若它不是 {pods:,} 个 Pod 中某个的第一台 Leaf，"
        "部分规则交换会有两条流落在同一链路",
        "上架前核对标签上的 GUID：GUID 最小的 Leaf 交换机应装在某个 Pod 的第一台 Leaf 位置",
    ),
    "cores-wait": (
        "{subject}：本期只有一个 Pod，不需要 Core；最终阶段的 {cores:,} 台 Core 未计入物料清单",
        "建设第二个 Pod 时再订购 Core",
    ),
    "management-port-assumed": (
        "{subject}：目录中没有 {platform} 的管理口信息；按每台节点一个 RJ45 管理口计算",
        "请与节点的产品手册核对",
    ),
    "uplinks-to-customer": (
        "{subject}：本方案中没有网络承接其 {leaves:,} 台 Leaf 的 {links:,} 条上行链路（{gbps}G）；上行接入客户网络，"
        "相应的模块和线缆未计入物料清单",
        "请规划带内网络，或约定由谁提供对端",
    ),
    "no-adaptive-routing": (
        "{subject}：{model} 在 {gbps}G 链路上不支持自适应路由，而交换机之间的链路正是 {gbps}G",
        "上行请用一半速率（每个物理端口两条链路），即去掉 --uplink-rate",
    ),
    "lanes-per-port": (
        "{subject}：{links:,} 条链路从 {model} 一分四的端口连到 {far}：自 Cumulus Linux 5.9 起，"
        "这类端口每个分支占两条通道，若 {far} 的端口通道数不同，链路不会 up",
        "布线前先试一条；若不 up，请在分支端口上设置 lanes-per-port 1",
    ),
    "speed-by-hand": (
        "{subject}：{links:,} 条 {gbps}G 链路使用 {model} 的 QSFP-DD 模块，该机型在这类模块上不做自动协商",
        "请在两端手工设置端口速率",
    ),
    "rail-planes-nvlink": (
        "{subject}：{planes} 个独立网络，每轨一个；跨轨流量必须经节点内 NVLink 转发",
        "请确认集合通信库经 NVLink 中转（NCCL：PXN），且每个轨道平面都有子网管理器",
    ),
    "storage-oversubscription": (
        "{subject}：存储网络收敛比 {ratio} 高于 2:1；全部节点同时读取时会排队",
        "请使用 --oversubscription 2:1 或 1:1",
    ),
    "no-subnet-manager": (
        "{subject}：全部交换机均为不带管理（非网管型，{model}），且没有为主机预留端口，没有子网管理器，链路无法启用",
        "请用 --reserve-ports 2 接子网管理器主机，或 --management managed，或 --management mixed:2",
    ),
    "external-subnet-manager": (
        "{subject}：交换机上不运行子网管理器；须由接在 {ports} 个预留端口上的主机运行",
        "请在其中两个端口接 UFM 设备（--manager 料号 可列入清单）或运行 OpenSM 的主机",
    ),
    "embedded-sm-limit": (
        "{subject}：单个平面 {endpoints:,} 个端点；交换机内置子网管理器的文档上限约为 {limit:,} 个节点",
        "请用 --reserve-ports 2 并采用外置子网管理器；--manager 料号 可将一对 UFM 设备列入清单",
    ),
    "manager-without-port": (
        "{subject}：清单中有 {managers} 台 {part}，为管理主机预留的 Leaf 端口为 {ports} 个",
        "请为每台预留一个端口（--reserve-ports {managers}），并用 --reserve-adapter 配齐光模块和光纤",
    ),
    "embedded-manager": (
        "{subject}：{model} 内置的子网管理器不占端口；文档所述约支持 {limit:,} 个节点",
        "不需要 UFM 和 SHARP 时已够用",
    ),
    "no-port-for-ufm": (
        "{subject}：节点占满全部 {ports:,} 个 Leaf 端口，没有空余端口接 UFM、SHARP 或其他管理主机",
        "需要端口时：减少一台节点（{fewer} 台交换机），或 --reserve-ports 1（{further} 台交换机）",
    ),
    "no-port-for-ufm-but-fewer": (
        "{subject}：节点占满全部 {ports:,} 个 Leaf 端口，且此层数已无法再加端口；"
        "没有空余端口接 UFM、SHARP 或其他管理主机",
        "需要端口时：减少一台节点（{fewer} 台交换机），或增加层数",
    ),
    "no-port-for-ufm-at-last": (
        "{subject}：最终阶段节点占满全部 {ports:,} 个 Leaf 端口，届时没有空余端口接 UFM、SHARP 或其他管理主机",
        "需要长期保留端口时：最终减少一台节点（届时 {fewer} 台交换机），或 --reserve-ports 1（{further} 台）",
    ),
    "planes-split-rails": (
        "{subject}：{group} 每个 GPU 只有一条链路，{planes} 个平面分担各轨道（平面 1 为轨道 {rails}），"
        "不同平面的 GPU 只能在节点内互通",
        "集合通信保持同轨并使用 NVLink 时可行；否则采用单平面，或每块网卡两条链路",
    ),
    "gpus-without-port": (
        "{subject}：每节点 {ports} 个端口时，{platform} 的轨道 {rails} 的 GPU 没有自己的端口",
        "请使用平台的全部端口，或接受这些 GPU 共用端口",
    ),
    "racks-not-whole": (
        "{subject}：{nodes} 个 {platform} 节点未装满 {racks} 个机柜；该产品按整柜销售",
        "请按 {whole} 个节点规划",
    ),
    # ports and cages
    "port-used-twice": (
        "{subject}：端口 {port} 上有 {links} 条链路；此类端口共 {ports} 个",
        "请勿按此方案订货或布线；这是程序错误，请反馈该需求",
    ),
    "port-out-of-range": (
        "{subject}：有链路使用端口 {port}，而该设备只有端口 1 至 {highest}；共 {links} 条链路",
        "请勿按此方案订货或布线；这是程序错误，请反馈该需求",
    ),
    "cage-mixed": (
        "{subject}：物理端口 {cage} 同时承载下行与上行链路；共 {cages} 个物理端口",
        "一个物理端口只能用于一种速率、一个方向；请勿订货，请反馈该需求",
    ),
    "cage-overfull": (
        "{subject}：物理端口 {cage} 上有 {links} 条链路，其模式只有 {most} 条；共 {cages} 个物理端口",
        "请勿按此方案订货或布线；这是程序错误，请反馈该需求",
    ),
    "port-limit": (
        "{subject}：{ports:,} 个逻辑端口，而 {model} 无论如何拆分最多 {most:,} 个；共 {switches} 台交换机",
        "请减少拆分的端口：增加 Leaf，或选用逻辑端口更多的型号",
    ),
    "node-incomplete": (
        "{subject}：节点的 {ports} 个端口中只有 {links} 个接入网络 {fabric}；共 {nodes} 台节点",
        "请勿订货：这些节点会有端口闲置；请反馈该需求",
    ),
    "rail-split": (
        "{subject}：端口 {port} 接到 {leaf}，而同一单元其他节点的同号端口接到另一台 Leaf；共 {links} 条链路",
        "一个可扩展单元的一条轨道应在同一台 Leaf 上；请勿布线，请反馈该需求",
    ),
    "stray-link": (
        "{subject}：端口 {port} 接到 {far}，后者不在同一平面、同一 Pod 的上一层；共 {links} 条链路",
        "请勿按此方案订货或布线；这是程序错误，请反馈该需求",
    ),
    # bandwidth
    "counts-differ": (
        "{subject}：{what} 规划数为 {stated:,}，表中实有 {found:,}",
        "请勿按此方案订货；这是程序错误，请反馈该需求",
    ),
    "stated-differs": (
        "{subject}：{what} 标称为 {stated}，按其结构和设备应为 {found}",
        "勿按此方案订货：生成后被改动过；请重新生成",
    ),
    "length-differs": (
        "{subject}：第 {row} 行线缆标称需要 {stated_m} m，路由实际需要 {needed_m} m，订货长度 {ordered_m} m；"
        "共 {cables:,} 根",
        "勿按此方案订货：生成后被改动过；请重新生成",
    ),
    "findings-differ": (
        "{subject}：与方案生成时（版本 {version}）的提示相比，新增 {missing} 条，缺少 {gone} 条",
        "文件被改动过，或由其他版本生成；请重新生成方案",
    ),
    "reserved-ports-lost": (
        "{subject}：要求预留端口 {asked} 个，本期 {leaves} 台 Leaf 只有 {found} 个空余端口",
        "本期请只预留 {found} 个，其余在下一期预留，或增加 Leaf（nodes_per_unit）",
    ),
    "uneven": (
        "{subject}：到本 Pod 第 {place} 台 Spine 有 {links} 条链路，规划为 {wanted} 条；各对之间 {least} 至 {most} 条，"
        "{switches} 台 Leaf 不均匀",
        "链路不均匀会损失带宽；请勿按此方案订货",
    ),
    "uneven-core": (
        "{subject}：到本组第 {place} 台 Core 有 {links} 条链路，规划为 {wanted} 条；各对之间 {least} 至 {most} 条，"
        "{switches} 台 Spine 不均匀",
        "链路不均匀会损失带宽；请勿按此方案订货",
    ),
    "missing-uplink": (
        "{subject}：上行 {links} 条，规划为 {wanted} 条；共 {switches} 台交换机",
        "请勿订货：该交换机会出现收敛",
    ),
    "oversubscription-real": (
        "{subject}：下行 {down_gbps:,} Gb/s 对上行 {up_gbps:,} Gb/s，劣于所标称的 {claim}；共 {switches} 台交换机",
        "请勿向客户承诺 {claim}；这是程序错误，请反馈该需求",
    ),
    "cut": (
        "{subject}：按链路计算的对分带宽为 {found:,} Gb/s，标称为 {stated:,} Gb/s",
        "请勿承诺标称的对分带宽；这是程序错误，请反馈该需求",
    ),
    "ftree-needs-roots": (
        "{subject}：{pods} 个 Pod 的 Leaf 数为 {least} 至 {most} "
        "台；OpenSM 的 ftree 路由不接受不等的 Pod，会静默退回其他算法",
        "请用 updn 并提供 Core 根列表，或按整 Pod 扩容",
    ),
    "lone-spine": (
        "{subject}：{leaves} 台 Leaf 只经一台 Spine 互联；它一旦故障，各 Leaf 互不可达",
        "请至少用两台 Spine（min_spines: 2）",
    ),
    # management
    "xdr-manager": (
        "{subject}：没有文档说明 {model} 内置子网管理器；需要 UFM 或其他外部子网管理器",
        "请在订单中加入 UFM，并接到交换机的管理端口 {port}（不占用网络端口）",
    ),
    "manager-unknown": (
        "{subject}：没有文档说明 {model} 内置子网管理器",
        "请用 --reserve-ports 2 为子网管理主机预留端口，或向厂家确认",
    ),
    "plane-without-manager": (
        "{subject}：{planes} 个平面中有 {lacking} 个（平面 "
        "{which}）既没有带管理交换机，也没有给管理主机的预留端口，链路无法启用",
        "请用 --management mixed:{planes} 或 managed，或 --reserve-ports {planes} 以上",
    ),
    "address-space": (
        "{subject}：单个平面需要 {used:,} 个地址（端点与端口 {endpoints:,}，"
        "交换机 {switches:,}），一个 InfiniBand 子网只有 {most:,} 个",
        "请用 --planes rail，或用 InfiniBand 路由器连接多个子网",
    ),
    "split-ready": (
        "{subject}：{switches} 台 {model} 须使用端口拆分（split）配置以运行 "
        "{rate}；切换会重启交换机、清空配置并重新编号全部端口",
        "请在布线前设置好，并使用本方案的端口号（已按拆分配置编号）",
    ),
    "sharp-needs-host": (
        "{subject}：没有给管理主机的预留端口；SHARPv{version} "
        "的聚合管理器须运行在单独的主机上，并关闭交换机内置子网管理器",
        "需要网内计算时请用 --reserve-ports 2",
    ),
    # parts of the bill
    "bill-differs": (
        "{subject}：物料清单订购 {billed:,}，表中需要 {held:,}",
        "请勿订货；这是程序错误，请反馈该需求",
    ),
    "module-too-hot": (
        "{subject}：{part} 最大功耗 {watts:g} W，物理端口额定 {limit:g} W；{links} 条链路",
        "请选用功耗更低的光模块",
    ),
    "part-not-orderable": (
        "{subject}：{quantity:,} 件，该部件已无法新订",
        "请核实库存与其他来源，或选用在售产品",
    ),
    "director-not-orderable": (
        "{subject}：没有已知的可订货料号：{quantity:,} 台机框，含 {leaf:,} 块 {ports} 端口的 Leaf 板卡"
        "和 {spine:,} 块 Spine 板卡；清单只写型号，报价中其价格留空",
        "请向厂家询问各部件，并在目录扩展中以 variants 写入料号；或复用现有设备（需求中的 existing）",
    ),
    "director-grows": (
        "{subject}：{model} 末期共需 {final:,} 块 Leaf 板卡，本期需要 {today:,} 块",
        "其余板卡随各期扩容时购买；全部 Spine 板卡在首期配齐",
    ),
    "director-inside": (
        "{subject}：{model} 内部为 {leaf_chips} 颗 Leaf 芯片和 {spine_chips} 颗 Spine 芯片，两两互联；"
        "厂家未公布内部端口的对应关系和面板端口属于哪颗芯片，导出文件与标签中的顺序为本程序的假设",
        "布线前请将 Leaf 板卡的丝印和 ibnetdiscover 的输出与方案核对",
    ),
    "part-retired": (
        "{subject}：{quantity:,} 件，该部件厂家已停产",
        "报价前请核实库存并同时订购备件，或选用下一代产品",
    ),
    "part-unlisted": (
        "{subject}：{quantity:,} 件，厂家现行清单中已不再列出该部件",
        "报价前请向经销商确认是否仍供货",
    ),
    "part-planned": (
        "{subject}：{quantity:,} 件，该部件已发布但尚未销售",
        "报价前请确认货期",
    ),
    "part-unverified": (
        "{subject}：{quantity:,} 件，该部件的数据没有厂家文档证实",
        "报价前请向厂家核实料号与数据",
    ),
    "platform-retired": (
        "{subject}：该平台厂家已停产（{nodes:,} 台节点）",
        "节点已有（利旧）则无需处理；否则请选用后继产品",
    ),
    "platform-unlisted": (
        "{subject}：厂家现行清单中已不再列出该平台（{nodes:,} 台节点）",
        "节点已有（利旧）则无需处理；否则请确认是否仍供货",
    ),
    "platform-planned": (
        "{subject}：该平台已发布但尚未销售（{nodes:,} 台节点）",
        "其端口可能变化：订货前请核对",
    ),
    "platform-unverified": (
        "{subject}：该平台的端口没有厂家文档证实（{nodes:,} 台节点）",
        "订货前请对照服务器手册核对端口与网卡",
    ),
    "low-confidence": (
        "{subject}：该部件的数据为估算（{quantity:,} 件）",
        "订货前请向厂家确认",
    ),
    "low-confidence-number": (
        "{subject}：该订货号或长度只有单一的弱来源（{quantity:,} 件）",
        "订货前请向经销商确认料号",
    ),
    "low-confidence-ports": (
        "{subject}：InfiniBand 端口号为推断，面板标签则有依据（{boxes:,} 台）",
        "请按面板标签布线；在第一台交换机上核对端口号",
    ),
    "catalog-override": (
        "{subject}：公司自有目录改写了其数据：{fields}",
        "由该目录的维护者负责；不加载它时以随附目录为准",
    ),
    "low-confidence-platform": (
        "{subject}：该平台的端口与网卡为估算（{nodes:,} 台节点）",
        "请对照服务器手册核对，或写明：--nic 料号 --ports-per-node N",
    ),
    "generic-part": (
        "{subject}：{quantity:,} 根第三方光纤（最长 {longest_m:metres}）没有料号",
        "请按物料清单中的描述采购：等级、接头、抛光、极性、长度",
    ),
    "generic-piece": (
        "{subject}：{quantity:,} 件第三方部件没有料号",
        "请按物料清单中的描述采购，或在自有目录中补充料号（--catalog）",
    ),
    "chosen-by-price": (
        "{subject}：按价格表，以 {favours} 最少为准的方案最便宜",
        "价格变化后请重新设计；写 choose: {favours} 则不需价格表也得到此方案",
    ),
    "adapters-by-customer": (
        "{subject}：{quantity:,} 块网卡 {pn} 由客户自备，未计入物料清单",
        "请书面确认型号：光模块与线缆按该型号选配",
    ),
}
