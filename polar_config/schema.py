"""The keys of a topology file, each once: its type, default, bounds and meaning; frozen objects of them.

A key is one annotated line of one class: `port: Annotated[Port, "what it means"] = 8080`. The constructor's check, the reading
of files, `to_dict`, the reports and the table in the documentation all follow from that line.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, Literal

from attrs import Factory, field, frozen

from polar_config._plain import is_list, is_mapping, placeholders
from polar_config.errors._problem import At, Finding
from polar_config.errors._words import quote
from polar_config.keys import Shown, check_together, ruled
from polar_config.rules import (
    Boolean,
    Choice,
    Derivable,
    Host,
    Integer,
    Name,
    Nullable,
    Number,
    PlainMapping,
    SectionList,
    String,
    StringMap,
    Url,
)
from polar_config.rules._addresses import derived_url, is_host, unbracketed

Port = Annotated[int, Integer(1, 65_535)]
AtLeastOne = Annotated[int, Integer(1)]
ZeroOrMore = Annotated[int, Integer(0)]
Switch = Annotated[bool, Boolean()]
Address = Annotated[str, Host()]
Words = Annotated[str, String()]
WordsOrBlank = Annotated[str, String(blank=True)]
WordsOrNone = Annotated[str | None, Nullable(String())]
AnyWordsOrNone = Annotated[str | None, Nullable(String(blank=True, strip=False))]
ShellOrNone = Annotated[str | None, Nullable(String(blank=True, strip=False, template=True))]
AmountOrNone = Annotated[int | None, Nullable(Integer(1))]
Link = Annotated[str, Url()]
LinkOrDerived = Annotated[str | None, Derivable(Url())]

_NO_ZONE = "no URL can be derived from an address with a zone"
_WRITE_URL = "write public_url"

_UPLOAD = ("source", "target")
_COMMAND = ("command", "cwd", "env")


# --- derived values ---------------------------------------------------------------------------------------------------


def _host_name() -> str:
    """This machine's host name"""  # noqa: D400  (the reference shows it)
    import socket  # noqa: PLC0415  (most nodes have an id)

    return socket.gethostname() or "localhost"


def _public_url(self: Any) -> str:
    return self.explicit_public_url or derived_url(self.host, self.port) or ""


def _zone_without_url(block: Mapping[str, Any]) -> Iterator[Finding]:
    host, written = block.get("host"), block.get("public_url")
    if (
        not isinstance(host, str)
        or "%" not in host
        or (written is not None and not _is_blank(written))
    ):
        return
    if is_host(unbracketed(host.strip())):
        yield Finding(("host",), "url-required", _NO_ZONE, _WRITE_URL)


def _is_blank(value: object) -> bool:
    return isinstance(value, str) and not value.strip()


# --- the gateway fleet ------------------------------------------------------------------------------------------------


@frozen(kw_only=True, repr=False, field_transformer=ruled)
class PrepareAction(Shown):
    """One step that prepares a container before its agent runs: an upload, or a command.

    >>> PrepareAction(type="exec", command="make deps").command
    'make deps'
    """

    type: Annotated[
        Literal["upload_file", "upload_dir", "exec"],
        Choice("upload_file", "upload_dir", "exec"),
        "What the step does",
    ]
    source: Annotated[
        AnyWordsOrNone, "What is uploaded: a path on the gateway's machine; uploads only"
    ] = None
    target: Annotated[AnyWordsOrNone, "Where it goes: a path in the container; uploads only"] = None
    command: Annotated[ShellOrNone, "The command line that runs in the container; `exec` only"] = (
        None
    )
    cwd: Annotated[AnyWordsOrNone, "The folder in which the command runs; `exec` only"] = None
    env: Annotated[
        Mapping[str, str] | None,
        Nullable(StringMap()),
        "Environment variables of the command; `exec` only",
    ] = None

    def __attrs_post_init__(self) -> None:
        check_together(self)

    @staticmethod
    def cross_rule(block: Mapping[str, Any]) -> Iterator[Finding]:
        """An upload has a source and a target, an exec a command, and neither has what belongs to the other."""
        kind = block.get("type")
        if kind not in ("upload_file", "upload_dir", "exec"):
            return
        needs, takes_no = (_COMMAND[:1], _UPLOAD) if kind == "exec" else (_UPLOAD, _COMMAND)
        for key in needs:
            value = block.get(key)
            if value is None and key not in block:
                yield Finding(
                    (key,), "missing-key", f"missing: {kind} needs it", f"add {key}:", at="block"
                )
            elif value is None or _is_blank(value):
                yield Finding((key,), "empty", f"empty: {kind} needs it", "write a value")
        for key in takes_no:
            if block.get(key) is not None:
                yield Finding(
                    (key,),
                    "unexpected-key",
                    f"{kind} does not take this key",
                    "remove it",
                    at="key",
                )


