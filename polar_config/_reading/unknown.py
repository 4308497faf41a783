"""An unknown key to a guess at what was meant by it.

It may be a key of another version of Polar, a key of another section, or a typo.
"""

import re
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from functools import lru_cache
from typing import Any, NamedTuple

from polar_config.keys import Key, keys

_MAX_COMPARED = 60  # characters of a key that are compared with the names there are
_MAX_NAMED = 8  # allowed keys that are listed where none is similar
_SIMILAR = 0.7  # from here on two names are similar; 1.0 is equal


class Guess(NamedTuple):
    """Why a key is refused, how to fix that, and what it was taken for."""

    code: str
    message: str
    hint: str
    meant: tuple[str, ...] = ()
    """The keys that lead to it from the section of the unknown key; empty if none does."""


# --- other versions of Polar ----------------------------------------------------------------------

_OLD_LAYOUT = "this key belongs to the old two-file layout"
_NEWER = Guess(
    "newer-key",
    "this key requires a newer version of Polar",
    "remove it, or upgrade Polar",
)


def _removed(hint: str) -> Guess:
    return Guess("removed-key", "this key was removed from Polar", hint)


def _moved(*path: str) -> Guess:
    return Guess("moved-key", _OLD_LAYOUT, f"move it to {'.'.join(path)}", path)


def _inference(engine: str) -> str:
    return f"write inference: {{engine: {engine}, base_url: …}}; timeout was removed"


def _engine(name: str) -> Guess:
    message = f"the section {name} was replaced by inference"
    return Guess("replaced-key", message, _inference(name), ("inference",))


_OTHER_VERSIONS: dict[str, dict[str, Guess]] = {
    "TopologyConfig": {
        "gateway_nodes": _moved("gateway", "nodes"),
        "rollout_server_url": _moved("gateway", "rollout_server_url"),
        "heartbeat_interval_seconds": _moved("gateway", "heartbeat_interval_seconds"),
    },
    "GatewayNodeConfig": {
        "sglang": _engine("sglang"),
        "vllm": _engine("vllm"),
        "vllm_backend": Guess("moved-key", _OLD_LAYOUT, _inference("vllm"), ("inference",)),
        "ready_buffer_target": _removed("remove it; no replacement"),
        "max_eval_prewarm_workers": _removed("remove it; no replacement"),
        "capacity": _removed(
            "remove it; use max_init_workers, max_run_workers and max_postrun_workers instead"
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


# --- guesses --------------------------------------------------------------------------------------


def guess(
    key: str, cls: type, root: type, section: Mapping[str, Any], *, close: bool = True
) -> Guess:
    """What was probably meant by `key`, which is not a key of `cls`, in this `section`.

    Without `close`, similar names are not looked for, which would take longer.
    """
    if known := _OTHER_VERSIONS.get(cls.__name__, {}).get(key):
        return known
    name = _snake_case(key[:_MAX_COMPARED])
    names = [each.name for each in keys(cls)]
    if misplaced := _out_of_empty(name, cls, section):
        return misplaced
    if name in names:
        return _misspelled(name, section)
    if misplaced := _elsewhere(name, cls, root):
        return misplaced
    if close and (similar := get_close_matches(name, names, 1, _SIMILAR)):
        return _misspelled(similar[0], section)
    return Guess("unknown-key", "unknown key", f"allowed keys: {_listed(names)}")


def _listed(names: list[str]) -> str:
    if len(names) > _MAX_NAMED:
        names = [*names[:_MAX_NAMED], "…"]
    return ", ".join(names)


def _misspelled(name: str, section: Mapping[str, Any]) -> Guess:
    if name in section:
        return Guess("unknown-key", "unknown key", f"remove it: {name} is already set")
    return Guess("unknown-key", "unknown key", f"did you mean {name}?", (name,))


def _misplaced(section: str, meant: tuple[str, ...]) -> Guess:
    message = f"this key belongs in {section}"
    return Guess("misplaced-key", message, f"move it into {section}", meant)


def _out_of_empty(name: str, cls: type, section: Mapping[str, Any]) -> Guess | None:
    """The empty section beside a key that belongs in it: the key lost its indentation."""
    for key in keys(cls):
        is_empty = key.name in section and section[key.name] is None
        if key.section and is_empty and any(each.name == name for each in keys(key.section)):
            return _misplaced(key.name, (key.name, name))
    return None


def _snake_case(key: str) -> str:
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", key.strip())
    return re.sub(r"[-\s.]+", "_", words).lower()


@lru_cache(maxsize=1_000)
def _elsewhere(name: str, cls: type, root: type) -> Guess | None:
    """The only section below `cls` that has a key of this name, or the only one anywhere."""
    below = list(_holders(name, cls))
    everywhere = below or list(_holders(name, root))
    if len(everywhere) != 1:
        return None
    path, section = everywhere[0]
    return _misplaced(section, (*path, name) if below else ())


def _holders(
    name: str, cls: type, path: tuple[str, ...] = (), section: str = ""
) -> Iterator[tuple[tuple[str, ...], str]]:
    """The sections below `cls` that have the key `name`: the keys that lead there, and in words."""
    for key in keys(cls):
        if key.name == name and path:
            yield path, section
        if key.section:
            yield from _holders(name, key.section, (*path, key.name), _within(section, key))


def _within(section: str, key: Key) -> str:
    """The section under a key of another one, in words: ``each item of gateway.nodes``."""
    words = key.name
    if section:
        words = f"{section}.{key.name}"
    if section.startswith("each"):
        words = f"{key.name} of {section}"
    if key.lists_sections:
        return f"each item of {words}"
    return words
