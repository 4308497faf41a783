"""A report names everything that is wrong, once, in order, with its position and the fix, and shows no secret."""

import re
import socket
import unicodedata
from pathlib import Path
from typing import Any

import pytest
from files import INVALID
from helpers import node_text, only, problems, refused
from hypothesis import example, given
from hypothesis import strategies as st
from strategies import topologies

from polar_config import Problem, TopologyConfig, TopologyError


@pytest.mark.parametrize("file", INVALID, ids=lambda file: file.stem)
def test_the_report_of_a_file_is_the_one_beside_it(file: Path) -> None:
    """`polar-config check NAME.yaml > NAME.txt`, run in that folder, writes the report anew; read it before it is committed."""
    error = refused(lambda: TopologyConfig.loads(file.read_bytes(), file.name))
    assert str(error) + "\n" == file.with_suffix(".txt").read_text(encoding="utf-8")


def test_every_mistake_is_reported_in_file_order_and_nothing_that_follows_from_one() -> None:
    text = (Path(__file__).parent / "invalid" / "every-block.yaml").read_text(encoding="utf-8")
    found = problems(text)
    assert (
        len(found) == 15
    )  # seven unknown keys, two mistakes in each of three nodes, an engine, a duplicate id
    assert [(each.line, each.column) for each in found] == sorted(
        (each.line or 0, each.column or 0) for each in found
    )


@pytest.mark.parametrize(
    ("text", "place"),
    [
        (node_text("prot: 1"), (4, 7)),  # an unknown key: the key
        (node_text("port:   x  # c"), (4, 15)),  # a wrong value: the value
        (node_text("model_served:"), (4, 7)),  # an empty value: its key
        (
            "gateway:\n  heartbeat_interval_seconds: 1\n",
            (1, 1),
        ),  # a missing key: the key that holds the block
        ("rollout:\n  port: 1\n", (1, 1)),  # for the file, its beginning
        ("\n\nrollout:\n  port: 1\n", (1, 1)),
        (
            node_text("default_runtime:\n        prepare:\n          - cwd: /\n        image: x"),
            (6, 11),
        ),  # for a list entry, its dash
        (node_text("default_runtime: {image: x, prepare: [{cwd: /}]}"), (4, 45)),
        (
            node_text("port: 1\n    - # comment - with a dash\n\n      id: a"),
            (7, 11),
        ),  # a duplicate: the later one
        ("gateway:\n  nodes:\n    - id: b\n    -\n", (4, 5)),  # an empty entry: its dash
        ("gateway:\n  nodes:\n  -\n    # - no\n    id: a\n  # - c\n  - \n", (7, 3)),
        ("gateway:\n  nodes: &all\n  - id: a\n  - \n", (4, 3)),
        (node_text('port: &p "8080"'), (4, 16)),  # a value with an anchor: behind it
        (node_text("port: !!str 8080"), (4, 19)),
        (node_text("port: &p"), (4, 13)),
        (node_text("port:\n        - 1"), (5, 9)),
        (node_text("port: &a\n        b: 1"), (4, 13)),
        (node_text("port: |\n        text\n      host: h"), (4, 13)),
        ("- a\n", (1, 1)),
        ("gateway: {nodes: [{id: a}], prot: 1}\r\n", (1, 29)),
        ("# é comment\ngateway:\n  nodes:\n    - id: a\u00a0b\n      port: x\n", (5, 13)),
        (node_text("inference: {base_url: http://h:1/x, prot: 1}"), (4, 43)),
    ],
)
def test_where_a_problem_stands(text: str, place: tuple[int, int]) -> None:
    problem = only(text)
    assert (problem.line, problem.column) == place


