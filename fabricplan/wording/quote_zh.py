"""Chinese words of the quote."""

from __future__ import annotations

from collections.abc import Mapping

TERMS: Mapping[str, str] = {
    # Head and parties.
    "title": "报价单", "number": "报价单号", "date": "报价日期", "valid_until": "有效期至", "project": "项目名称",
    "seller": "供方", "customer": "需方", "name": "名称", "address": "地址", "contact": "联系人", "phone": "电话",
    "email": "邮箱", "tax_id": "纳税人识别号", "bank": "开户行", "account": "账号", "currency": "币种",
    # Columns.
    "no": "序号", "product": "产品名称", "brand": "品牌", "pn": "型号", "opn": "原厂料号", "description": "规格描述",
    "quantity": "数量", "unit": "单位", "unit_price_included": "含税单价", "amount_included": "含税金额",
    "unit_price_added": "未税单价", "amount_added": "未税金额", "unit_price_none": "单价", "amount_none": "金额",
    "lead_time": "货期", "warranty": "质保", "note": "备注", "on_request": "待询价",
    # Groups and units.
    "group_switch": "交换机", "group_adapter": "网卡", "group_transceiver": "光模块", "group_cable": "线缆",
    "group_software": "管理软件", "group_service": "服务", "group_spare": "备品备件",
    "unit_switch": "台", "unit_adapter": "块", "unit_transceiver": "个", "unit_cable": "根", "unit_set": "套",
    "unit_service": "项", "unit_device_year": "台·年", "unit_day": "人天",
    "shared": "公共部分", "subtotal": "小计",
    "network_compute": "计算网络（参数面）", "network_storage": "存储网络（存储面）", "network_inband": "带内管理网络",
    "network_oob": "带外管理网络",
    # Foot.
    "net": "未税合计", "tax": "税额", "total_included": "含税总价", "total_none": "总价", "capitals": "大写",
    "incomplete": "（不完整：{count} 项待询价，未计入）",
    "prices_included": "以上单价及金额均含 {percent} {tax}（可开具增值税专用发票）。",
    "prices_included_rates": "以上单价及金额均含{tax}，税率按货物及服务类别分别为 {percent}（可开具增值税专用发票）。",
    "enumeration": "、",
    "prices_added": "以上单价及金额不含税，税额另计。",
    "exchange": "汇率", "exchange_line": "1 {currency} = {rate} {quote}（{source}，{date}）",
    "tax_residue": "（含尾差 {residue}）", "price_list": "供方价格表",
    "basis": "价格依据", "payment": "付款方式", "delivery": "交货方式", "warranty_terms": "质保", "notes": "说明",
    "terms": "商务条款", "tax_note": "税务说明",
    "stamp_seller": "供方（盖章）", "stamp_customer": "需方（确认盖章）",
    # Sheets.
    "sheet_quote": "报价单", "sheet_configuration": "配置说明", "sheet_cables": "线缆汇总", "sheet_compare": "方案对比",
    "sheet_changes": "变更说明", "sheet_internal": "内部核算",
    "page": "第 &P 页，共 &N 页",
    # Configuration.
    "item": "项目", "value": "内容", "gpus": "GPU 数量", "nodes": "节点数量", "fabric": "网络",
    "technology": "技术与速率",
    "topology": "拓扑", "tiers_1": "单台交换机", "leaves_alone": "多台 Leaf，无 Spine",
    "tiers_2": "两层 Clos（胖树）", "tiers_3": "三层 Clos（胖树）",
    "planes": "平面", "planes_value": "{count} 个独立平面",
    "attach": "接入方式", "attach_rail": "多轨（rail-optimized）",
    "attach_packed": "整节点接入", "attach_spread": "分散接入", "oversubscription": "收敛比",
    "non_blocking": "无阻塞（1:1 无收敛）", "switches": "交换机", "switches_value": "{counts}，共 {count} 台",
    "leaf": "Leaf（接入）", "spine": "Spine（汇聚）", "core": "Core（核心）", "endpoints": "接入端口",
    "links": "链路", "node_leaf": "节点-Leaf {count}", "leaf_spine": "Leaf-Spine {count}",
    "spine_core": "Spine-Core {count}", "reserved": "预留端口 {count}", "bisection": "对分带宽",
    "bisection_value": "单向 {one} Tb/s（双向 {two} Tb/s）", "infiniband": "InfiniBand", "roce": "RoCE",
    "ethernet": "以太网", "picture": "拓扑图", "comma": "，",
    # Cable summary.
    "length": "长度 (m)", "spare_quantity": "其中备件", "networks": "网络", "total_quantity": "合计",
    "no_cables": "本报价不含线缆",
    # Goods.
    "patch_cord": "光纤跳线", "trunk": "主干光缆", "patch_panel": "光纤配线架", "split_cord": "分支光纤跳线",
    "extension_note": "本报价为由现有 {stands} 个节点扩展到 {total} 个节点所需；所述网络为扩展后的整体。",
    "support_share": "硬件总价的 {percent}%/年 × {years} 年", "support_years": "{devices} 台 × {years} 年",
    # Internal sheet.
    "list_price": "列表价", "cost": "成本", "discount": "折扣 %", "cost_amount": "成本金额", "margin": "毛利",
    "margin_percent": "毛利率 %", "book": "价格表", "place": "位置", "price_currency": "原币种", "price_basis": "取价",
    "base_price": "原价", "internal_only": "内部资料，不得外发",
    "basis_unit": "销售价", "basis_list": "列表价", "basis_cost": "成本加成", "basis_terms": "商务条款",
    "cost_unknown": "未知", "total": "合计", "cost_part": "（{count} 行成本未知，未计入）",
    # ERP.
    "erp_code": "物料编码", "erp_name": "物料名称", "erp_specification": "规格", "erp_price": "含税单价",
    "erp_rate": "税率 %",
    # Revision and comparison.
    "change": "变更", "old_quantity": "原数量", "new_quantity": "新数量", "old_price": "原单价", "new_price": "新单价",
    "old_amount": "原金额", "new_amount": "新金额", "difference": "差额", "reason": "原因",
    "change_added": "新增", "change_removed": "取消", "change_changed": "变更", "no_changes": "无变化",
    "reason_request": "需求变更", "reason_catalogue": "产品目录更新", "reason_price-book": "价格表变更",
    "reason_rate": "汇率变更", "reason_terms": "商务条款变更", "reason_tool-version": "软件版本更新",
    "reason_unknown": "无法判断",
    "or": "或", "revision_tax": "税额差额 {difference}",
    "revision_sum": "{label} {old} → {new}，差额 {difference}（{reason}）",
    "reason_tax_rate": "商务条款变更：税率", "reason_tax_mode": "商务条款变更：价格含税方式",
    "against": "对照报价", "revision_line": "{part}：{old} → {new}，差额 {difference}（{reason}）",
    "revision_total": "总价 {old} → {new}，差额 {difference}", "cost_per_gpu": "每 GPU 价格",
    "offer": "方案 {number}", "difference_to": "与方案 1 差额",
    # Brief.
    "brief_on_request": "待询价 {count} 项", "brief_fabric": "{technology} {topology} {ratio}：{switches}",
    "brief_parts": "{kind} {count} {unit}",
 "brief_valid": "报价有效期至 {date}",
 "brief_net": "未税 {symbol}{net}，税额 {symbol}{tax}",
}  # fmt: skip

