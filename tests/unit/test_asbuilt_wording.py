"""Words of the as-built documents: both languages say the same things with the same numbers, and nothing else."""

from __future__ import annotations

import re
from pathlib import Path

import fabricplan
from fabricplan.wording import asbuilt_en, asbuilt_zh

ROOT = Path(fabricplan.__file__).parent
NUMBERS = re.compile(r"{(\w+)")


def test_both_languages_hold_the_same_sentences_and_numbers() -> None:
    assert asbuilt_en.TEXT.keys() == asbuilt_zh.TEXT.keys()
    assert asbuilt_en.PAGE.keys() == asbuilt_zh.PAGE.keys()
    for key, (text, hint) in asbuilt_en.TEXT.items():
        other = asbuilt_zh.TEXT[key]
        assert set(NUMBERS.findall(text)) == set(NUMBERS.findall(other[0])), key
        assert bool(hint) == bool(other[1]), key
    for key, text in asbuilt_en.PAGE.items():
        assert set(NUMBERS.findall(text)) == set(NUMBERS.findall(asbuilt_zh.PAGE[key])), key


def test_every_finding_has_words_and_every_sentence_a_finding() -> None:
    files = [*(ROOT / "asbuilt").glob("*.py"), ROOT / "readers" / "lldp.py"]
    made = {
        code
        for path in files
        for code in re.findall(r"finding\(\s*\"(?:error|warning|info)\",\s*\"([\w-]+)\"", path.read_text("utf-8"))
    }
    assert made == asbuilt_en.TEXT.keys()


def test_every_kind_of_order_and_step_has_words() -> None:
    from typing import get_args

    from fabricplan.asbuilt.document import Move, OrderKind

    for kind in get_args(OrderKind):
        assert asbuilt_en.PAGE[kind] and asbuilt_zh.PAGE[kind]
    for action in get_args(Move.model_fields["action"].annotation):
        assert f"step_{action}" in asbuilt_en.PAGE and f"a_{action}" in asbuilt_en.PAGE
