"""YAML as it is read: 1.2, strictly, with anchors and merges, within limits."""

import gc

import pytest
from helpers import node_text, only, problems
from hypothesis import given
from hypothesis import strategies as st

from polar_config import TopologyConfig, TopologyDocument, TopologyError


def _id(yaml: str) -> str:
    return (
        TopologyConfig.loads(node_text("port: 1").replace("id: a", f"id: {yaml}"))
        .gateway.nodes[0]
        .id
    )


@pytest.mark.parametrize(
    "text",
    [
        "NO",
        "yes",
        "on",
        "22:22",
        "2024-01-05",
        "1_000",
        "0b1",
        "-0x1",
        "+.inf.",
        "1e",
        "a:b",
        "2024-01-05T10:00:00Z",
        "1.2.3",
        "=",
        "-_",
        "08:30",
    ],
)
def test_what_yaml_1_2_reads_as_text_is_text(text: str) -> None:
    assert _id(text) == text


@pytest.mark.parametrize(
    "text",
    [
        "12e3",
        "0005",
        "0x1F",
        "0o17",
        "1.5",
        ".5",
        "5.",
        "-1",
        "+1",
        "1E+9",
        "true",
        "False",
        "9" * 5000,
        ".inf",
        "-.INF",
        ".nan",
    ],
)
def test_where_a_string_is_expected_a_number_is_refused_and_shown_in_quotes(text: str) -> None:
    problem = only(node_text("port: 1").replace("id: a", f"id: {text}"))
    assert (problem.code, problem.key_path, problem.line, problem.column) == (
        "wrong-type",
        "gateway.nodes[0].id",
        3,
        11,
    )
    assert problem.hint is not None
    assert problem.hint.startswith(
        f'put it in quotes: "{text[:79] if text != "False" else "false"}'
    )


@pytest.mark.parametrize("text", ["null", "~", "Null", ""])
def test_where_a_string_is_expected_null_is_refused(text: str) -> None:
    assert only(node_text(f"model_served: {text}")).message == "expected a string, found null"


@pytest.mark.parametrize(
    ("text", "port"),
    [
        ("8080", 8080),
        ("0x1F90", 8080),
        ("+8080", 8080),
        ("&p 8080", 8080),
        ("!!int 8080", 8080),
        ('!!int "8080"', 8080),
    ],
)
def test_integers_are_read_in_decimal_and_hexadecimal(text: str, port: int) -> None:
    assert TopologyConfig.loads(node_text(f"port: {text}")).gateway.nodes[0].port == port


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("1", 1.0),
        ("1.5", 1.5),
        (".5", 0.5),
        ("5.", 5.0),
        ("1e3", 1000.0),
        ("1.5E-3", 0.0015),
        ("0x10", 16.0),
        ("!!float 3", 3.0),
    ],
)
def test_floats_are_read_in_every_form_that_yaml_1_2_has(text: str, seconds: float) -> None:
    assert (
        TopologyConfig.loads(
            f"rollout: {{callback_grace_seconds: {text}}}\n{node_text('port: 1')}"
        ).rollout.callback_grace_seconds
        == seconds
    )


@pytest.mark.parametrize("text", ["010", "0o17", "-01", "00"])
def test_numbers_that_yaml_1_1_and_1_2_read_differently_are_refused_where_a_number_is_due(
    text: str,
) -> None:
    assert only(node_text(f"port: {text}")).code == "ambiguous-number"
    assert (
        only(f"rollout: {{callback_grace_seconds: {text}}}\n{node_text('port: 1')}").code
        == "ambiguous-number"
    )


def test_an_ambiguous_float_is_refused_with_the_plain_spelling() -> None:
    problem = only(f"rollout: {{callback_grace_seconds: 010.5}}\n{node_text('port: 1')}")
    assert problem.hint == "write 10.5"


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ('"8080"', "remove the quotes"),
        ("1_000", "write 1000"),
        ("8,080", "write 8080"),
        ("8080.0", "write 8080"),
        ("", "set a value"),
        ("12abc", None),
        ("'1e3'", None),
        ("'0x10'", "remove the quotes"),
    ],
)
def test_a_wrong_port_comes_with_the_mend(text: str, hint: str | None) -> None:
    found = only(node_text(f"port: {text}")).hint
    assert found is None if hint is None else found is not None and found.startswith(hint)