@frozen(kw_only=True, repr=False, field_transformer=ruled)
class RuntimeSpec(Shown):
    """The container in which a session runs when its request names none.

    >>> RuntimeSpec(image="python:3.11").backend
    'docker'
    """

    backend: Annotated[
        Literal["docker", "apptainer"], Choice("docker", "apptainer"), "What runs the container"
    ] = "docker"
    image: Annotated[Words, "The image: a reference, or for apptainer a file"]
    prepare: Annotated[
        Sequence[PrepareAction],
        SectionList(PrepareAction),
        "Steps that run in this order before the agent",
    ] = ()
    eval_prepare: Annotated[
        Sequence[PrepareAction] | None,
        Nullable(SectionList(PrepareAction)),
        "Steps before the evaluation; null means `prepare` again",
    ] = None
    env: Annotated[
        Mapping[str, str],
        StringMap(),
        "Environment variables of the container; their values are never shown",
    ] = field(factory=dict[str, str])
    network: Annotated[AnyWordsOrNone, "The container's network"] = "host"
    workdir: Annotated[WordsOrNone, "The folder in which the agent starts"] = None
    cpus: Annotated[AmountOrNone, "CPU cores; null sets no limit"] = None
    memory_mb: Annotated[AmountOrNone, "Memory in megabytes; null sets no limit"] = None
    storage_mb: Annotated[AmountOrNone, "Disk space in megabytes; null sets no limit"] = None
    gpus: Annotated[ZeroOrMore, "How many GPUs the container gets"] = 0
    allow_internet: Annotated[Switch, "Whether the container reaches the internet"] = True
    import_path: Annotated[
        AnyWordsOrNone, "A backend class of one's own, as `package.module:Class`"
    ] = None
    kwargs: Annotated[
        Mapping[str, Any],
        PlainMapping(),
        "Anything else that the backend takes, passed on as written",
    ] = field(factory=dict[str, Any])


@frozen(kw_only=True, repr=False, field_transformer=ruled)
class InferenceConfig(Shown):
    """The inference engine beside a gateway node.

    >>> InferenceConfig(engine="vllm", base_url="http://127.0.0.1:8000/").base_url
    'http://127.0.0.1:8000'
    """

    engine: Annotated[Literal["sglang", "vllm"], Choice("sglang", "vllm"), "Which engine it is"] = (
        "sglang"
    )
    base_url: Annotated[Link, "Where the engine listens; without `/v1`, which Polar appends"] = (
        "http://127.0.0.1:8000"
    )


@frozen(kw_only=True, repr=False, field_transformer=ruled)
class GatewayNodeConfig(Shown):
    """One gateway process: its port, its worker pools and its inference engine.

    >>> GatewayNodeConfig(id="gpu-1", host="0.0.0.0", port=8100).public_url
    'http://127.0.0.1:8100'
    """

    id: Annotated[str, Name(), "The node's name, unique in the fleet"] = Factory(_host_name)
    host: Annotated[Address, "The address that the process binds"] = "0.0.0.0"  # noqa: S104  (the file format's default)
    port: Annotated[Port, "The port that it binds"] = 8081
    explicit_public_url: Annotated[LinkOrDerived, "Where the rollout server reaches the node"] = (
        field(default=None, alias="public_url", eq=False, repr=False)
    )
    public_url: str = field(init=False, default=Factory(_public_url, takes_self=True))
    model_served: Annotated[WordsOrBlank, "The name under which the engine serves its model"] = ""
    inference: Annotated[InferenceConfig, "The inference engine that the node calls"] = field(
        factory=InferenceConfig
    )
    max_init_workers: Annotated[AtLeastOne, "How many sessions may be starting at once"] = 4
    max_run_workers: Annotated[AtLeastOne, "How many sessions may be running at once"] = 2
    max_postrun_workers: Annotated[AtLeastOne, "How many sessions may be finishing at once"] = 4
    default_runtime: Annotated[
        RuntimeSpec | None, "The container for sessions whose request names none"
    ] = None

    def __attrs_post_init__(self) -> None:
        if not self.public_url:
            check_together(self)

    @staticmethod
    def cross_rule(block: Mapping[str, Any]) -> Iterator[Finding]:
        """A zone in `host` needs a written `public_url`."""
        return _zone_without_url(block)

    def fingerprint(self) -> str:
        """A short text that is the same for equal nodes, wherever they are.

        >>> GatewayNodeConfig(id="a").fingerprint() == GatewayNodeConfig(id="a", port=8081).fingerprint()
        True
        """
        from polar_config._reading.fingerprint import fingerprint  # noqa: PLC0415  (few processes compare)

        return fingerprint(self)

    @property
    def engine(self) -> Literal["sglang", "vllm"]:
        """Which inference engine the node has."""
        return self.inference.engine

    @property
    def inference_base_url(self) -> str:
        """Where the node's inference engine listens."""
        return self.inference.base_url


