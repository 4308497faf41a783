"""What an unknown key was probably meant to be: a key of another Polar generation, of another block, or a slip of the pen."""

import re
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from functools import lru_cache
from typing import Any, NamedTuple

from polar_config.keys import keys

_MAX_SUGGESTION = 60  # characters of a key that is compared with those there are
_MAX_NAMED = 8  # keys that are listed where none is similar


class Guess(NamedTuple):
    """Why a key is refused, the mend, and what it was taken for: the keys that lead to it from the same block."""

    code: str
    message: str
    hint: str | None = None
    stands_for: tuple[str, ...] = ()


# --- other generations of Polar ---------------------------------------------------------------------------------------

_NEWER = Guess(
    "newer-key",
    "this key belongs to a newer Polar than this schema",
    "remove it, or use the Polar that it was written for",
)


def _removed(mend: str) -> Guess:
    return Guess("removed-key", "this key was removed from Polar", mend)


def _moved(*whereto: str) -> Guess:
    message = "this key is of the two-file layout that came before topology.yaml"
    return Guess("moved-key", message, f"move it to {'.'.join(whereto)}", whereto)


def _engine(name: str) -> Guess:
    return Guess(
        "replaced-key",
        f"the block {name} was replaced by inference",
        f"write inference: {{engine: {name}, base_url: …}}; timeout is gone",
        ("inference",),
    )


_GENERATIONS: dict[str, dict[str, Guess]] = {
    "TopologyConfig": {
        "gateway_nodes": _moved("gateway", "nodes"),
        "rollout_server_url": _moved("gateway", "rollout_server_url"),
        "heartbeat_interval_seconds": _moved("gateway", "heartbeat_interval_seconds"),
    },
    "GatewayNodeConfig": {
        "sglang": _engine("sglang"),
        "vllm": _engine("vllm"),
        "vllm_backend": Guess(
            "moved-key",
            "this key is of the two-file layout that came before topology.yaml",
            "write inference: {engine: vllm, base_url: …}; timeout is gone",
            ("inference",),
        ),
        "ready_buffer_target": _removed("remove it; nothing takes its place"),
        "max_eval_prewarm_workers": _removed("remove it; nothing takes its place"),
        "capacity": _removed(
            "remove it; max_init_workers, max_run_workers and max_postrun_workers limit the work"
        ),
        "model_pool": _NEWER,
    },
    "InferenceConfig": {"scheduler": _NEWER},
    "CompletionPersistenceConfig": dict.fromkeys(
        ("write_workers", "batch_size", "write_max_attempts", "retry_backoff_seconds"), _NEWER
    ),
    "RolloutServiceConfig": dict.fromkeys(
        (
            "http_max_connections",
            "http_max_keepalive_connections",
            "cleanup_max_concurrency",
            "cleanup_max_attempts",
            "cleanup_retry_backoff_seconds",
        ),
        _NEWER,
    ),
    "RuntimeSpec": dict.fromkeys(("direct_exec_init_command", "internet_volumes"), _NEWER),
    "PrepareAction": dict.fromkeys(("max_attempts", "retry_backoff_seconds"), _NEWER),
}


# --- guesses ----------------------------------------------------------------------------------------------------------


def guess(
    key: str, cls: type, root: type, block: Mapping[str, Any], *, close: bool = True
) -> Guess:
    """Why `key` is no key of `cls` in this `block`; `close` looks for similar names as well, which takes longer."""
    if known := _GENERATIONS.get(cls.__name__, {}).get(key):
        return known
    name = _snake(key[:_MAX_SUGGESTION])
    if slipped := _slipped_out(name, cls, block):
        return slipped
    names = [each.name for each in keys(cls)]
    if name in names:
        return _meant(name, block)
    if elsewhere := _elsewhere(name, cls, root):
        return elsewhere
    if matches := get_close_matches(name, names, 1, 0.7) if close else []:
        return _meant(matches[0], block)
    more = ", …" if len(names) > _MAX_NAMED else ""
    return Guess(
        "unknown-key", "unknown key", f"this block takes {', '.join(names[:_MAX_NAMED])}{more}"
    )


def _meant(name: str, block: Mapping[str, Any]) -> Guess:
    if name in block:
        return Guess("unknown-key", "unknown key", f"remove it: {name} is there already")
    return Guess("unknown-key", "unknown key", f"did you mean {name}?", (name,))


def _slipped_out(name: str, cls: type, block: Mapping[str, Any]) -> Guess | None:
    """The empty block beside the key that would take it: its indentation was lost."""
    for key in keys(cls):
        if (
            key.block
            and key.name in block
            and block[key.name] is None
            and name in [each.name for each in keys(key.block)]
        ):
            return _misplaced(key.name, (key.name, name))
    return None


def _misplaced(place: str, stands_for: tuple[str, ...]) -> Guess:
    return Guess(
        "misplaced-key", f"this key belongs in {place}", f"move it into {place}", stands_for
    )


def _snake(key: str) -> str:
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", key.strip())
    return re.sub(r"[-\s.]+", "_", words).lower()


@lru_cache(maxsize=1_000)
def _elsewhere(name: str, cls: type, root: type) -> Guess | None:
    """The block that has a key of this name: one below `cls`, or the only one there is."""
    below = list(_holders(name, cls))
    everywhere = below or list(_holders(name, root))
    if len(everywhere) != 1:
        return None
    path, place = everywhere[0]
    return _misplaced(place, (*path, name) if below else ())


def _holders(
    name: str, cls: type, path: tuple[str, ...] = (), place: str = ""
) -> Iterator[tuple[tuple[str, ...], str]]:
    """The blocks below `cls` that have the key `name`: the way to each, and how an operator calls it."""
    for key in keys(cls):
        if key.name == name and path:
            yield path, place
        if key.block:
            where = (
                key.name
                if not place
                else f"{key.name} of {place}"
                if place.startswith("each")
                else f"{place}.{key.name}"
            )
            yield from _holders(
                name,
                key.block,
                (*path, key.name),
                f"each entry of {where}" if key.lists_blocks else where,
            )