@pytest.mark.parametrize(
    ("key", "hint"),
    [
        ("max_run_worker", "did you mean max_run_workers?"),
        ("public-url", "did you mean public_url?"),
        ("publicUrl", "did you mean public_url?"),
        ("Port", "did you mean port?"),
        ("engine", "move it into inference"),
        ("base_url", "move it into inference"),
        ("image", "move it into default_runtime"),
        ("queue_size", "move it into gateway.completion_persistence"),
        ("save_dir", "move it into rollout"),
        ("nodes", "move it into gateway"),
        ("x-defaults", None),
        ("zzz", None),
        ("p" * 900, None),
    ],
)
def test_an_unknown_key_comes_with_the_key_that_was_probably_meant(
    key: str, hint: str | None
) -> None:
    found = only(node_text(f"{key}: 1")).hint
    assert found is not None
    assert found == hint if hint else found.startswith("allowed keys: id, host")


@pytest.mark.parametrize(
    "text",
    [
        "Gateway:\n  nodes: [{id: a}]\n",
        "gatewy: {nodes: [{id: a}]}\n",
        "gateway:\nnodes:\n  - id: a\n",
        node_text("host: fe80::1%eth0\n      pubic_url: http://h"),
        node_text("default_runtime: {image: x, prepare: [{type: exec, comand: a}]}"),
        "gateway_nodes: []\n",
        "nodes: [{id: a}]\n",
        "gateway:\n  Nodes: []\n",
        "gateway:\n  node: [{id: a}]\n",
        node_text("default_runtime: {Image: x}"),
        node_text("default_runtime: {prepare: [{typ: exec}], image: x}"),
    ],
)
def test_a_missing_key_is_not_reported_beside_the_one_that_was_taken_for_it(text: str) -> None:
    assert only(text).code in {"unknown-key", "moved-key", "misplaced-key"}


def test_a_missing_key_is_reported_beside_an_unrelated_one() -> None:
    assert [each.code for each in problems("zzz: 1\n")] == ["missing-key", "unknown-key"]


def test_a_misspelled_block_is_looked_into_all_the_same() -> None:
    found = problems(
        "gatway:\n  nods:\n    - Id: a\n      inferense: {engine: x}\n    - {id: b, port: 0, prot: 1}\n"
    )
    assert [each.key_path for each in found] == [
        "gatway",
        "gatway.nods",
        "gatway.nods[0].Id",
        "gatway.nods[0].inferense",
        "gatway.nods[0].inferense.engine",
        "gatway.nods[1].port",
        "gatway.nods[1].prot",
    ]
    assert [each.code for each in problems("gateway: {Nodes: x}")] == ["unknown-key"]
    assert [each.code for each in problems("gateway: {nodes: [{id: a}]}\nRollout: 5\n")] == [
        "unknown-key"
    ]


def test_keys_that_slipped_out_of_an_empty_block_are_told_where_they_belong() -> None:
    text = "rollout:\nhost: a\nport: 5\n" + node_text(
        "default_runtime:\n      image: x\n      env: {A: b}"
    )
    assert [each.hint for each in problems(text)] == ["move it into rollout"] * 2 + [
        "move it into default_runtime"
    ] * 2
    both = only(node_text("port: 5\n      Port: 6"))
    assert both.hint == "remove it: port is already set"


def test_keys_of_other_generations_are_recognised_only_where_they_stood() -> None:
    assert only("rollout: {write_workers: 4}\ngateway: {nodes: [{id: a}]}\n").code == "unknown-key"
    assert only(node_text("max_eval_prewarm_workers: 1")).code == "removed-key"


def test_a_shared_value_is_one_problem_that_says_how_many_share_it() -> None:
    text = "gateway:\n  nodes:\n    - &n\n      id: a\n      port: 0\n" + "".join(
        f"    - <<: *n\n      id: n{number}\n" for number in range(40)
    )
    problem = only(text)
    assert (problem.line, problem.key_path) == (5, "gateway.nodes[0].port")
    assert "used 41 times" in problem.message
    as_written = only(
        "gateway:\n  nodes:\n    - id: a\n      port: &p 8100\n      model_served: *p\n"
    )
    assert (as_written.line, as_written.column) == (
        5,
        21,
    )  # the value is right where it stands, and wrong here


