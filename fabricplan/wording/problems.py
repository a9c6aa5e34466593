"""Problems in Chinese: code -> sentence and advice. What is not listed is told in English, as the library words it."""

from __future__ import annotations

import re
from collections.abc import Mapping

from fabricplan.errors import Problem
from fabricplan.wording.problems_room import ROOM, reasons

ZH: Mapping[str, tuple[str, str]] = {
    "two-counts": ("同时给出了 --gpus 和 --nodes", "请只给一个"),
    "no-count": ("未给出 --gpus 或 --nodes", "请说明数量，或指定需求文件"),
    "two-rates": ("同时给出了 --gen 和 --rate", "InfiniBand 用 --gen，以太网用 --technology roce --rate"),
    "no-rate": ("未给出速率", "InfiniBand 用 --gen ndr，以太网用 --technology roce --rate 400"),
    "no-technology": ("--rate 是以太网速率", "请加 --technology roce，或改用 --gen"),
    "unknown-generation": ("没有 InfiniBand 代次 '{word}'", "{hint}"),
    "unknown-platform": ("没有服务器平台 '{word}'", "{hint}"),
    "unknown-switch": ("没有交换机 '{word}'", "{hint}"),
    "unknown-adapter": ("没有网卡 '{word}'", "{hint}"),
    "no-folder": ("--format 只说明写什么，未说明写到哪里", "请加 -o 目录"),
    "length-more": ("另有 {rest} 处错误未列出", "该勘测表是否属于本方案？"),
    "rails-per-leaf": ("每台 Leaf {rails} 条轨道，不能整除 {group} 的 {ports} 个端口（每平面）", "可选：{known}"),
    "min-spines": (
        "min_spines {asked} 要求每台 Leaf 至少有 {asked} 条上行链路（每台 Spine 一条）；{model} 共有 {ports} 个端口"
        "供节点与上行使用，这样没有组网能容纳每平面 {endpoints} 个端点",
        "此处最多可要求 {most} 台 Spine",
    ),
    "network-twice": ("网络 '{word}' 重复", "每个网络只写一次：--networks {once}"),
    "no-whole-cages": (
        "{subject}：{links} 条链路两端只能用固定插头的线缆连接（{title}），它须占用整个笼位，"
        "而此处笼位的链路分配不符合",
        "请选用每个笼位一条链路的 Leaf 或 Spine，或让不同端口的设备各用一个组网",
    ),
    **ROOM,
    "interrupted": ("已中断；先前的文件保持原样", ""),
}
"""``{hint}`` stands for the advice of the library, with its usual phrases in Chinese."""
PHRASES = (
    (r"did you mean (.+?)\?", r"是否想用 \1？"), (r"known: ", "可用："), (r"it may be one of ", "可能是以下之一："),
    (r" and ([0-9,]+) more", r" 等，另有 \1 个"), (r"('fabricplan [^']+') lists all", r"\1 可列出全部"),
)  # fmt: skip


def problem_text(problem: Problem, lang: str = "en") -> tuple[str, str]:
    """Return what a problem says and what to do about it.

    >>> unknown = Problem("unknown-switch", "no switch 'X'", "--leaf", "did you mean QM9700?", (("word", "X"),))
    >>> problem_text(unknown, "zh")
    ("没有交换机 'X'", '是否想用 QM9700？')
    >>> problem_text(Problem("too-large", "too large"), "zh")
    ('too large', '')
    """
    worded = ZH.get(problem.code) if lang == "zh" else None
    if worded is None:
        return problem.message, problem.hint
    hint = problem.hint
    for pattern, chinese in PHRASES:
        hint = re.sub(pattern, chinese, hint)
    params = dict(problem.params)
    try:
        message, advice = (part.format(hint=hint, why=reasons(params), **params) for part in worded)
    except KeyError:
        return problem.message, problem.hint
    return message, advice
