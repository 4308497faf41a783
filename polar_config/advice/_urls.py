"""Warnings about URLs and ports: two processes with the same one, and URLs that lead elsewhere."""

from collections.abc import Iterator, Sequence

from polar_config.advice._processes import Process
from polar_config.errors._problem import Finding
from polar_config.errors._words import KeyPath, quote
from polar_config.rules._addresses import Target, is_loopback, is_wildcard, target
from polar_config.schema import GatewayConfig, GatewayNodeConfig, RolloutServiceConfig

# Where a URL without a port leads: usually to a proxy, whose port differs from the process's own.
_DEFAULT_PORTS = frozenset({80, 443})

_USE_HOSTNAME = "use the hostname or the address of the machine"


# --- two processes with the same URL or port ------------------------------------------------------


class Occupied:
    """The URLs and ports of the processes so far; a later process with one of them is a warning."""

    def __init__(self) -> None:
        self._by_url: dict[Target, Process] = {}
        self._by_address: dict[tuple[str, int], Process] = {}
        self._by_machine: dict[tuple[str, int], list[Process]] = {}

    def same_url(self, process: Process) -> Iterator[Finding]:
        """A warning if an earlier process has the same URL."""
        earlier = self._by_url.setdefault(process.public, process)
        if earlier is not process:
            yield Finding(
                (*process.path, "public_url"),
                "same-url",
                f"{earlier.name} has the same URL: requests to one reach the other",
                "give each process its own URL",
            )

    def same_port(self, process: Process) -> Iterator[Finding]:
        """A warning if an earlier process listens on the same port of the same host."""
        neighbors = self._by_machine.setdefault((process.public.host, process.port), [])
        earlier = self._bound(process) or _neighbor(process, neighbors)
        neighbors.append(process)
        if earlier is not None:
            yield Finding(
                (*process.path, "port"),
                "same-port",
                f"{earlier.name} listens on port {process.port} of the same host",
                "give each process on a host its own port",
            )

    def _bound(self, process: Process) -> Process | None:
        """An earlier process that listens on the same address, if only one machine can have it."""
        if is_wildcard(process.host) or is_loopback(process.host):
            return None
        earlier = self._by_address.setdefault((process.host, process.port), process)
        return None if earlier is process else earlier


def _neighbor(process: Process, neighbors: Sequence[Process]) -> Process | None:
    """An earlier process on the same machine whose addresses include that of `process`."""
    for each in neighbors:
        if each.host == process.host or is_wildcard(each.host) or is_wildcard(process.host):
            return each
    return None


def port_mismatch(process: Process) -> Iterator[Finding]:
    """A warning if a process's URL has another port of its own host."""
    public = process.public
    is_own_host = public.host == process.host or is_wildcard(process.host)
    if not (process.has_explicit_url and is_own_host):
        return
    if public.port != process.port and public.port not in _DEFAULT_PORTS:
        yield Finding(
            (*process.path, "public_url"),
            "port-mismatch",
            f"the URL has port {public.port}, but {process.name} listens on port {process.port}",
            "make them equal, unless there is a proxy in between",
        )


# --- URLs that lead nowhere, or to the caller -----------------------------------------------------


def wildcard_urls(server: RolloutServiceConfig, gateway: GatewayConfig) -> Iterator[Finding]:
    """A warning for each explicit URL of which the host means every interface of a machine."""
    urls: list[tuple[KeyPath, str | None]] = [
        (("rollout", "public_url"), server.explicit_public_url),
        (("gateway", "rollout_server_url"), gateway.explicit_rollout_server_url),
    ]
    for index, node in enumerate(gateway.nodes):
        path = ("gateway", "nodes", index)
        urls.append(((*path, "public_url"), node.explicit_public_url))
        urls.append(((*path, "inference", "base_url"), node.inference.base_url))
    for key_path, url in urls:
        if url is not None and is_wildcard(target(url).host):
            yield Finding(
                key_path,
                "wildcard-url",
                "this address cannot be used as a destination: it means every interface",
                _USE_HOSTNAME,
            )


def loopback_urls(
    server_url: str | None, rollout: Process, nodes: Sequence[Process]
) -> Iterator[Finding]:
    """A warning for each loopback URL that is called from another machine.

    `server_url` is the explicit URL at which the nodes reach the rollout server.
    """
    remote = _remote_node(rollout, nodes)
    is_server_url_loopback = server_url is not None and is_loopback(target(server_url).host)
    if remote is not None and is_loopback(rollout.public.host):
        callers = "clients"
        if not server_url:
            callers += f" and the gateway nodes, such as {remote.name},"
        yield _loopback(("rollout", "public_url"), f"{callers} call")
    if remote is not None and is_server_url_loopback:
        callers = f"the gateway nodes, such as {remote.name},"
        yield _loopback(("gateway", "rollout_server_url"), f"{callers} call")
    # With a loopback URL of the rollout server, it and the nodes are on one machine.
    if rollout.is_remote and not is_server_url_loopback:
        for node in nodes:
            if is_loopback(node.public.host):
                yield _loopback((*node.path, "public_url"), "the rollout server calls")


def _remote_node(rollout: Process, nodes: Sequence[Process]) -> Process | None:
    """The first node that is known to be on another machine than the rollout server."""
    for node in nodes:
        if node.is_remote and node.public.host != rollout.public.host:
            return node
    return None


def _loopback(path: KeyPath, callers_call: str) -> Finding:
    message = f"{callers_call} this URL, but a loopback address leads to the caller's own machine"
    return Finding(path, "loopback-url", message, _USE_HOSTNAME)


# --- URLs of inference engines --------------------------------------------------------------------


def inference_urls(
    nodes: Sequence[GatewayNodeConfig], rollout: Process, processes: Sequence[Process]
) -> Iterator[Finding]:
    """Warnings about the URLs of inference engines; `processes` are those of `nodes`."""
    # Of two processes with one URL the first is named, the rollout server before all nodes.
    by_url = {process.public: process for process in (*reversed(processes), rollout)}
    for node, process in zip(nodes, processes, strict=True):
        path = (*process.path, "inference", "base_url")
        url = node.inference.base_url
        engine = target(url)
        if engine.path.endswith("/v1"):
            message = "this URL ends in /v1, and Polar appends /v1 to it"
            yield Finding(path, "base-url-v1", message, f"write {quote(url[:-3], url=True)}")
        other = process if _is_self(engine, process) else by_url.get(engine)
        if other is not None:
            name = "the node itself" if other is process else other.name
            message = f"this is the URL of {name}, not of an inference engine"
            yield Finding(path, "self-inference", message, "use the URL of the inference engine")


def _is_self(engine: Target, process: Process) -> bool:
    is_same_host = is_loopback(engine.host) or engine.host == process.host
    return is_same_host and engine.port == process.port
