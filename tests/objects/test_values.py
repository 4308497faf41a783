"""Every key takes what the table of the file format says, and the same in a file, in plain data and in code."""

import datetime as dt
import json
import math
from collections import ChainMap, OrderedDict
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from types import MappingProxyType
from typing import Any

import attrs
import pytest
import ruamel.yaml
from helpers import only, refused
from hypothesis import given
from hypothesis import strategies as st
from strategies import plain_data

from polar_config import (
    CompletionPersistenceConfig,
    GatewayConfig,
    GatewayNodeConfig,
    InferenceConfig,
    PrepareAction,
    RolloutServiceConfig,
    RuntimeSpec,
    TopologyConfig,
    TopologyError,
)

NODE = GatewayNodeConfig(id="a")
EXEC = {"type": "exec", "command": "true"}
RUNTIME = {"image": "x"}


@attrs.frozen
class Block:
    """How the keys of a block get into plain data, how the block is found again, and how its class is given them."""

    data: Callable[[dict[str, Any]], dict[str, Any]]
    get: Callable[[TopologyConfig], Any]
    cls: Callable[..., Any]
    needed: dict[str, Any]


def _in_node(node: dict[str, Any]) -> dict[str, Any]:
    return {"gateway": {"nodes": [{"id": "a", **node}]}}


def _node(topology: TopologyConfig) -> GatewayNodeConfig:
    return topology.gateway.nodes[0]


def _runtime(topology: TopologyConfig) -> RuntimeSpec:
    runtime = _node(topology).default_runtime
    assert runtime is not None
    return runtime


ROLLOUT = Block(
    lambda keys: {"rollout": keys, **_in_node({})},
    lambda topology: topology.rollout,
    RolloutServiceConfig,
    {},
)
GATEWAY = Block(
    lambda keys: {"gateway": {"nodes": [{"id": "a"}], **keys}},
    lambda topology: topology.gateway,
    GatewayConfig,
    {"nodes": [NODE]},
)
PERSISTENCE = Block(
    lambda keys: {"gateway": {"nodes": [{"id": "a"}], "completion_persistence": keys}},
    lambda topology: topology.gateway.completion_persistence,
    CompletionPersistenceConfig,
    {},
)
NODES = Block(_in_node, _node, GatewayNodeConfig, {"id": "a"})
INFERENCE = Block(
    lambda keys: _in_node({"inference": keys}),
    lambda topology: _node(topology).inference,
    InferenceConfig,
    {},
)
RUNTIMES = Block(
    lambda keys: _in_node({"default_runtime": {**RUNTIME, **keys}}), _runtime, RuntimeSpec, RUNTIME
)
ACTIONS = Block(
    lambda keys: _in_node({"default_runtime": {**RUNTIME, "prepare": [{**EXEC, **keys}]}}),
    lambda topology: _runtime(topology).prepare[0],
    PrepareAction,
    EXEC,
)

BAD_FOR_INT: tuple[Any, ...] = (
    "8080",
    8080.0,
    True,
    None,
    [],
    {},
    "",
    2**63,
    -(2**63) - 1,
    10**400,
    "010",
    "1_000",
    math.nan,
)
BAD_FOR_AMOUNT: tuple[Any, ...] = (0, -1, *BAD_FOR_INT)
BAD_FOR_FLOAT: tuple[Any, ...] = (
    "1.0",
    True,
    None,
    [],
    math.nan,
    math.inf,
    -math.inf,
    2**63,
    "1_0",
)
BAD_FOR_TEXT: tuple[Any, ...] = (
    42,
    1.5,
    True,
    [],
    {},
    "a\0b",
    "a\ud800",
    "${NAME}",
    "@NAME@",
    "<name>",
)
BAD_FOR_FLAG: tuple[Any, ...] = ("true", "false", "yes", 0, 1, None, [], 1.0)
BAD_FOR_HOST: tuple[Any, ...] = (
    None, 0, "", " ", "*", "0", "127.1", "127.0.0.01", "256.0.0.1", "0x7f000001", "1.2.3", "http://h", "h:80", "[::1]:80", "a b", "h/x",
    "h\\x", "ü", "a..b", ".a", "a.", "[a]", "::1::", "fe80::1%", "fe80::1%a b", "[::1", "a@b", "${HOST}", "1.2.3.4.5", "a.5",
)  # fmt: skip
BAD_FOR_URL: tuple[Any, ...] = (
    42, "localhost:8000", "//h", "h", "ftp://h", "http:/h", "http:h", "http//h", "://h", "http://", "http:///x", "http://:80", "http://h:",
    "http://h:0", "http://h:65536", "http://h:080", "http://h:8o", "http://h:1:2", "http://::1", "http://::1:80", "http://[::1", "http://[::1]x",
    "http://[::1]:", "http://[1.2.3.4]", "http://[fe80::1%25eth0]", "http://a b", "http://a\tb", "http://h/a b", "http://h\\x", "http://ü",
    "http://h/ü", "http://h%41", "http://127.1", "http://0x7f.1", "http://0x7f000001", "http://1.2.3.4.5", "http://256.1.1.1", "http://1.2.3.4.", "http://h?",
    "http://h?a=b", "http://h/#", "http://a..b", "http://.a", "http://h/%zz", "http://u:p@", "http://a,b", "http://h\x00", "http://h\x7f",
    "http://<host>:1", "http://${HOST}", "http:// h", "http://u ser@h", 'http://u"@h', "http://1.2.3.04", "http://h|x", "http://a/{b}",
)  # fmt: skip