def test_two_nodes_without_ids_collide_and_the_report_says_why() -> None:
    name = socket.gethostname()
    problem = only("gateway:\n  nodes:\n    - port: 1\n    - port: 2\n")
    assert (problem.code, problem.key_path, problem.line, problem.column) == (
        "duplicate-id",
        "gateway.nodes[1].id",
        4,
        5,
    )
    assert problem.message == (
        f'duplicate node id "{name}" (default: the hostname): nodes[0] has no id either (line 3)'
    )
    assert (
        "already used by nodes[0] (line 3)"
        in only(f"gateway:\n  nodes:\n    - port: 1\n    - id: {name}\n").message
    )
    assert (
        "(default: the hostname): already used by nodes[0] (line 3)"
        in only(f"gateway:\n  nodes:\n    - id: {name}\n    - port: 1\n").message
    )
    assert [each.code for each in problems("gateway: {nodes: [{id: 1}, {id: 1}]}")] == [
        "wrong-type",
        "wrong-type",
    ]


def test_list_entries_are_named_by_their_id_as_well_but_not_in_the_key_path() -> None:
    error = refused(
        lambda: TopologyConfig.loads(node_text("port: 0").replace("id: a", "id: gpu-37"), "t.yaml")
    )
    assert error.problems[0].key_path == "gateway.nodes[0].port"
    assert "gateway.nodes[0] (gpu-37).port: expected" in str(error)


def test_parts_of_a_key_path_that_are_no_plain_words_are_quoted() -> None:
    for key, path in (
        ("a b", '["a b"]'),
        ("a.b", '["a.b"]'),
        ("ü", '["ü"]'),
        ("7", '["7"]'),
        ("\u202e", '["\\u202e"]'),
        ('"', '["\\""]'),
    ):
        assert only(node_text(f"{_quoted(key)}: 1")).key_path == f"gateway.nodes[0]{path}"
    long = only(node_text(f"{'k' * 500}: 1")).key_path
    assert len(long) < 110


def _quoted(text: str) -> str:
    return '"' + "".join(f"\\U{ord(each):08x}" for each in text) + '"'


@given(
    st.text(
        st.characters(categories=["L", "N", "So", "Mn", "Po"], exclude_characters="\u2028\u2029"),
        min_size=1,
        max_size=30,
    )
)
@example("e\u0301")
@example("図")
def test_the_caret_stands_under_the_value_whatever_comes_before_it(name: str) -> None:
    def columns(text: str) -> int:
        return sum(
            0
            if unicodedata.combining(c) or unicodedata.category(c) in {"Mn", "Me", "Cf"}
            else 2
            if unicodedata.east_asian_width(c) in "WF"
            else 1
            for c in text
        )

    text = f'gateway: {{nodes: [{{id: "{_safe(name)}", port: 0}}]}}\n'
    _, _, line, caret, *_ = str(refused(lambda: TopologyConfig.loads(text))).split("\n")
    assert columns(line[: line.rindex("0")]) == columns(caret[: caret.index("^")])


def _safe(text: str) -> str:
    return text.replace("\\", "x").replace('"', "x").replace("<", "x").replace("@", "x")


def test_a_report_stays_short_and_cheap_for_a_flood_of_problems() -> None:
    text = "gateway:\n  nodes:\n" + "".join(
        f"    - id: n{number}\n      max_run_workerz: 1\n      port: 0\n" for number in range(5_000)
    )
    error = refused(lambda: TopologyConfig.loads(text, "t.yaml"))
    report = str(error)
    assert len(error.problems) == 1_000
    assert error.omitted == 9_000
    assert error.problem_count == 10_000
    assert report.count("^") > 50
    assert report.endswith("and 9,950 more problems\n\n10,000 problems in t.yaml")
    assert len(report) < 20_000


