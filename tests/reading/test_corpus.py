"""A folder of topology files, with what another implementation says of each: ours, or the one that `POLAR_CONFIG_CORPUS` names.

Beside the files lies an `INDEX.md`, whose table rows end in a verdict: `valid`, or the keys at fault.
"""

import re
from pathlib import Path

from answers import answer, answers_without_c_parser
from files import CORPUS, FILES

from polar_config import TopologyConfig, TopologyError

PLACEHOLDER = re.compile(r"\$\{\w+\}|<[\w -]+>|@[A-Z_]+@")


def _verdicts() -> dict[str, str]:
    rows = (CORPUS / "INDEX.md").read_text(encoding="utf-8").splitlines()
    return {row.split("|")[1].strip(): row.rsplit("|", 2)[1] for row in rows if ".yaml |" in row}


def _at_fault(file: Path) -> list[str]:
    try:
        TopologyConfig.load(file)
    except TopologyError as error:
        return [
            re.sub(r"\[\d+\]", "[]", problem.key_path) for problem in error.problems if problem.line
        ]
    return []


def test_each_file_is_accepted_or_every_key_at_fault_is_named() -> None:
    assert _verdicts().keys() == {file.name for file in FILES}
    for name, verdict in _verdicts().items():
        file = CORPUS / name
        found = _at_fault(file)
        live = re.sub(r"(?m)(^|\s)#.*$", "", file.read_text(encoding="utf-8"))
        if verdict.strip() == "valid" and not PLACEHOLDER.search(live):
            assert found == [], name
        for key in re.findall(r"`([a-z_.\[\]]+)`", verdict):
            assert any(path.startswith(key) for path in found) or "rendered: valid" in verdict, (
                name,
                key,
            )


def test_each_valid_file_is_written_back_to_an_equal_topology() -> None:
    for file in FILES:
        if not _at_fault(file):
            topology = TopologyConfig.load(file)
            assert TopologyConfig.loads(topology.dumps()) == topology
            assert TopologyConfig.loads(topology.dumps(effective=True)) == topology


def test_both_parsers_say_the_same_of_each_file() -> None:
    texts = [file.read_text(encoding="utf-8") for file in FILES]
    for text, without in zip(texts, answers_without_c_parser(texts), strict=True):
        assert answer(text) == without