KEYS: list[tuple[Block, str, Any, dict[Any, Any], tuple[Any, ...]]] = [  # block, key, default, what is taken (and becomes), what is refused
    (ROLLOUT, "port", 8080, {1: 1, 65535: 65535}, (0, 65536, -1, *BAD_FOR_INT)),
    (ROLLOUT, "host", "0.0.0.0", {" h ": "h", "[::1]": "::1", "a_b.c-d": "a_b.c-d", "::ffff:1.2.3.4": "::ffff:1.2.3.4"}, BAD_FOR_HOST),
    (ROLLOUT, "save_dir", None, {" a/b ": "a/b", None: None, "yes": "yes"}, ("", "  ", *BAD_FOR_TEXT)),
    (ROLLOUT, "dispatch_poll_interval_seconds", 1.0, {1: 1.0, 0.001: 0.001}, (0, -0.0, -1, *BAD_FOR_FLOAT)),
    (ROLLOUT, "callback_grace_seconds", 120.0, {0: 0.0, 10: 10.0, 1e300: 1e300}, (-0.1, *BAD_FOR_FLOAT)),
    (ROLLOUT, "public_url", "http://127.0.0.1:8080", {"": "http://127.0.0.1:8080", None: "http://127.0.0.1:8080"}, BAD_FOR_URL),
    (GATEWAY, "heartbeat_interval_seconds", 30, {1: 1, 2**63 - 1: 2**63 - 1}, BAD_FOR_AMOUNT),
    (GATEWAY, "completion_persistence", CompletionPersistenceConfig(), {}, ("x", [], 1, True)),
    (PERSISTENCE, "enabled", True, {False: False}, BAD_FOR_FLAG),
    (PERSISTENCE, "max_field_bytes", 1_048_576, {1: 1}, BAD_FOR_AMOUNT),
    (PERSISTENCE, "queue_size", 1024, {1: 1}, BAD_FOR_AMOUNT),
    (NODES, "id", "a", {" a b ": "a b", "12e3": "12e3", "図": "図"}, ("", "  ", "a\nb", "a\x7f", "a\x85b", None, *BAD_FOR_TEXT)),
    (NODES, "host", "0.0.0.0", {"[::]": "::"}, BAD_FOR_HOST),
    (NODES, "port", 8081, {1: 1}, (0, 65536, *BAD_FOR_INT)),
    (NODES, "public_url", "http://127.0.0.1:8081", {"  ": "http://127.0.0.1:8081", "http://h/a//": "http://h/a"}, BAD_FOR_URL),
    (NODES, "model_served", "", {" Qwen/Q ": "Qwen/Q", " ": ""}, (None, *BAD_FOR_TEXT)),
    (NODES, "max_init_workers", 4, {1: 1}, BAD_FOR_AMOUNT),
    (NODES, "max_run_workers", 2, {1: 1}, BAD_FOR_AMOUNT),
    (NODES, "max_postrun_workers", 4, {1: 1}, BAD_FOR_AMOUNT),
    (NODES, "inference", InferenceConfig(), {}, ("sglang", [], 1)),
    (NODES, "default_runtime", None, {None: None}, ("docker", [], 1)),
    (INFERENCE, "engine", "sglang", {"vllm": "vllm"}, ("tgi", "VLLM", " vllm", "", None, 1, "${ENGINE}")),
    (
        INFERENCE,
        "base_url",
        "http://127.0.0.1:8000",
        {"  http://h:8000/ ": "http://h:8000", "HTTPS://u:p@[::1]:1/v1": "HTTPS://u:p@[::1]:1/v1", "http://h.": "http://h.", "http://h:1///": "http://h:1"},
        (None, "", " ", *BAD_FOR_URL),
    ),
    (RUNTIMES, "backend", "docker", {"apptainer": "apptainer"}, ("e2b", "", None, 1)),
    (RUNTIMES, "image", "x", {" a:b ": "a:b"}, ("", " ", None, *BAD_FOR_TEXT)),
    (RUNTIMES, "network", "host", {None: None, "": "", " a ": " a "}, BAD_FOR_TEXT),
    (RUNTIMES, "workdir", None, {" /w ": "/w"}, ("", *BAD_FOR_TEXT)),
    (RUNTIMES, "import_path", None, {"a.b:C": "a.b:C", "": ""}, BAD_FOR_TEXT),
    (RUNTIMES, "cpus", None, {1: 1, None: None}, tuple(bad for bad in BAD_FOR_AMOUNT if bad is not None)),
    (RUNTIMES, "memory_mb", None, {1: 1}, (0, "1")),
    (RUNTIMES, "storage_mb", None, {1: 1}, (0, 1.0)),
    (RUNTIMES, "gpus", 0, {0: 0, 8: 8}, (-1, *BAD_FOR_INT)),
    (RUNTIMES, "allow_internet", True, {False: False}, BAD_FOR_FLAG),
    (RUNTIMES, "env", {}, {}, (None, [], "A=b", {"A": 1}, {"A": None}, {1: "a"}, {"A": "\0"})),
    (RUNTIMES, "kwargs", {}, {}, (None, [], "a", {1: "a"}, {"a": math.nan}, {"a": [math.inf]}, {"a": 2**63}, {"a": "\0"}, {"\ud800": 1}, {"a": {1}})),
    (RUNTIMES, "prepare", (), {}, (None, {}, "a", [1], [None])),
    (RUNTIMES, "eval_prepare", None, {None: None}, ({}, "a", [1])),
    (ACTIONS, "type", "exec", {}, ("run", None, 1)),
    (ACTIONS, "command", "true", {"a ${HOME} <x> @Y@": "a ${HOME} <x> @Y@"}, ("", " ", None, 1)),
    (ACTIONS, "cwd", None, {"/a": "/a", None: None}, BAD_FOR_TEXT),
    (ACTIONS, "env", None, {None: None}, ([], {"A": 1})),
]  # fmt: skip


