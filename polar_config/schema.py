"""The sections of the file as immutable classes: each key once, with type, rule, default, meaning.

A key is one annotated line and the docstring below it. The constructor's check, the reading of
files, `to_dict`, the JSON Schema, the tables in the documentation, and what editors and `help()`
show all follow from these.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, Literal

from attrs import Factory, field, frozen

from polar_config.errors._problem import Finding
from polar_config.keys import ConfigSection, check_across, ruled
from polar_config.rules import (
    Derivable,
    Host,
    Integer,
    Name,
    Number,
    SectionList,
    String,
    Url,
)
from polar_config.rules._across import action_keys, unique_ids, zone_id_needs_url
from polar_config.rules._addresses import derived_url

PortNumber = Annotated[int, Integer(1, 65_535)]
PositiveInt = Annotated[int, Integer(1)]
NonNegativeInt = Annotated[int, Integer(0)]
HostStr = Annotated[str, Host()]
HttpUrl = Annotated[str, Url()]
NonEmptyStr = Annotated[str, String()]
RawStr = Annotated[str, String(empty=True, strip=False)]
CommandStr = Annotated[str, String(empty=True, strip=False, template=True)]


def _hostname() -> str:
    """The hostname"""  # noqa: D400  (the reference shows it)
    import socket  # most nodes have an id

    return socket.gethostname() or "localhost"


def _public_url(self: Any) -> str:
    return self.explicit_public_url or derived_url(self.host, self.port) or ""


# --- the gateway fleet ----------------------------------------------------------------------------


@frozen(kw_only=True, repr=False, field_transformer=ruled)
class PrepareAction(ConfigSection):
    """One step that prepares a container before its agent runs: an upload, or a command.

    >>> PrepareAction(type="exec", command="make deps").command
    'make deps'
    """

    type: Literal["upload_file", "upload_dir", "exec"]
    """The kind of step: the upload of a file or directory, or a command."""
    source: RawStr | None = None
    """The path to upload, on the gateway's machine; uploads only."""
    target: RawStr | None = None
    """The path to upload to, in the container; uploads only."""
    command: CommandStr | None = None
    """The shell command to run in the container; `exec` only."""
    cwd: RawStr | None = None
    """The working directory of the command; `exec` only."""
    env: Mapping[str, str] | None = None
    """Environment variables of the command; `exec` only. Their values are never shown."""

    def __attrs_post_init__(self) -> None:
        check_across(self)

    @staticmethod
    def cross_rule(section: Mapping[str, Any]) -> Iterator[Finding]:
        """Each type has its own keys."""
        return action_keys(section)


@frozen(kw_only=True, repr=False, field_transformer=ruled)
class RuntimeSpec(ConfigSection):
    """The container in which a session runs when its request names none.

    >>> RuntimeSpec(image="python:3.11").backend
    'docker'
    """

    backend: Literal["docker", "apptainer"] = "docker"
    """The container backend."""
    image: NonEmptyStr
    """The image: a reference, or for `apptainer` also a file."""
    prepare: Sequence[PrepareAction] = ()
    """Steps that run in this order before the agent."""
    eval_prepare: Sequence[PrepareAction] | None = None
    """Steps that run before the evaluation; null means those of `prepare`."""
    env: Mapping[str, str] = field(factory=dict[str, str])
    """Environment variables of the container. Their values are never shown."""
    network: RawStr | None = "host"
    """The network of the container."""
    workdir: NonEmptyStr | None = None
    """The directory in which the agent starts."""
    cpus: PositiveInt | None = None
    """The number of CPU cores; null means no limit."""
    memory_mb: PositiveInt | None = None
    """Memory in megabytes; null means no limit."""
    storage_mb: PositiveInt | None = None
    """Disk space in megabytes; null means no limit."""
    gpus: NonNegativeInt = 0
    """The number of GPUs."""
    allow_internet: bool = True
    """Whether the container has internet access."""
    import_path: RawStr | None = None
    """A custom backend class, as `package.module:Class`."""
    kwargs: Mapping[str, Any] = field(factory=dict[str, Any])
    """Further arguments of the backend, passed on unchanged."""


@frozen(kw_only=True, repr=False, field_transformer=ruled)
class InferenceConfig(ConfigSection):
    """The inference engine (SGLang or vLLM) of a gateway node.

    >>> InferenceConfig(engine="vllm", base_url="http://127.0.0.1:8000/").base_url
    'http://127.0.0.1:8000'
    """

    engine: Literal["sglang", "vllm"] = "sglang"
    """The inference engine."""
    base_url: HttpUrl = "http://127.0.0.1:8000"
    """The URL of the engine, without `/v1`, which Polar appends."""