@pytest.mark.parametrize(
    "text", ["", "# only a comment\n", "---\n", "null\n", "--- ~\n...\n", "\ufeff", "\n\n"]
)
def test_an_empty_file_lacks_its_gateway(text: str) -> None:
    problem = only(text)
    assert (problem.code, problem.key_path, problem.line, problem.column) == (
        "missing-key",
        "gateway",
        1,
        1,
    )


def test_a_block_with_nothing_in_it_has_the_defaults_but_a_gateway_needs_nodes() -> None:
    text = "rollout:\n  # port: 1\ngateway:\n  completion_persistence:\n  nodes:\n    - id: a\n      inference:\n      default_runtime:\n"
    assert TopologyConfig.loads(text) == TopologyConfig.loads("gateway: {nodes: [{id: a}]}")
    assert (only("gateway:\n").key_path, only("gateway:\n").line) == ("gateway.nodes", 1)
    assert only("rollout:\ngateway:\n  nodes:\n    -\n    - id: a\n").key_path == "gateway.nodes[0]"


def test_anchors_aliases_and_merge_keys_share_blocks() -> None:
    topology = TopologyConfig.loads(
        "gateway:\n"
        "  nodes:\n"
        "    - &base\n"
        "      id: a\n"
        "      port: 1\n"
        "      max_run_workers: &n 7\n"
        "      inference: &engine {engine: vllm}\n"
        "    - <<: *base\n"
        "      id: b\n"
        "    - <<: [{port: 3}, *base]\n"
        "      id: c\n"
        "      inference: *engine\n"
        "      max_init_workers: *n\n"
        "    - id: d\n"
        "      <<: *base\n"
        "      port: 4\n"
    )
    assert [
        (node.id, node.port, node.max_run_workers, node.engine) for node in topology.gateway.nodes
    ] == [
        ("a", 1, 7, "vllm"),
        ("b", 1, 7, "vllm"),
        ("c", 3, 7, "vllm"),
        ("d", 4, 7, "vllm"),
    ]
    assert topology.gateway.nodes[2].max_init_workers == 7


def test_a_merge_key_in_quotes_is_a_key_like_any_other() -> None:
    assert only(node_text('"<<": {port: 1}')).code == "unknown-key"
    topology = TopologyConfig.loads(
        node_text("default_runtime: {image: x, kwargs: {'<<': 1, a: &a {b: 2}, c: {<<: *a}}}")
    )
    assert topology.to_dict()["gateway"]["nodes"][0]["default_runtime"]["kwargs"] == {
        "<<": 1,
        "a": {"b": 2},
        "c": {"b": 2},
    }


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("<<: 3", "bad-merge"),
        ("<<: [{port: 1}, 3]", "bad-merge"),
        ("<<:", "bad-merge"),
        ("inference: *nothing", "unknown-alias"),
        ("inference: &x {engine: *x}", "recursive"),
        ("port: !!python/name:os.system 1", "bad-tag"),
        ("port: !port 1", "bad-tag"),
        ("default_runtime: {image: x, kwargs: {a: !!set {b}}}", "bad-tag"),
        ("default_runtime: {image: x, kwargs: {a: !!omap [b: 1]}}", "bad-tag"),
        ("default_runtime: {image: x, kwargs: {a: !!binary aGk=}}", "bad-tag"),
        ("port: !!int abc", "bad-tag"),
        ("inference: !x &i {engine: vllm}", "bad-tag"),
        ("default_runtime: &i !x {image: '!'}", "bad-tag"),
        ("port: !!bool 1", "bad-tag"),
        ("8080: x", "non-string-key"),
        ("? [a, b]\n      : x", "non-string-key"),
        ("true: x", "non-string-key"),
    ],
)
def test_what_a_topology_file_does_not_take_is_named_with_its_line(line: str, code: str) -> None:
    problem = only(node_text(line))
    assert (problem.code, problem.line) == (code, 4)


def test_an_empty_key_is_pointed_at_by_what_stands_beside_it() -> None:
    for text, place in (
        (node_text("? \n      : x"), (5, 9)),
        (node_text("? \n      :"), (3, 7)),
        (node_text("inference: {: x}"), (4, 21)),
    ):
        problem = only(text)
        assert (problem.code, problem.line, problem.column) == ("non-string-key", *place)


