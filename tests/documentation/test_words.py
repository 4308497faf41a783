"""Users read standard words, the same everywhere: messages, hints, help, docstrings, README and pages.

`WORDS` has what is not written, each with its standard word; `ALLOWED` has phrases in which one of them
is right, each with a reason. The changelog is left out, for it names what was renamed.
"""

import ast
import contextlib
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from files import ROOT

from polar_config import json_schema
from polar_config.cli import main
from polar_config.reference import key_tables

WORDS = {
    r"whole numbers?": "integer",
    r"\b(?:found|expected|takes) (?:a |the )?texts?\b": "string",
    r"\b(?:is|are|not|no) (?:a |no )?texts?\b(?! (?:file|of|that|to|in)\b)": "string",
    r"\bthe text [\"']|^(?:a text|the text )$": "string",
    r"(?:found|or|for) nothing\b|^nothing$": "null",
    r"\bmend(?:s|ed|ing)?\b": "fix",
    r"\bwhat (?:is to )?holds?\b(?! (?:it|its|the|a|an|this)\b)": "effective values",
    r"\b(?:all|values?|all of it) (?:that )?holds\b": "effective values",
    r"\b(?:stands?|standing|stood)\b": "is, appears, occurs",
    r"\banew\b": "again",
    r"\bsurplus\b": "unexpected",
    r"\bfolders?\b": "directory",
    r"\bstar(?:s|red)? out\b|\bstarred\b": "mask",
    r"\bbad[- ]calls?\b": "usage error, invalid argument",
    r"\b(?:un)?prove[nds]?\b|\bproofs?\b": "verify",
    r"\btogether\(\)|\.together\b|`together`": "batch()",
    r"\bfor eyes\b": "human-readable",
    r"\bslips?\b": "typo",
    r"\btold apart\b|\btold from each other\b": "distinguished",
    r"\buser part\b": "userinfo, credentials",
    r"\bthis machine's (?:host ?)?name\b": "hostname",
    r"\bblanks\b": "spaces, whitespace",
    r"\bblocks?\b": "mapping, section",
    r"\bwritten (?:values?|urls?|`)": "explicit",
    r"\bthe call\b": "command line",
    r"(?:^|\d) or more\b": ">= 0",
    r"\babove (?:\d|$)": "> 0",
    r"\bat once: |\d (?:starting|running|finishing)\b": "workers: init 4, run 2, postrun 4",
}

ALLOWED = {
    r"\bblock (?:style|scalars?|lists?|mappings?|collections?)\b": "YAML's opposite of flow style",
    r"\bblock\.py\b": "the module for block style",
    r"<block end>": "the parser's own message, which is replaced",
    r"\bcode block\b": "the word for it in Markdown",
    r"`block`": "the module for block style",
    r"\bstands? for\b": "means, represents",
    r"\bstand-ins?\b": "an English noun, for a character that replaces another",
}


def _offences(place: str, text: str) -> Iterator[str]:
    plain = re.sub(r"\s+", " ", text)
    for phrase in ALLOWED:
        plain = re.sub(phrase, "…", plain, flags=re.IGNORECASE)
    for word, standard in WORDS.items():
        if found := re.search(word, plain, re.IGNORECASE):
            around = plain[max(0, found.start() - 20) : found.end() + 20].strip()
            yield f"{place}: {around!r}: say {standard}"


def _strings(file: Path) -> Iterator[tuple[int, str]]:
    """The string constants of a module with their lines, docstrings and parts of f-strings included."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.lineno, node.value


@pytest.mark.parametrize("directory", ["polar_config", "tests/benchmarks"])
def test_the_strings_of_the_code_are_in_standard_words(directory: str) -> None:
    files = sorted((ROOT / directory).rglob("*.py"))
    strings = [(file, line, text) for file in files for line, text in _strings(file)]
    assert strings
    offences = [
        offence
        for file, line, text in strings
        for offence in _offences(f"{file.relative_to(ROOT)}:{line}", text)
    ]
    assert offences == [], "\n".join(["", *offences])


def test_the_help_is_in_standard_words(capsys: pytest.CaptureFixture[str]) -> None:
    whole = _help(capsys)
    commands = re.findall(r"^    ([a-z][a-z-]+)\b", whole.partition("options:")[0], re.MULTILINE)
    assert "check" in commands
    offences = [
        *_offences("polar-config", whole),
        *(
            offence
            for command in commands
            for offence in _offences(f"polar-config {command}", _help(capsys, command))
        ),
    ]
    assert offences == [], "\n".join(["", *offences])


def _help(capsys: pytest.CaptureFixture[str], *command: str) -> str:
    with contextlib.suppress(SystemExit):
        main([*command, "--help"])
    return capsys.readouterr().out


PAGES = [
    ROOT / "README.md",
    *(page for page in sorted((ROOT / "docs").glob("*.md")) if page.name != "changelog.md"),
]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_pages_are_in_standard_words(page: Path) -> None:
    lines = page.read_text(encoding="utf-8").splitlines()
    offences = [
        offence
        for number, line in enumerate(lines, 1)
        for offence in _offences(f"{page.name}:{number}", line)
    ]
    assert offences == [], "\n".join(["", *offences])


def test_the_meanings_of_keys_are_in_standard_words() -> None:
    schema = json.dumps(json_schema(), ensure_ascii=False)
    texts = [*re.findall(r'"description": "(.*?)(?<!\\)"', schema), *key_tables().splitlines()]
    assert len(texts) > 10
    offences = [offence for text in texts for offence in _offences("a key", text)]
    assert offences == [], "\n".join(["", *offences])


@pytest.mark.parametrize(
    "text", ["expected a whole number", "found the text ", "a block in braces", "It stands there."]
)
def test_an_old_word_is_found(text: str) -> None:
    assert list(_offences("", text))


@pytest.mark.parametrize("text", ["the text of a document", "in block style", "a code block"])
def test_a_standard_word_is_not(text: str) -> None:
    assert not list(_offences("", text))