@frozen(kw_only=True, repr=False, field_transformer=ruled)
class CompletionPersistenceConfig(Shown):
    """How a gateway keeps the model calls that pass through it.

    >>> CompletionPersistenceConfig(enabled=False).queue_size
    1024
    """

    enabled: Annotated[Switch, "Whether model calls are kept on disk"] = True
    max_field_bytes: Annotated[AtLeastOne, "The longest field that is kept whole, in bytes"] = (
        1_048_576
    )
    queue_size: Annotated[AtLeastOne, "How many model calls may wait to be written"] = 1024


@frozen(kw_only=True, repr=False, field_transformer=ruled)
class GatewayConfig(Shown):
    """The fleet of gateway nodes.

    On its own, a gateway without a written `rollout_server_url` has an empty one; `TopologyConfig.gateway` has it derived.

    >>> GatewayConfig(nodes=[GatewayNodeConfig(id="a"), GatewayNodeConfig(id="b", port=8082)]).nodes[1].port
    8082
    """

    heartbeat_interval_seconds: Annotated[
        AtLeastOne, "How often each node reports to the rollout server, in seconds"
    ] = 30
    explicit_rollout_server_url: Annotated[
        LinkOrDerived, "Where the nodes reach the rollout server"
    ] = field(default=None, alias="rollout_server_url", eq=False, repr=False)
    rollout_server_url: str = field(
        init=False,
        default=Factory(lambda self: self.explicit_rollout_server_url or "", takes_self=True),
    )
    nodes: Annotated[
        Sequence[GatewayNodeConfig],
        SectionList(GatewayNodeConfig, at_least=1),
        "The gateway nodes, at least one",
    ]
    completion_persistence: Annotated[CompletionPersistenceConfig, "How model calls are kept"] = (
        field(factory=CompletionPersistenceConfig)
    )

    def __attrs_post_init__(self) -> None:
        check_together(self)

    @staticmethod
    def cross_rule(block: Mapping[str, Any]) -> Iterator[Finding]:
        """Every node has an id of its own."""
        return _taken_ids(block.get("nodes"))


def _taken_ids(nodes: object) -> Iterator[Finding]:
    entries = nodes if is_list(nodes) else ()
    first: dict[str, int] = {}
    for index, node in enumerate(entries):
        name = _node_id(node)
        if name in first:
            yield _id_taken(name, first[name], index, _has_id(entries[first[name]]), _has_id(node))
        elif name:
            first[name] = index


def _node_id(node: object) -> str:
    """The id that a node has or will have; empty where that cannot be known."""
    if isinstance(node, GatewayNodeConfig):
        return node.id
    if not is_mapping(node):
        return ""
    value = node["id"] if "id" in node else _host_name()
    return value.strip() if isinstance(value, str) and not placeholders(value) else ""


def _has_id(node: object) -> bool:
    """Whether a node's id was written; of an object that is known only if it is not the default."""
    return (
        "id" in node
        if is_mapping(node)
        else isinstance(node, GatewayNodeConfig) and node.id != _host_name()
    )


def _id_taken(name: str, earlier: int, index: int, earlier_written: bool, written: bool) -> Finding:
    if not written and not earlier_written:
        message = f"no id here and in nodes[{earlier}]: both get the default, this machine's name {quote(name)}"
    else:
        default = "" if written else "the default, this machine's name, "
        message = f"{default}{quote(name)} is the id of nodes[{earlier}] already"
    at: At = "value" if written else "block"
    return Finding(
        ("nodes", index, "id"),
        "duplicate-id",
        message,
        "give each node an id of its own",
        at,
        ("nodes", earlier, "id"),
    )


# --- the rollout server -----------------------------------------------------------------------------------------------


@frozen(kw_only=True, repr=False, field_transformer=ruled)
class RolloutServiceConfig(Shown):
    """The server to which clients submit tasks.

    >>> RolloutServiceConfig(host="::1").public_url
    'http://[::1]:8080'
    """

    host: Annotated[Address, "The address that the server binds"] = "0.0.0.0"  # noqa: S104  (the file format's default)
    port: Annotated[Port, "The port that it binds"] = 8080
    explicit_public_url: Annotated[
        LinkOrDerived, "Where clients and gateway nodes reach the server"
    ] = field(default=None, alias="public_url", eq=False, repr=False)
    public_url: str = field(init=False, default=Factory(_public_url, takes_self=True))
    save_dir: Annotated[WordsOrNone, "The folder for results; null keeps none"] = None
    dispatch_poll_interval_seconds: Annotated[
        float, Number(0, above=True), "How often waiting tasks are handed out, in seconds"
    ] = 1.0
    callback_grace_seconds: Annotated[
        float, Number(0), "How long a late callback is still waited for, in seconds"
    ] = 120.0

    def __attrs_post_init__(self) -> None:
        if not self.public_url:
            check_together(self)

    @staticmethod
    def cross_rule(block: Mapping[str, Any]) -> Iterator[Finding]:
        """A zone in `host` needs a written `public_url`."""
        return _zone_without_url(block)
