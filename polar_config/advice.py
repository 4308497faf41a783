"""What is valid and probably not meant: two processes on one port, a URL that nobody can call, and the like.

Nothing is refused or changed by it. `TopologyConfig.advice` and `TopologyDocument.advice` give it as problems.
"""

import unicodedata
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from polar_config.errors._problem import Finding
from polar_config.errors._words import KeyPath, inline, quote
from polar_config.rules._addresses import (
    Target,
    comparable,
    is_loopback,
    is_wildcard,
    target,
    unbracketed,
)
from polar_config.schema import (
    CompletionPersistenceConfig,
    GatewayConfig,
    GatewayNodeConfig,
    RolloutServiceConfig,
)

__all__ = ["findings"]


_PROXY_PORTS = frozenset(
    {80, 443}
)  # where a URL without a port leads, which is a proxy's as a rule


class _Process(NamedTuple):
    """The rollout server or a gateway node: where it listens, and where it is called."""

    name: str
    path: KeyPath
    host: str
    port: int
    public: Target
    is_written: bool  # whether its public_url is

    @property
    def is_elsewhere(self) -> bool:
        """Whether it is known to be on a machine of its own, reached over a network."""
        return any(
            not (is_loopback(host) or is_wildcard(host)) for host in (self.public.host, self.host)
        )


def findings(server: RolloutServiceConfig, gateway: GatewayConfig) -> Iterator[Finding]:
    """All advice on a topology."""
    rollout = _process("the rollout server", ("rollout",), server)
    nodes = [
        _process(f"node {inline(node.id)}", ("gateway", "nodes", index), node)
        for index, node in enumerate(gateway.nodes)
    ]
    yield from _same_places([rollout, *nodes])
    for process in (rollout, *nodes):
        yield from _port_mismatch(process)
    yield from _wildcard_urls(server, gateway)
    yield from _loopback_urls(gateway.explicit_rollout_server_url, rollout, nodes)
    yield from _inference_urls(gateway.nodes, rollout, nodes)
    yield from _no_save_dir(server, gateway)
    yield from _look_alikes(gateway.nodes)


def _process(name: str, path: KeyPath, block: RolloutServiceConfig | GatewayNodeConfig) -> _Process:
    written = block.explicit_public_url is not None
    return _Process(
        name,
        path,
        comparable(unbracketed(block.host)),
        block.port,
        target(block.public_url),
        written,
    )


# --- two in one place -------------------------------------------------------------------------------------------------


def _same_places(processes: Sequence[_Process]) -> Iterator[Finding]:
    urls: dict[Target, _Process] = {}
    bound: dict[tuple[str, int], _Process] = {}
    machines: dict[tuple[str, int], list[_Process]] = {}
    for process in processes:
        other = urls.setdefault(process.public, process)
        if other is not process:
            message = f"the same URL as {other.name}'s: calls for one reach the other"
            yield Finding(
                (*process.path, "public_url"),
                "same-url",
                message,
                "give each process a URL of its own",
            )
        neighbours = machines.setdefault((process.public.host, process.port), [])
        other_bound = _bound_before(process, bound, neighbours)
        if other_bound is not None:
            message = f"{other_bound.name} listens on port {process.port} of the same host already"
            yield Finding(
                (*process.path, "port"),
                "same-port",
                message,
                "give each process on a host a port of its own",
            )
        neighbours.append(process)


def _bound_before(
    process: _Process, bound: dict[tuple[str, int], _Process], neighbours: Sequence[_Process]
) -> _Process | None:
    """An earlier process that takes the same port: of the same address, or of every address of the same machine."""
    if not (is_wildcard(process.host) or is_loopback(process.host)):
        other = bound.setdefault((process.host, process.port), process)
        if other is not process:
            return other
    return next(
        (
            each
            for each in neighbours
            if each.host == process.host or is_wildcard(each.host) or is_wildcard(process.host)
        ),
        None,
    )


def _port_mismatch(process: _Process) -> Iterator[Finding]:
    named, port = process.public, process.port
    is_own = named.host == process.host or is_wildcard(process.host)
    if process.is_written and is_own and named.port != port and named.port not in _PROXY_PORTS:
        message = f"the URL names port {named.port}, but {process.name} listens on port {port}"
        yield Finding(
            (*process.path, "public_url"),
            "port-mismatch",
            message,
            "make them equal, unless a proxy stands between",
        )


# --- URLs that nobody can call ----------------------------------------------------------------------------------------


def _wildcard_urls(server: RolloutServiceConfig, gateway: GatewayConfig) -> Iterator[Finding]:
    urls: list[tuple[KeyPath, str | None]] = [
        (("rollout", "public_url"), server.explicit_public_url),
        (("gateway", "rollout_server_url"), gateway.explicit_rollout_server_url),
    ]
    for index, node in enumerate(gateway.nodes):
        urls.append((("gateway", "nodes", index, "public_url"), node.explicit_public_url))
        urls.append((("gateway", "nodes", index, "inference", "base_url"), node.inference.base_url))
    for path, url in urls:
        if url is not None and is_wildcard(target(url).host):
            message = "nobody can call this address: it stands for every interface of a machine"
            yield Finding(
                path, "wildcard-url", message, "write the name or the address of the machine"
            )