def test_a_report_stays_short_for_huge_values_keys_and_names() -> None:
    huge = "x" * 1_000_000
    for text in (
        node_text(f"port: {huge}"),
        node_text(f"{huge}: 1"),
        node_text(f"port: 0\n    - id: {huge}\n      port: 0"),
        node_text(f"port: [{'1, ' * 100_000}]"),
    ):
        assert len(str(refused(lambda text=text: TopologyConfig.loads(text, huge)))) < 3_000  # type: ignore[misc]


def test_a_block_with_a_broken_merge_is_looked_into_all_the_same() -> None:
    found = problems(node_text("<<: [3, {prot: 1}]\n      port: 0"))
    assert [(each.code, each.line) for each in found] == [
        ("bad-merge", 4),
        ("unknown-key", 4),
        ("out-of-range", 5),
    ]


def test_control_and_bidirectional_characters_are_shown_escaped() -> None:
    report = str(
        refused(
            lambda: TopologyConfig.loads(
                node_text('"\\e[31m\\u202e": 1  # \u202e red'), "a\x1b\u202e.yaml"
            )
        )
    )
    assert "\x1b" not in report
    assert "\u202e" not in report
    assert "a\\u001b\\u202e.yaml" in report


def test_color_dresses_the_same_words() -> None:
    error = refused(lambda: TopologyConfig.loads(node_text("port: 0\n    - id: a"), "t.yaml"))
    colored = error.report(color=True)
    assert "\x1b[" in colored
    assert re.sub(r"\x1b\[[0-9;]*m", "", colored) == str(error)


@given(topologies, st.randoms(use_true_random=False))
def test_the_report_is_the_same_for_the_same_text(topology: TopologyConfig, random: Any) -> None:
    lines = topology.dumps().split("\n")
    lines.insert(random.randrange(len(lines)), "zzz: 1")
    text = "\n".join(lines)
    reports = {str(refused(lambda: TopologyConfig.loads(text))) for _ in range(2)}
    assert len(reports) == 1


SECRET = "hunter2"


BROKEN_SOMEWHERE = (
    f"zzz: 1\nrollout:\n  public_url: http://root:{SECRET}@h:1\n  save_dir: s3://{SECRET}@bucket\n"
    f"gateway:\n  rollout_server_url: https://{SECRET}@h\n  nodes:\n    - id: a\n      port: 0\n"
    f"      default_runtime:\n        image: x\n        env: {{A: {SECRET}, B: '{SECRET}'}}\n"
    f"        prepare:\n          - type: exec\n            command: a\n            env:\n              T: {SECRET}\n"
    f"              U: |\n                {SECRET}\n                {SECRET}\n          - {{type: exec, env: {{A: {SECRET}}}}}\n"
    f"        kwargs: {{env: {{T: [{SECRET}]}}}}\n"
)
PLACES = [
    index
    for index in range(len(BROKEN_SOMEWHERE))
    if not any(
        match.start() < index < match.end()
        for match in re.finditer(
            rf"{SECRET}|env:|://\S*@|U: \|\n\s+{SECRET}\n\s+{SECRET}", BROKEN_SOMEWHERE
        )
    )
]


@given(
    st.sampled_from(PLACES),
    st.sampled_from(
        [
            "",
            "x",
            ":",
            "\n",
            "  ",
            "- ",
            '"',
            "{",
            "}",
            "[",
            "]",
            "\t",
            "*a",
            "!!x ",
            "%",
            "a: b: c",
            "\x07",
        ]
    ),
    st.booleans(),
)
def test_no_report_shows_a_secret_wherever_a_file_is_broken(
    index: int, piece: str, cut: bool
) -> None:
    text = BROKEN_SOMEWHERE[:index] + piece + ("" if cut else BROKEN_SOMEWHERE[index:])
    error = refused(lambda: TopologyConfig.loads(text))
    assert SECRET not in str(error) + repr(error) + repr(error.problems) + repr(error.args)


