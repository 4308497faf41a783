"""Topologies, files and values to draw from."""

from typing import Any

from hypothesis import strategies as st

from polar_config import (
    CompletionPersistenceConfig,
    GatewayConfig,
    GatewayNodeConfig,
    InferenceConfig,
    PrepareAction,
    RolloutServiceConfig,
    RuntimeSpec,
    TopologyConfig,
)

_AWKWARD = st.sampled_from(
    [
        "no",
        "Yes",
        "~",
        "null",
        "010",
        "1_000",
        "22:22",
        "2024-01-05",
        "1e3",
        "0x10",
        ".inf",
        "a: b",
        "a #b",
        "- a",
        "[a",
        "'",
        '"',
        "\\",
        "<<",
    ]
)
texts = st.one_of(
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=12),
    _AWKWARD,
)
plain_texts = st.one_of(
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0$@<"), max_size=12),
    _AWKWARD,
)
words = plain_texts.map(lambda text: text.strip() or "w")
names = st.one_of(
    st.from_regex(r"[a-z]{1,5}-[0-9]{1,3}", fullmatch=True),
    st.text(
        st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="$@<"), max_size=12
    ).map(lambda text: text.strip() or "n"),
    _AWKWARD,
)
hosts = st.one_of(
    st.sampled_from(
        [
            "0.0.0.0",
            "127.0.0.1",
            "::",
            "::1",
            "2001:db8::7",
            "localhost",
            "gpu_1.cluster",
            "10.0.0.255",
        ]
    ),
    st.from_regex(r"[a-z][a-z0-9-]{0,8}(\.[a-z][a-z0-9-]{0,4}){0,2}", fullmatch=True),
    st.ip_addresses(v=4).map(str),
    st.ip_addresses(v=6).map(str).filter(lambda text: "%" not in text),
)
ports = st.integers(1, 65_535)
urls = st.builds(
    "{}://{}{}{}{}".format,
    st.sampled_from(["http", "https", "HTTP"]),
    st.sampled_from(["", "root:secret@", "token@"]),
    hosts.map(lambda host: f"[{host}]" if ":" in host else host),
    st.one_of(st.just(""), ports.map(":{}".format)),
    st.sampled_from(["", "/v1", "/a/b%20c"]),
)
counts = st.integers(1, 2**63 - 1)
plain_data = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(-(2**63), 2**63 - 1),
        st.floats(allow_nan=False, allow_infinity=False),
        texts,
    ),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(texts, inner, max_size=3)),
    max_leaves=6,
)


def optional(strategy: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.one_of(st.none(), strategy)


environments = st.dictionaries(texts, texts, max_size=2)
uploads = st.builds(
    PrepareAction,
    type=st.sampled_from(["upload_file", "upload_dir"]),
    source=words,
    target=words,
)
commands = st.builds(
    PrepareAction,
    type=st.just("exec"),
    command=texts.map(lambda text: text if text.strip() else "true"),
    cwd=optional(plain_texts),
    env=optional(environments),
)
actions = st.lists(st.one_of(uploads, commands), max_size=2)
runtimes = st.builds(
    RuntimeSpec,
    backend=st.sampled_from(["docker", "apptainer"]),
    image=words,
    prepare=actions,
    eval_prepare=optional(actions),
    env=environments,
    network=optional(plain_texts),
    workdir=optional(words),
    cpus=optional(counts),
    memory_mb=optional(counts),
    gpus=st.integers(0, 8),
    allow_internet=st.booleans(),
    import_path=optional(plain_texts),
    kwargs=st.dictionaries(texts, plain_data, max_size=3),
)
inferences = st.builds(InferenceConfig, engine=st.sampled_from(["sglang", "vllm"]), base_url=urls)
nodes = st.builds(
    GatewayNodeConfig,
    id=names,
    host=hosts,
    port=ports,
    public_url=optional(urls),
    model_served=plain_texts,
    inference=inferences,
    max_init_workers=counts,
    max_run_workers=counts,
    max_postrun_workers=counts,
    default_runtime=optional(runtimes),
)
gateways = st.builds(
    GatewayConfig,
    heartbeat_interval_seconds=counts,
    rollout_server_url=optional(urls),
    nodes=st.lists(nodes, min_size=1, max_size=3, unique_by=lambda node: node.id),
    completion_persistence=st.builds(
        CompletionPersistenceConfig,
        enabled=st.booleans(),
        max_field_bytes=counts,
        queue_size=counts,
    ),
)
rollouts = st.builds(
    RolloutServiceConfig,
    host=hosts,
    port=ports,
    public_url=optional(urls),
    save_dir=optional(words),
    dispatch_poll_interval_seconds=st.floats(min_value=0, exclude_min=True, allow_infinity=False),
    callback_grace_seconds=st.floats(min_value=0, allow_infinity=False),
)
topologies = st.builds(TopologyConfig, rollout=rollouts, gateway=gateways)

ONE_NODE: dict[str, Any] = {"gateway": {"nodes": [{"id": "a"}]}}