CASES = [pytest.param(*case, id=f"{case[0].cls.__name__}.{case[1]}") for case in KEYS]


def _yaml(value: Any) -> str:
    """`value` in YAML that means just that."""
    if isinstance(value, float):
        return {"inf": ".inf", "-inf": "-.inf", "nan": ".nan"}.get(repr(value), repr(value))
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value) if abs(value) < 10**100 else "9" * 5000
    return _flow(value) if isinstance(value, dict | list) else json.dumps(value)


def _flow(value: Any) -> str:
    if hasattr(value, "items"):
        return "{" + ", ".join(f"{_yaml(key)}: {_yaml(item)}" for key, item in value.items()) + "}"
    return "[" + ", ".join(_yaml(item) for item in value) + "]"


@pytest.mark.parametrize(("block", "key", "default", "taken", "bad"), CASES)
def test_a_key_has_its_default_and_takes_what_it_should(
    block: Block, key: str, default: Any, taken: dict[Any, Any], bad: tuple[Any, ...]
) -> None:
    assert bad
    for value, becomes in {
        **(
            {}
            if default is None
            else {default: default}
            if isinstance(default, int | float | str)
            else {}
        ),
        **taken,
    }.items():
        data = block.data({key: value})
        assert getattr(block.get(TopologyConfig.from_dict(data)), key) == becomes
        assert getattr(block.get(TopologyConfig.loads(_yaml(data))), key) == becomes
        assert getattr(block.cls(**{**block.needed, key: value}), key) == becomes
    without = {each: item for each, item in block.needed.items() if each == "id" or each != key}
    if key not in without and key not in block.needed:
        assert getattr(block.cls(**without), key) == default
        assert getattr(block.get(TopologyConfig.from_dict(block.data({}))), key) == default