@pytest.mark.parametrize(
    "key", ["env", "Env", "ENV", "evn", "xenv", "envs", "environment", "env_vars", "en"]
)
def test_what_was_probably_meant_to_be_an_env_is_a_secret(key: str) -> None:
    for line in (
        f"default_runtime: {{image: x, {key}: {{TOKEN: {SECRET}}}, zzz: 1}}",
        f"default_runtime: {{image: x, {key}: {{TOKEN: {SECRET}}}",
    ):
        assert SECRET not in str(refused(lambda line=line: TopologyConfig.loads(node_text(line))))  # type: ignore[misc]


@pytest.mark.parametrize(
    "line",
    [
        f'base_url: "http://admin:{SECRET}\\s!w0rd@h:8000"',
        f"inference: {{engine: vllm, base_url: http://admin:{SECRET}{{x@h:8000}}",
        f"base_url: http://u:{SECRET}: x@h",
        f"base_url: http://u:{SECRET}\t@h",
        f"base_url: http://u:{SECRET}\x01@h",
        f'public_url: "http://u:{SECRET}\\u0040h:x"',
        f"host: u:{SECRET}@h",
    ],
)
def test_a_password_that_breaks_its_line_is_not_shown(line: str) -> None:
    assert SECRET not in str(refused(lambda: TopologyConfig.loads(node_text(line))))


@pytest.mark.parametrize(
    "text",
    [
        "gateway: ${G}\n",
        "${G}\n",
        "gateway: {nodes: '${G}'}\n",
        "gateway: {nodes: ['${G}']}\n",
        node_text("inference: ${G}"),
        node_text("default_runtime: {image: x, prepare: '<G>'}"),
    ],
)
def test_a_placeholder_for_a_block_or_a_list_is_one_like_any_other(text: str) -> None:
    assert only(text).code == "placeholder"


def test_many_placeholders_are_not_all_named() -> None:
    message = only(node_text("model_served: " + "".join(f"${{X{number}}}" for number in range(7))))
    assert message.message == "unresolved placeholders ${X0}, ${X1}, ${X2}, ${X3}, ${X4} and others"


def test_an_explicit_url_is_enough_for_an_address_with_a_zone_id_beside_other_mistakes() -> None:
    line = "{host: 'fe80::1%eth0', public_url: 'http://h', port: 0}"
    (problem,) = problems(f"rollout: {line}\ngateway: {{nodes: [{{id: a}}]}}\n")
    assert problem.key_path == "rollout.port"


def test_a_placeholder_for_an_id_is_no_duplicate() -> None:
    assert [each.code for each in problems("gateway: {nodes: [{id: '${A}'}, {id: '${A}'}]}")] == [
        "placeholder"
    ] * 2


@pytest.mark.parametrize(
    ("line", "mended"),
    [
        ('port: "8100"', "port: 8100"),
        ('port: "0x1F90"', "port: 0x1F90"),
        ("port: 8_100", "port: 8100"),
        ('port: "8,100"', "port: 8100"),
        ("port: 8100.0", "port: 8100"),
        ("port: 010", "port: 10"),
        ("host: 127.1.1", None),
        ('host: "127.1"', 'host: "127.0.0.1"'),
        ('host: "h:8100"', 'host: "h"'),
        ('host: "http://h/x"', 'host: "h"'),
        ("host: 0", 'host: "0.0.0.0"'),
        ("public_url: h:8100", 'public_url: "http://h:8100"'),
        ("public_url: http:/h", 'public_url: "http://h"'),
        ("public_url: http//h", 'public_url: "http://h"'),
        ("id: 12e3", 'id: "12e3"'),
        ("inference: {engine: VLLM}", "inference: {engine: vllm}"),
        (
            "default_runtime: {image: x, allow_internet: yes}",
            "default_runtime: {image: x, allow_internet: true}",
        ),
    ],
)
def test_a_hint_mends(line: str, mended: str | None) -> None:
    text = node_text(line).replace("    - id: a\n      id:", "    - id:")
    hint = only(text).hint
    assert hint
    if mended:
        value = mended.partition(": ")[2].strip("{}").rpartition(": ")[2].strip('"')
        assert value in hint or hint == "remove the quotes"
        TopologyConfig.loads(text.replace(line, mended))