def test_yaml_s_own_tags_are_fine() -> None:
    topology = TopologyConfig.loads(
        "--- !!map\ngateway: !!map\n  nodes: !!seq\n    - id: !!str 42\n      port: !!int 1\n      model_served: ! 7\n"
        "      default_runtime: {image: x, allow_internet: !!bool false, workdir: !!null ~, kwargs: {a: !!float 1, b: !!null ''}}\n"
    )
    node = topology.gateway.nodes[0]
    assert (node.id, node.port, node.model_served) == ("42", 1, "7")
    assert node.default_runtime is not None
    assert node.default_runtime.kwargs == {"a": 1.0, "b": None}


def test_a_key_that_is_an_alias_or_has_a_tag_or_an_anchor_is_a_key() -> None:
    text = "gateway:\n  nodes:\n    - &k id: &v port\n      *v : 1\n      !!str model_served: m\n      ? host\n      : h\n"
    assert TopologyConfig.loads(text).gateway.nodes[0].port == 1


def test_a_duplicate_key_names_both_lines() -> None:
    problem = only(node_text("port: 1\n      host: h\n      port: 2"))
    assert (problem.code, problem.key_path, problem.line, problem.column) == (
        "duplicate-key",
        "gateway.nodes[0].port",
        6,
        7,
    )
    assert "line 4" in problem.message
    assert only("gateway: {nodes: [{id: a}]}\ngateway: {nodes: [{id: a}]}\n").line == 2
    merged = "gateway:\n  nodes:\n    - &a\n      id: a\n    - <<: *a\n      <<: *a\n      id: b\n"
    assert (only(merged).code, only(merged).line) == ("duplicate-key", 6)


def test_a_second_document_is_refused() -> None:
    assert (
        only(node_text("port: 1") + "---\na: 1\n").code,
        only(node_text("port: 1") + "---\na: 1\n").line,
    ) == ("multiple-documents", 5)
    assert TopologyConfig.loads("---\n" + node_text("port: 1") + "...\n").gateway.nodes[0].port == 1


def test_a_directive_for_yaml_1_changes_nothing_and_another_major_version_is_refused() -> None:
    for version in ("1.1", "1.2", "1.3"):
        topology = TopologyConfig.loads(
            f"# comment\n%YAML {version}\n---\n{node_text('model_served: no')}"
        )
        assert topology.gateway.nodes[0].model_served == "no"
    assert only(f"%YAML 2.0\n---\n{node_text('port: 1')}").code == "yaml-version"
    assert only(f"%YAML 1.1\n{node_text('port: 1')}").code == "syntax"


@pytest.mark.parametrize(
    "text",
    [
        "gateway:\t# comment\n  nodes:\t\n    - id:\ta\t# x\n      port: 1\t\n\t\n  # end\t\n",
        "gateway:\n  nodes: [\n\t{id: a,\tport: 1}\t]\n",
        'gateway:\n  nodes:\n    - id: "a"\n      model_served: "x\ty"\n      port: 1\n',
        "gateway:\n  nodes:\n    - id: a\n      port: 1\n      default_runtime:\n        image: x\n        prepare:\n          - type: exec\n            command: |\n              a\tb\n",
        "gateway: {nodes: [&x\t{id: a, port: 1}]}\n",
    ],
)
def test_a_tab_that_only_separates_is_fine(text: str) -> None:
    topology = TopologyConfig.loads(text)
    assert topology.gateway.nodes[0].port == 1
    assert topology == TopologyConfig.loads(topology.dumps())


def test_tabs_inside_of_texts_stay() -> None:
    assert (
        TopologyConfig.loads(node_text('model_served: "x\ty"\t# c')).gateway.nodes[0].model_served
        == "x\ty"
    )


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("gateway:\n\tnodes: []\n", 2, 1),
        ("gateway:\n  nodes:\n  \t- id: a\n", 3, 3),
        ("gateway:\n  nodes:\n    -\tid: a\n      port: 1\n", 3, 6),
        ("gateway:\n  nodes:\n    - id: a\n\t  port: 1\n", 4, 1),
        ("gateway:\n  nodes:\n    - id:\n\ta\n", 4, 1),
    ],
)
def test_a_tab_that_indents_is_refused_as_what_it_is(text: str, line: int, column: int) -> None:
    problem = only(text)
    assert (problem.code, problem.line, problem.column, problem.message) == (
        "tab",
        line,
        column,
        "tabs are not allowed for indentation",
    )


