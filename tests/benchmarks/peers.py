"""Two peers to compare with: Pydantic models of the same keys, behind PyYAML's Python parser and behind its C parser.

`with_safe_load` is what a service without this library would use; `with_c_safe_loader` differs only in
the parser. Neither refuses everything that this library refuses: they accept what Pydantic accepts, and
a URL is any string.
"""

import importlib
import socket
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, model_validator

yaml: Any = importlib.import_module("yaml")  # PyYAML has no types of its own

Name = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
Stripped = Annotated[str, StringConstraints(strip_whitespace=True)]
Port = Annotated[int, Field(ge=1, le=65_535)]
AtLeastOne = Annotated[int, Field(gt=0)]


class Section(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class PrepareAction(Section):
    type: Literal["upload_file", "upload_dir", "exec"]
    source: str | None = None
    target: str | None = None
    command: str | None = None
    cwd: str | None = None
    env: dict[str, str] | None = None

    @model_validator(mode="after")
    def _check_together(self) -> Self:
        upload = (self.source, self.target)
        command = (self.command, self.cwd, self.env)
        needed, unexpected = (command[:1], upload) if self.type == "exec" else (upload, command)
        if not all(needed) or any(each is not None for each in unexpected):
            raise ValueError("an upload requires source and target, an exec requires command")
        return self


class RuntimeSpec(Section):
    backend: Literal["docker", "apptainer"] = "docker"
    image: Name
    prepare: list[PrepareAction] = []
    eval_prepare: list[PrepareAction] | None = None
    env: dict[str, str] = {}
    network: str | None = "host"
    workdir: Name | None = None
    cpus: AtLeastOne | None = None
    memory_mb: AtLeastOne | None = None
    storage_mb: AtLeastOne | None = None
    gpus: Annotated[int, Field(ge=0)] = 0
    allow_internet: bool = True
    import_path: str | None = None
    kwargs: dict[str, Any] = {}


class InferenceConfig(Section):
    engine: Literal["sglang", "vllm"] = "sglang"
    base_url: Name = "http://127.0.0.1:8000"


class Service(Section):
    """What listens at a host and a port, and derives its URL from them."""

    host: Name = "0.0.0.0"
    port: Port
    public_url: Stripped = ""

    @model_validator(mode="after")
    def _derive_public_url(self) -> Self:
        if not self.public_url:
            host = "127.0.0.1" if self.host in {"0.0.0.0", "::"} else self.host
            url = f"http://[{host}]:{self.port}" if ":" in host else f"http://{host}:{self.port}"
            object.__setattr__(self, "public_url", url)
        return self


class GatewayNodeConfig(Service):
    id: Name = Field(default_factory=socket.gethostname)
    port: Port = 8081
    model_served: Stripped = ""
    inference: InferenceConfig = InferenceConfig()
    max_init_workers: AtLeastOne = 4
    max_run_workers: AtLeastOne = 2
    max_postrun_workers: AtLeastOne = 4
    default_runtime: RuntimeSpec | None = None


class CompletionPersistenceConfig(Section):
    enabled: bool = True
    max_field_bytes: AtLeastOne = 1_048_576
    queue_size: AtLeastOne = 1024


class GatewayConfig(Section):
    heartbeat_interval_seconds: AtLeastOne = 30
    rollout_server_url: Stripped = ""
    nodes: Annotated[list[GatewayNodeConfig], Field(min_length=1)]
    completion_persistence: CompletionPersistenceConfig = CompletionPersistenceConfig()

    @model_validator(mode="after")
    def _check_ids(self) -> Self:
        if len({node.id for node in self.nodes}) < len(self.nodes):
            raise ValueError("node ids must be unique")
        return self


class RolloutServiceConfig(Service):
    port: Port = 8080
    save_dir: Name | None = None
    dispatch_poll_interval_seconds: Annotated[float, Field(gt=0)] = 1.0
    callback_grace_seconds: Annotated[float, Field(ge=0)] = 120.0


class TopologyConfig(Section):
    rollout: RolloutServiceConfig = RolloutServiceConfig()
    gateway: GatewayConfig

    @model_validator(mode="after")
    def _derive_rollout_server_url(self) -> Self:
        if not self.gateway.rollout_server_url:
            object.__setattr__(self.gateway, "rollout_server_url", self.rollout.public_url)
        return self


def with_safe_load(text: str) -> TopologyConfig:
    return TopologyConfig.model_validate(yaml.safe_load(text))


def with_c_safe_loader(text: str) -> TopologyConfig:
    return TopologyConfig.model_validate(yaml.load(text, Loader=yaml.CSafeLoader))