@frozen(kw_only=True, repr=False, field_transformer=ruled)
class GatewayNodeConfig(ConfigSection):
    """One gateway process: its port, its worker pools and its inference engine.

    >>> GatewayNodeConfig(id="gpu-1", host="0.0.0.0", port=8100).public_url
    'http://127.0.0.1:8100'
    """

    id: Annotated[str, Name()] = Factory(_hostname)
    """The name of the node, unique in the fleet."""
    host: HostStr = "0.0.0.0"  # the file format's default
    """The hostname or IP address that the node binds."""
    port: PortNumber = 8081
    """The port that the node binds."""
    explicit_public_url: Annotated[str | None, Derivable(Url())] = field(
        default=None, alias="public_url", eq=False, repr=False
    )
    """The URL at which the rollout server reaches the node; derived from host and port if
    omitted."""
    public_url: str = field(init=False, default=Factory(_public_url, takes_self=True))
    """The URL at which the rollout server reaches the node, explicit or derived."""
    model_served: Annotated[str, String(empty=True)] = ""
    """The name under which the engine serves its model."""
    inference: InferenceConfig = field(factory=InferenceConfig)
    """The inference engine of the node."""
    max_init_workers: PositiveInt = 4
    """The number of init workers: sessions that start at the same time."""
    max_run_workers: PositiveInt = 2
    """The number of run workers: sessions that run at the same time."""
    max_postrun_workers: PositiveInt = 4
    """The number of postrun workers: sessions that finish at the same time."""
    default_runtime: RuntimeSpec | None = None
    """The container for sessions whose request names none."""

    def __attrs_post_init__(self) -> None:
        if not self.public_url:
            check_across(self)

    @staticmethod
    def cross_rule(section: Mapping[str, Any]) -> Iterator[Finding]:
        """A zone ID in `host` needs an explicit `public_url`."""
        return zone_id_needs_url(section)

    def fingerprint(self) -> str:
        """16 hexadecimal digits that are the same for equal nodes, in every process.

        >>> node = GatewayNodeConfig(id="a")
        >>> node.fingerprint() == GatewayNodeConfig(id="a", port=8081).fingerprint()
        True
        """
        from polar_config._reading.fingerprint import fingerprint  # rarely needed

        return fingerprint(self)

    @property
    def engine(self) -> Literal["sglang", "vllm"]:
        """The inference engine of the node."""
        return self.inference.engine

    @property
    def inference_base_url(self) -> str:
        """The URL of the node's inference engine."""
        return self.inference.base_url


@frozen(kw_only=True, repr=False, field_transformer=ruled)
class CompletionPersistenceConfig(ConfigSection):
    """How a gateway saves the model calls that pass through it.

    >>> CompletionPersistenceConfig(enabled=False).queue_size
    1024
    """

    enabled: bool = True
    """Whether model calls are saved to disk."""
    max_field_bytes: PositiveInt = 1_048_576
    """The size up to which a field is saved whole, in bytes."""
    queue_size: PositiveInt = 1024
    """The number of model calls that may wait to be saved."""


@frozen(kw_only=True, repr=False, field_transformer=ruled)
class GatewayConfig(ConfigSection):
    """The fleet of gateway nodes.

    On its own, a gateway without an explicit `rollout_server_url` has an empty one;
    `TopologyConfig.gateway` has it derived.

    >>> nodes = [GatewayNodeConfig(id="a"), GatewayNodeConfig(id="b", port=8082)]
    >>> GatewayConfig(nodes=nodes).nodes[1].port
    8082
    """

    heartbeat_interval_seconds: PositiveInt = 30
    """The time between two heartbeats of a node to the rollout server, in seconds."""
    explicit_rollout_server_url: Annotated[str | None, Derivable(Url())] = field(
        default=None, alias="rollout_server_url", eq=False, repr=False
    )
    """The URL at which the nodes reach the rollout server; its `public_url` if omitted."""
    rollout_server_url: str = field(
        init=False,
        default=Factory(lambda self: self.explicit_rollout_server_url or "", takes_self=True),
    )
    """The URL at which the nodes reach the rollout server, explicit or derived."""
    nodes: Annotated[Sequence[GatewayNodeConfig], SectionList(GatewayNodeConfig, at_least=1)]
    """The gateway nodes, at least one."""
    completion_persistence: CompletionPersistenceConfig = field(factory=CompletionPersistenceConfig)
    """How model calls are saved."""

    def __attrs_post_init__(self) -> None:
        check_across(self)

    @staticmethod
    def cross_rule(section: Mapping[str, Any]) -> Iterator[Finding]:
        """The ids of nodes are unique."""
        return unique_ids(section.get("nodes"), _hostname)


# --- the rollout server ---------------------------------------------------------------------------


@frozen(kw_only=True, repr=False, field_transformer=ruled)
class RolloutServiceConfig(ConfigSection):
    """The server to which clients submit tasks.

    >>> RolloutServiceConfig(host="::1").public_url
    'http://[::1]:8080'
    """

    host: HostStr = "0.0.0.0"  # the file format's default
    """The hostname or IP address that the server binds."""
    port: PortNumber = 8080
    """The port that the server binds."""
    explicit_public_url: Annotated[str | None, Derivable(Url())] = field(
        default=None, alias="public_url", eq=False, repr=False
    )
    """The URL at which clients and gateway nodes reach the server; derived from host and port if
    omitted."""
    public_url: str = field(init=False, default=Factory(_public_url, takes_self=True))
    """The URL at which clients and gateway nodes reach the server, explicit or derived."""
    save_dir: NonEmptyStr | None = None
    """The directory for results; null means that none are saved."""
    dispatch_poll_interval_seconds: Annotated[float, Number(0, above=True)] = 1.0
    """The time between two dispatches of waiting tasks, in seconds."""
    callback_grace_seconds: Annotated[float, Number(0)] = 120.0
    """How long a late callback is waited for, in seconds."""

    def __attrs_post_init__(self) -> None:
        if not self.public_url:
            check_across(self)

    @staticmethod
    def cross_rule(section: Mapping[str, Any]) -> Iterator[Finding]:
        """A zone ID in `host` needs an explicit `public_url`."""
        return zone_id_needs_url(section)