def test_a_tab_in_unquoted_text_is_refused() -> None:
    assert only("gateway:\n  nodes:\n    - id: a\tb\n").code == "tab"


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("gateway:\n  nodes:\n    - id: a\n     port: 1\n", 4, "wrong indentation"),
        ("gateway:\n  nodes:\n    - id: a\n        port: 1\n", 4, 'unexpected ": "'),
        ("gateway:\n  nodes:\n    - id: a\n      port 1\n      host: h\n", 4, 'missing ": "'),
        ('gateway:\n  nodes:\n    - id: "a\n', 3, "never closed"),
        ("gateway: {nodes: [{id: a}\n", 2, '"]" in this flow list'),
        ("gateway: {nodes: [{id: a]}}\n", 1, '"}" in this flow mapping'),
        ("gateway:\n  nodes:\n    - id: @a\n", 3, 'must not begin with "@"'),
        ('gateway:\n  nodes:\n    - id: "\\d"\n', 3, "escape"),
        ('gateway:\n  nodes:\n    - id: "\\xZZ"\n', 3, "escape"),
        ('gateway:\n  nodes:\n    - id: "\\U00110000"\n', 3, "invalid YAML"),
        ("gateway:\n  - a\n  nodes: []\n", 3, "wrong indentation"),
        ("a: 1\n- b\n", 2, 'expected a key, found "-"'),
        ("a: - b\n", 1, 'unexpected "-"'),
        ("--- a\n--- b: c: d\n", 2, "multiple YAML documents"),
        ("a: 'b' c\n", 1, "after a value"),
        ("%TAG ! x\n%TAG ! y\n---\na: 1\n", 2, "invalid YAML"),
    ],
)
def test_what_is_no_yaml_is_reported_in_an_operator_s_words(
    text: str, line: int, words: str
) -> None:
    problem = only(text)
    assert words in problem.message
    assert (problem.line, problem.key_path) == (line, "")


def test_where_an_unrendered_placeholder_makes_a_file_malformed_the_hint_names_it() -> None:
    for text, name in ((node_text("port: @PORT@"), "@PORT@"), ("a: {b: ${X}}\n", "${X}")):
        assert name in str(only(text).hint)


def test_the_limits_are_refused_quickly() -> None:
    laughs = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n" + "".join(
        f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]\n" for n in range(1, 12)
    )
    for text, code in (
        ("a: " + "[" * 100_000, "too-deep"),
        ("a: " + "{a: " * 65 + "}" * 65, "too-deep"),
        ("\n".join("  " * depth + "a:" for depth in range(70)), "too-deep"),
        (laughs, "too-many-values"),
        ("# " + "x" * 16 * 1024 * 1024, "too-large"),
        (node_text("port: " + "9" * 1_000_000), "out-of-range"),
        (node_text("model_served: [" + "a, " * 1_000_001 + "]"), "too-many-values"),
    ):
        assert only(text).code == code


def test_what_is_within_the_limits_is_read() -> None:
    deep = "[" * 58 + "]" * 58  # six levels are above it
    topology = TopologyConfig.loads(
        node_text(f"default_runtime: {{image: x, kwargs: {{a: {deep}}}}}")
    )
    assert topology == TopologyConfig.loads(topology.dumps())


def test_characters_that_yaml_does_not_take_are_named() -> None:
    for character in ("\0", "\x07", "\x7f", "\x9f", "\ud800", "\ufffe", "\ufeff"):
        problem = only(node_text(f"model_served: a{character}b"))
        assert (problem.code, problem.line, problem.column) == ("bad-character", 4, 22)
        assert f"U+{ord(character):04X}" in problem.message


@given(st.text())
def test_whatever_text_comes_nothing_but_a_topology_error_is_raised(text: str) -> None:
    with pytest.raises(TopologyError) as caught:
        TopologyConfig.loads(text)
    assert caught.value.problems
    assert str(caught.value)


@given(st.binary())
def test_whatever_bytes_come_nothing_but_a_topology_error_is_raised(data: bytes) -> None:
    assert problems(data)