def _loopback_urls(
    server_url: str | None, rollout: _Process, nodes: Sequence[_Process]
) -> Iterator[Finding]:
    far = next(
        (node for node in nodes if node.is_elsewhere and node.public.host != rollout.public.host),
        None,
    )
    is_server_near = server_url is not None and is_loopback(target(server_url).host)
    hint = "write the name or the address of the machine"
    if far is not None and is_loopback(rollout.public.host):
        callers = "clients" if server_url else f"clients and the gateway nodes, such as {far.name},"
        message = f"{callers} call this URL, which leads back to their own machine"
        yield Finding(("rollout", "public_url"), "loopback-url", message, hint)
    if far is not None and is_server_near:
        message = f"the gateway nodes, such as {far.name}, call this URL, which leads back to their own machine"
        yield Finding(("gateway", "rollout_server_url"), "loopback-url", message, hint)
    for node in nodes:
        if is_loopback(node.public.host) and rollout.is_elsewhere and not is_server_near:
            message = "the rollout server calls this URL, which leads back to its own machine"
            yield Finding((*node.path, "public_url"), "loopback-url", message, hint)


def _inference_urls(
    nodes: Sequence[GatewayNodeConfig], rollout: _Process, processes: Sequence[_Process]
) -> Iterator[Finding]:
    known = {process.public: process for process in (*reversed(processes), rollout)}
    for node, process in zip(nodes, processes, strict=True):
        path = (*process.path, "inference", "base_url")
        url, place = node.inference.base_url, target(node.inference.base_url)
        if place.path.endswith("/v1"):
            message = "the engine's path, which begins with /v1, is appended to this URL"
            yield Finding(path, "base-url-v1", message, f"write {quote(url[:-3], url=True)}")
        is_here = is_loopback(place.host) or place.host == process.host
        other = process if is_here and place.port == process.port else known.get(place)
        if other is not None:
            message = f"this is {'the node itself' if other is process else other.name}, not an inference engine"
            yield Finding(path, "self-inference", message, "write where the engine listens")


# --- the rest ---------------------------------------------------------------------------------------------------------


def _no_save_dir(server: RolloutServiceConfig, gateway: GatewayConfig) -> Iterator[Finding]:
    persistence = gateway.completion_persistence
    if (
        server.save_dir is None
        and persistence.enabled
        and persistence != CompletionPersistenceConfig()
    ):
        message = "without rollout.save_dir no model call is kept, whatever is set here"
        yield Finding(
            ("gateway", "completion_persistence"), "no-save-dir", message, "set rollout.save_dir"
        )


def _look_alikes(nodes: Sequence[GatewayNodeConfig]) -> Iterator[Finding]:
    seen: dict[str, int] = {}
    for index, node in enumerate(nodes):
        looks = {unicodedata.normalize("NFKC", node.id).casefold(), _skeleton(node.id)}
        earlier = min((seen[look] for look in looks if look in seen), default=None)
        if earlier is not None:
            message = f"{quote(node.id)} is easily taken for {quote(nodes[earlier].id)}, the id of nodes[{earlier}]"
            yield Finding(
                ("gateway", "nodes", index, "id"),
                "look-alike-id",
                message,
                "give them ids that differ in more",
            )
        for look in looks:
            seen.setdefault(look, index)


# What looks like a Latin letter: letters of the Cyrillic and the Greek script, and digits (a small part of Unicode's confusables).
_LIKE = {
    "a": "\u0430\u0410\u03b1\u0391",
    "b": "\u0432\u0412\u0392",
    "c": "\u0441\u0421",
    "d": "\u0501",
    "e": "\u0435\u0415\u0395",
    "h": "\u04bb\u043d\u041d\u0397",
    "i": "\u0456\u03b9",
    "j": "\u0458\u0408",
    "k": "\u043a\u041a\u03ba\u039a",
    "l": "\u0406\u03991|I",
    "m": "\u043c\u041c\u039c",
    "n": "\u039d",
    "o": "\u043e\u041e\u03bf\u039f0",
    "p": "\u0440\u0420\u03c1\u03a1",
    "s": "\u0455\u0405",
    "t": "\u0442\u0422\u03c4\u03a4",
    "u": "\u03c5",
    "v": "\u03bd",
    "x": "\u0445\u0425\u03c7\u03a7",
    "y": "\u0443\u0423\u03a5",
    "z": "\u0396",
}
_HYPHENS = "\u2010\u2011\u2012\u2013\u2014\u2212"
_LOOKS = str.maketrans(
    {other: letter for letter, others in {**_LIKE, "-": _HYPHENS}.items() for other in others}
)


def _skeleton(name: str) -> str:
    """What a name looks like: without what is not seen, look-alike letters made one."""
    visible = "".join(
        each for each in unicodedata.normalize("NFKC", name) if unicodedata.category(each) != "Cf"
    )
    return visible.translate(_LOOKS).casefold()