@pytest.mark.parametrize(("block", "key", "default", "taken", "bad"), CASES)
def test_a_key_refuses_what_it_should_in_a_file_in_plain_data_and_in_code(
    block: Block, key: str, default: Any, taken: dict[Any, Any], bad: tuple[Any, ...]
) -> None:
    del default, taken
    for value in bad:
        data = block.data({key: value})
        here = key if not isinstance(value, list | dict) else ""  # what is in it may be at fault
        in_code = refused(lambda value=value: block.cls(**{**block.needed, key: value}))  # type: ignore[misc]
        assert in_code.problems[0].key_path.startswith(key), value
        in_data = refused(lambda data=data: TopologyConfig.from_dict(data))  # type: ignore[misc]
        assert [problem.key_path.endswith(here) for problem in in_data.problems] == [True], (
            value,
            str(in_data),
        )
        if "{1}" in str(data):
            continue  # a set: no YAML says that
        text = _yaml(data)
        in_file = refused(lambda text=text: TopologyConfig.loads(text))  # type: ignore[misc]
        assert len(in_file.problems) == 1, (value, str(in_file))
        assert all(problem.line == 1 for problem in in_file.problems)


class Word(str):  # noqa: SLOT000  (as a user writes one)
    """A text of another class, that shows itself as something else."""

    def __str__(self) -> str:
        return "something else"


class Count(int):
    """A number of another class."""


class Share(float):
    """A float of another class."""


def test_subclasses_of_plain_types_are_taken_and_stored_as_plain_types() -> None:
    assert str(Word("h")) == "something else"
    rollout = RolloutServiceConfig(
        host=Word("h"), port=Count(1), callback_grace_seconds=Share(2.5), save_dir=Word("d")
    )
    assert [
        type(each)
        for each in (rollout.host, rollout.port, rollout.callback_grace_seconds, rollout.save_dir)
    ] == [str, int, float, str]
    assert (rollout.host, rollout.save_dir) == ("h", "d")
    runtime = RuntimeSpec(
        image="x",
        env={Word("A"): Word("b")},
        kwargs={Word("k"): (Word("v"), Count(1), Share(1))},
        backend="docker",
    )
    assert [type(each) for each in [*runtime.env, *runtime.env.values()]] == [str, str]
    assert runtime.kwargs == {"k": ["v", 1, 1.0]}
    assert [type(each) for each in runtime.kwargs["k"]] == [str, int, float]
    engine: Any = Word("vllm")
    assert type(InferenceConfig(engine=engine).engine) is str


def test_lists_may_be_tuples_and_blocks_any_mapping() -> None:
    first: dict[str, Any] = {"id": "a"}
    gateway: dict[str, Any] = OrderedDict(nodes=(ChainMap(first, {"port": 1}),))
    assert TopologyConfig.from_dict(MappingProxyType({"gateway": gateway})).gateway.nodes == (
        GatewayNodeConfig(id="a", port=1),
    )


def test_what_ruamel_yaml_loads_for_a_round_trip_is_taken() -> None:
    yaml: Any = ruamel.yaml.YAML()
    loaded = yaml.load(
        "gateway:\n  nodes:\n  - id: 'a'\n    port: 0x1F90\nrollout: {callback_grace_seconds: 1.50}\n"
    )
    topology = TopologyConfig.from_dict(loaded)
    assert topology.gateway.nodes[0].port == 0x1F90
    assert topology.rollout.callback_grace_seconds == 1.5


@given(plain_data)
def test_free_data_is_kept_as_it_is(data: Any) -> None:
    runtime = RuntimeSpec(image="x", kwargs={"data": data})
    topology = TopologyConfig(
        gateway=GatewayConfig(nodes=[GatewayNodeConfig(id="a", default_runtime=runtime)])
    )
    written = topology.to_dict()["gateway"]["nodes"][0]["default_runtime"]["kwargs"]["data"]
    assert repr(written) == repr(data)