@pytest.mark.parametrize(
    "line",
    [
        'port: "0"', 'port: "70000"', "port: 0.0", "port: 1_000_000", "port: \uff18\uff10", 'port: "1e3"', 'port: "1,5"', "public_url: http", "public_url: 5",
        "public_url: 'http:'", "public_url: 'http:// '", "port: 8080.5", "port: 65536",
    ],
)  # fmt: skip
def test_where_no_mend_is_known_none_is_given(line: str) -> None:
    assert only(node_text(line)).hint in {None, "write it in decimal, without leading zeros"}


def test_other_mends() -> None:
    def hint(text: str) -> str | None:
        return only(text).hint

    start = node_text("port: 1")
    assert hint(f"rollout: {{callback_grace_seconds: '1,5'}}\n{start}") == "write 1.5"
    assert hint(f"rollout: {{callback_grace_seconds: nan}}\n{start}") is None
    assert hint(node_text("public_url: http://h 8080")) == "remove it"
    assert hint(node_text("public_url: http://h/a b")) == "write %20 for a space"
    assert hint(node_text("public_url: http://::1:80")) == "write [::1]:80"
    assert hint(node_text("public_url: http://::1")) == "write [::1]"
    assert hint(node_text("public_url: http://http://h")) == "write http:// once"
    assert hint(node_text("host: [::1]")) == "put an address in brackets in quotes"
    assert hint(node_text("host: *")) == "put the string in quotes"
    assert hint(node_text("id: a\n        port: 5").replace("      id: a", "")) is not None
    assert "${CPUS}" in str(hint(node_text("default_runtime: {image: '${IMG}', cpus: ${CPUS}}")))
    assert (
        hint("gateway:\n  nodes:\n    - id: a\n        port: 5\n")
        == "align it with the other keys of this mapping"
    )
    assert only("gateway:\n  nodes:\n    - id: a\n      port 5\n").line == 4


def test_messages_name_the_limit_that_was_passed() -> None:
    assert "64 bits" in only(node_text(f"max_run_workers: {2**63}")).message
    for value, words in (("1e400", "finite"), (".inf", "finite"), (str(2**63), "64 bits")):
        assert (
            words
            in only(f"rollout: {{callback_grace_seconds: {value}}}\n{node_text('port: 1')}").message
        )


def test_an_address_of_millions_of_characters_is_refused_at_once() -> None:
    for line in (
        f"public_url: http://{'a.' * 1_000_000}",
        f"host: {'a.' * 1_000_000}",
        f"public_url: http://h{'/' * 1_000_000}",
        f"port: 1.{'1' * 1_000_000}",
    ):
        assert len(str(refused(lambda line=line: TopologyConfig.loads(node_text(line))))) < 1_000  # type: ignore[misc]


def test_errors_are_values() -> None:
    first = Problem(code="a", key_path="b", message="c")
    assert first == Problem(code="a", key_path="b", message="c", hint=None, line=None, column=None)
    assert TopologyError([first]).problems == (first,)
    assert (
        str(TopologyError([first, first], "t.yaml"))
        == "t.yaml: b: c\nt.yaml: b: c\n2 problems in t.yaml"
    )


def test_a_dash_in_a_text_of_several_lines_is_no_entry() -> None:
    text = 'gateway:\n  nodes:\n  - id: "a\n  - b"\n  -\n'
    assert [(each.key_path, each.line, each.column) for each in problems(text)] == [
        ("gateway.nodes[1]", 5, 3)
    ]
