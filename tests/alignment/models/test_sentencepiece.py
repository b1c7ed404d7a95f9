"""Question writers, readers and NLI models whose tokenizer is a sentencepiece model and no more.

That each is read is in test_twins.py.
"""

from __future__ import annotations

import re
from pathlib import Path

from tests.twins.scoring import NAMES, facts

REQUIREMENTS = Path(__file__).parents[3] / "requirements.txt"
WITHOUT_TOKENIZER_JSON = [
    name
    for name in NAMES
    if any(file.endswith(("spiece.model", "spm.model")) for file in facts(name)["files"])
    and "tokenizer.json" not in facts(name)["files"]
]


def test_they_are_the_question_writers_the_readers_and_one_nli_model() -> None:
    assert WITHOUT_TOKENIZER_JSON == [
        "deberta-nli",
        "t5-question-writer",
        "t5-small-questions",
        "unifiedqa-v2",
        "unifiedqa-v2-small",
    ]


def test_what_reads_them_is_required() -> None:
    required = set(re.findall(r"^[\w.-]+", REQUIREMENTS.read_text(), flags=re.MULTILINE))
    assert {"sentencepiece", "protobuf"} <= required