FINDINGS: Mapping[str, str] = {
    "price-missing": "{subject}：价格表中没有价格，总价不完整",
    "price-expired": "{subject}：价格已于 {until} 过期（报价日期 {date}）",
    "price-expires-early": "{subject}：价格 {until} 到期，早于报价有效期 {expires}",
    "below-minimum": "{subject}：数量 {quantity} 低于起订量 {minimum}",
    "stock-short": "{subject}：需要 {quantity}，库存 {stock}",
    "tax-rate-assumed": "价格表 {subject}：价格含税但未写税率（首个在 {first}），按报价税率 {percent}% 计；"
    "请在表头上方写明税率",
    "book-text-withheld": "{subject}：“{text}”（{where}）涉及内部信息，客户看到的是“{shown}”",
    "target-far-off": "指定总价 {target} 超过计算总价 {computed} 的两倍或不足其一半，是否漏写了零？",
    "total-below-cost": "已知成本的各行合计 {total}，低于其成本 {cost}",
    "discount-unused": "折扣 {subject} 与报价中任何一行都不匹配；最接近的有：{near}",
    "line-below-cost": "{subject}：单价 {price} 低于成本 {cost}",
    "quote-head-incomplete": "报价缺少：{lacking}",
    "discount-taken": "折扣 {subject}：减 {off}%，客户实付 {paid}%",
    "margin-unused": "{subject} {percent} 未起作用：价格表中没有这些物料的成本，或销售价、列表价优先；"
    "如需按成本加成，请写 basis: cost",
    "margin-partly-used": "{subject} {percent} 决定了 {used} 行的单价；另有 {others} 行以销售价或列表价优先"
    "（如需按成本加成，请写 basis: cost）",
    "tax-unusual": "{percent}% 不是中国大陆的增值税税率（13、9、6；3、1、0），请确认",
    "rate-inverted": "汇率：按 1 {subject} = {rate} {quote} 计算，疑似写反（通常约 {rough}）；"
    "请写 1 {subject} 折合多少 {quote}",
    "rate-implausible": "汇率：按 1 {subject} = {rate} {quote} 计算，通常约 {rough}，是否漏写了一位数字？",
    "rate-of-the-future": "{subject} 汇率日期 {of} 晚于报价日期 {date}",
    "rate-old": "{subject} 汇率日期为 {of}，早于报价日期 {date} {days} 天",
    "book-name-withheld": "价格表名称“{subject}”涉及内部信息，报价中不显示；"
    "可在商务条款 price_basis 中写明客户看到的价格依据",
    "book-file-tells": "价格表文件名“{subject}”像是内部价格：请确认表中是对外售价；文件名不会出现在报价中",
    "rounded-by-all-lines": "没有足够贵的单件可以承担抹零金额 {off}，已重新计算全部单价",
    "share-residue": "“{subject}”单价 {price} 承担了凑足总价 {total} 的尾差，与其说明中的硬件价比例不完全相符："
    "没有其他行可以承担",
    "tax-residue": "没有未税金额能恰好得到 {total}，税额尾差 {residue}",
    "template-hidden-sheet": "模板：隐藏工作表“{subject}”会随报价发给客户，如不应外发请删除",
    "template-other-sheet": "模板：工作表“{subject}”没有可填字段，会原样发给客户",
    "template-hidden-cells": "模板：隐藏的行或列会发给客户：{subject}",
    "template-comments": "模板：批注会发给客户：{subject}",
    "template-link": "模板：链接到其他文件：{subject}",
    "template-person": "模板：文件属性中有人名：{subject}",
    "service-without-subject": "{subject}：方案中没有可计数的对象（{per}），数量为 0",
    "plan-has-errors": "方案 {subject} 有 {count} 个错误（首个：{first}），请先修正再报价",
    "book-no-currency": "价格表 {subject}：{count} 个价格未说明币种（首个在 {first}），"
    "报价时按报价币种计；请在表头上方注明",
    "book-no-currency-taken": "价格表 {subject}：{count} 个价格未说明币种（首个在 {first}），"
    "按报价币种 {taken} 计；请在表头上方注明",
    "book-no-tax": "价格表 {subject}：{count} 个价格未说明是否含税（首个在 {first}），"
    "报价时按商务条款计；请在表头上方写明含税或未税",
    "book-no-tax-taken": "价格表 {subject}：{count} 个价格未说明是否含税（首个在 {first}），"
    "按报价的计税方式（{taken}）计",
    "book-hidden-sheet": "价格表 {subject}：已跳过隐藏的工作表“{sheet}”；如其中有价格，请取消隐藏",
    "book-hidden-rows": "价格表 {subject}：工作表“{sheet}”有 {count} 个隐藏行仍被读取（首个为第 {first} 行）；"
    "请删除已失效的行",
    "book-hidden-columns": "价格表 {subject}：工作表“{sheet}”的隐藏列仍被读取：{columns}",
    "book-remarks": "价格表 {subject}：{count} 行在价格旁提到包装或折扣（首个在 {first}），价格按原样、按单件计",
    "book-set-unit": "价格表 {subject}：{count} 个价格的单位是套（首个在 {first}），按一个料号订购的一件计",
}