@pytest.mark.parametrize("values", [(1, 1.0, True), (0, 0.0, False), ("1", 1, 1.0), ([], {}, None)])
def test_free_data_of_different_types_differs(values: tuple[Any, ...]) -> None:
    runtimes = [RuntimeSpec(image="x", kwargs={"a": [{"b": value}]}) for value in values]
    assert len(set(runtimes)) == len(values)


def test_a_cycle_and_too_much_data_are_refused() -> None:
    cycle: dict[str, Any] = {"a": 1}
    cycle["b"] = [cycle]
    deep: Any = []
    for _ in range(70):
        deep = [deep]
    wide = [0] * 1_000_001
    for value, code in (
        (cycle, "recursive"),
        ({"d": deep}, "too-deep"),
        ({"w": wide}, "too-many-values"),
    ):
        error = refused(partial(RuntimeSpec, image="x", kwargs=value))
        assert error.problems[0].code == code
        data = RUNTIMES.data({"kwargs": value})
        assert refused(partial(TopologyConfig.from_dict, data)).problems[0].code == code


@pytest.mark.parametrize("entry", [{}, None, "a", InferenceConfig(), {"id": "a"}])
def test_a_wrong_object_is_a_topology_error(entry: Any) -> None:
    wrong: Any = 0
    assert refused(lambda: GatewayConfig(nodes=[NODE, entry])).problems[0].key_path == "nodes[1]"
    assert refused(lambda: TopologyConfig(gateway=entry)).problems[0].key_path == "gateway"
    assert (
        refused(lambda: GatewayNodeConfig(id="a", default_runtime=entry or wrong))
        .problems[0]
        .key_path
        == "default_runtime"
    )


@pytest.mark.parametrize("value", [None, [], "text", 3, object()])
def test_from_dict_of_no_mapping_is_a_topology_error(value: Any) -> None:
    assert refused(lambda: TopologyConfig.from_dict(value)).problems


def test_foreign_values_are_named_by_their_class_and_not_shown() -> None:
    error = refused(
        lambda: TopologyConfig.from_dict(
            {"gateway": {"nodes": [{"id": dt.date(2024, 1, 5), "port": {1, 2}}]}}
        )
    )
    assert [problem.message for problem in error.problems] == [
        "expected a string, found a date",
        "expected an integer from 1 to 65535, found a set",
    ]


def _message(build: Callable[[], Any]) -> str:
    """The report of a mistake in Python code, with the hint behind it."""
    problem = refused(build).problems[0]
    return f"{problem.message}; {problem.hint}"


def test_mistakes_in_python_code_are_told_by_class() -> None:
    wrong: Any = {"engine": "vllm"}
    assert _message(lambda: GatewayNodeConfig(inference=wrong)) == (
        "expected an InferenceConfig, found a dict; use TopologyConfig.from_dict for plain dicts"
    )
    nodes: Any = NODE
    assert _message(lambda: GatewayConfig(nodes=nodes)) == (
        "expected a list of GatewayNodeConfig, found a GatewayNodeConfig; put it in a list"
    )
    assert _message(lambda: GatewayConfig(nodes=[])) == (
        "expected at least 1 GatewayNodeConfig, found none; pass at least one GatewayNodeConfig"
    )
    for value, found in ((None, "None"), ("a", 'the string "a"'), (3, "the number 3")):
        nodes = [value]
        assert _message(lambda nodes=nodes: GatewayConfig(nodes=nodes)) == (  # type: ignore[misc]
            f"expected a GatewayNodeConfig, found {found}; None"
        )
    port: Any = None
    assert _message(lambda: GatewayNodeConfig(port=port)) == (
        "expected an integer from 1 to 65535, found null; set a value, or omit it to use the default"
    )
    template: Any = "${NODES}"
    assert refused(lambda: GatewayConfig(nodes=template)).problems[0].code == "placeholder"