@pytest.mark.parametrize("separator", ["\x85", "\u2028", "\u2029"])
def test_a_line_ending_of_yaml_1_1_is_refused_wherever_it_is(separator: str) -> None:
    """Polar's processes read YAML 1.1: to them a comment with such a character holds a live key."""
    for line, column in (
        (f"model_served: a{separator}b", 22),
        (f"model_served: 'a{separator}b'", 23),
        (f'model_served: "a{separator}b"', 23),
        (f"model_served: {{a: b{separator}}}", 26),
        (f"port: 1 # {separator}      port: 2", 17),
        (f"a{separator}b: 1", 8),
    ):
        problem = only(node_text(line))
        assert (problem.code, problem.line, problem.column) == ("bad-character", 4, column)
        assert f"U+{ord(separator):04X}" in problem.message
        assert problem.hint == "remove it, or write it as an escape in double quotes"


def test_a_line_ending_of_yaml_1_1_is_fine_as_an_escape() -> None:
    text = node_text(r'model_served: "x\x85\N\u2028\L\u2029\P\U00002028y"')
    node = TopologyConfig.loads(text).gateway.nodes[0]
    assert node.model_served == "x\x85\x85\u2028\u2028\u2029\u2029\u2028y"


def test_an_unquoted_url_in_flow_style_is_that_url_and_what_only_looks_like_one_is_text() -> None:
    topology = TopologyConfig.loads(
        "gateway:\n  nodes:\n    - {id: a, public_url: http://h:1/x, inference: {base_url: https://b}}\n"
        "    - id: b {http://h:1}\n      model_served: 'c {http://h:1} d'\n      # {http://h:1}\n      port: 1\n"
    )
    first, second = topology.gateway.nodes
    assert (first.public_url, first.inference.base_url) == ("http://h:1/x", "https://b")
    assert (second.id, second.model_served) == ("b {http://h:1}", "c {http://h:1} d")
    assert (
        only(
            "gateway:\n  nodes:\n    - id: a\n      model_served: 'c {http://h:1} d'\n      inference: {http://h}\n"
        ).code
        == "unknown-key"
    )


def test_colons_inside_of_unquoted_strings_in_flow_style_are_theirs() -> None:
    node = TopologyConfig.loads(
        "# {http://h:1}\n"
        "gateway:\n"
        "  nodes:\n"
        "    - {id: a:b, default_runtime: {image: docker.io/x:1.2, kwargs: {"
        "http://k:1: [1:2, a::b], 'q:r': \"s:t\", u:v: }}, public_url: http://h:1/x}\n"
        "    - id: c\n"
        "      model_served: |\n"
        "        {http://h:1}\n"
    ).gateway.nodes[0]
    assert node.default_runtime is not None
    assert (node.id, node.public_url, node.default_runtime.image) == (
        "a:b",
        "http://h:1/x",
        "docker.io/x:1.2",
    )
    assert node.default_runtime.kwargs == {
        "http://k:1": ("1:2", "a::b"),
        "q:r": "s:t",
        "u:v": None,
    }


def test_escaped_noncharacters_are_themselves() -> None:
    """The C parser is given one in the place of colons; what is escaped must not be taken for it."""
    every = "".join(map(chr, range(0xFDD0, 0xFDF0)))
    for characters in (*every, every):
        config = TopologyConfig.from_dict(
            {"gateway": {"nodes": [{"id": "a", "model_served": f"{characters}x"}]}}
        )
        assert TopologyConfig.loads(config.dumps()) == config
        text = config.dumps() + "rollout: {public_url: http://h:1}\n"
        loaded = TopologyConfig.loads(text)
        assert loaded.gateway.nodes == config.gateway.nodes
        assert loaded.rollout.public_url == "http://h:1"


def test_the_garbage_collector_is_left_as_it_was() -> None:
    for is_on in (True, False):
        (gc.enable if is_on else gc.disable)()
        try:
            TopologyDocument.parse("a: 1\n")
            assert gc.isenabled() is is_on
        finally:
            gc.enable()


@pytest.mark.parametrize("zeros", [0, 5, 36, 40, 200])
def test_leading_zeros_do_not_change_a_number(zeros: int) -> None:
    text = node_text(f"port: 0x{'0' * zeros}1F90")
    assert TopologyConfig.loads(text).gateway.nodes[0].port == 8080
    for sign in ("", "+", "-"):
        problem = only(node_text(f"port: {sign}{'9' * (2_000 + zeros)}"))
        assert problem.code == "out-of-range"