@pytest.mark.parametrize(
    ("spelling", "readings"),
    [
        ("0100", "octal 64 in YAML 1.1, decimal 100 in YAML 1.2"),
        ("089", "a string in YAML 1.1, decimal 89 in YAML 1.2"),
        ("0o17", "a string in YAML 1.1, octal 15 in YAML 1.2"),
        ("01.5", "YAML 1.1 and YAML 1.2 read leading zeros differently"),
        ("0" * 30, "YAML 1.1 and YAML 1.2 read leading zeros differently"),
    ],
)
def test_an_ambiguous_number_comes_with_both_readings(spelling: str, readings: str) -> None:
    text = f"rollout: {{callback_grace_seconds: {spelling}}}\ngateway: {{nodes: [{{id: a}}]}}\n"
    assert only(text).message == f"ambiguous number {spelling} ({readings})"


def test_a_gateway_has_at_least_one_node() -> None:
    assert refused(lambda: GatewayConfig(nodes=[])).problems[0].code == "empty-list"
    cases: list[tuple[Any, str]] = [
        ([], "empty-list"),
        ((), "empty-list"),
        ({}, "wrong-type"),
        ("a", "wrong-type"),
        (None, "wrong-type"),
    ]
    for nodes, code in cases:
        data: dict[str, Any] = {"gateway": {"nodes": nodes}}
        (problem,) = refused(lambda data=data: TopologyConfig.from_dict(data)).problems  # type: ignore[misc]
        assert (problem.key_path, problem.code) == ("gateway.nodes", code)


def test_any_iterable_of_nodes_will_do_in_code() -> None:
    assert len(GatewayConfig(nodes=tuple(GatewayNodeConfig(id=each) for each in "ab")).nodes) == 2
    generated: Any = (GatewayNodeConfig(id=each) for each in "ab")
    assert len(GatewayConfig(nodes=generated).nodes) == 2


UPLOAD = {"type": "upload_file", "source": "a", "target": "b"}


@pytest.mark.parametrize(
    ("action", "at_fault"),
    [
        (UPLOAD, []),
        ({**UPLOAD, "type": "upload_dir"}, []),
        (EXEC, []),
        ({**EXEC, "cwd": "/", "env": {"A": "b"}}, []),
        ({"type": "exec"}, ["command"]),
        ({"type": "exec", "command": " "}, ["command"]),
        ({**EXEC, "source": "a", "target": "b"}, ["source", "target"]),
        ({"type": "upload_dir"}, ["source", "target"]),
        ({**UPLOAD, "target": None}, ["target"]),
        ({**UPLOAD, "command": "a", "cwd": "b", "env": {}}, ["command", "cwd", "env"]),
        ({**UPLOAD, "cwd": None}, []),
        (
            {**EXEC, "cwd": 3, "source": "a"},
            ["cwd", "source"],
        ),  # the rule across keys is checked beside a wrong key
        ({"type": "run", "source": "a"}, ["type"]),  # but nothing is said of what follows from one
        ({}, ["type"]),
    ],
)
def test_an_upload_has_a_source_and_a_target_and_an_exec_a_command(
    action: dict[str, Any], at_fault: list[str]
) -> None:
    data = RUNTIMES.data({"prepare": [EXEC, action]})
    build: Callable[[], Any] = lambda: TopologyConfig.from_dict(data)  # noqa: E731
    if not at_fault:
        assert build().gateway.nodes[0].default_runtime.prepare[1] == PrepareAction(**action)
        return
    assert sorted(problem.key_path for problem in refused(build).problems) == [
        f"gateway.nodes[0].default_runtime.prepare[1].{key}" for key in at_fault
    ]
    if "type" in action:
        assert refused(lambda: PrepareAction(**action)).problems[0].key_path in at_fault


@given(st.one_of(plain_data, st.dictionaries(st.text(), plain_data)))
def test_whatever_data_comes_nothing_but_a_topology_error_is_raised(data: Any) -> None:
    for build in (
        lambda: TopologyConfig.from_dict(data),
        *(_setter(block, key, data) for block, key, *_ in KEYS),
    ):
        with suppress(TopologyError):
            build()


def _setter(block: Block, key: str, value: Any) -> Callable[[], Any]:
    return lambda: block.cls(**{**block.needed, key: value})


def test_no_key_of_an_env_holds_a_nul() -> None:
    text = 'gateway: {nodes: [{id: a, default_runtime: {image: i, env: {"a\\0b": x}}}]}'
    assert only(text).message == "the key contains a NUL character"
