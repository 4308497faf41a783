"""Batches of edits, drawn by a seed: a text, and edits that collide on purpose.

Each edit is drawn against the document as the edits before left it, so that most of the paths lead somewhere; some
lead where an earlier edit was, some to what is gone, some nowhere. What was drawn prints as the code that makes it.
"""

import json
import random
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from typing import Any, NamedTuple

import attrs
from documents import Path, at, is_dict, is_list, paths
from drawn import drawn_text, drawn_value

from polar_config import (
    GatewayConfig,
    GatewayNodeConfig,
    InferenceConfig,
    RuntimeSpec,
    TopologyConfig,
    TopologyDocument,
    TopologyError,
)


class Edit(NamedTuple):
    """A call of a document's method."""

    method: str
    arguments: tuple[Any, ...]
    options: dict[str, Any] = {}  # noqa: RUF012  (nobody changes it)


class Batch(NamedTuple):
    """A text, and the edits to make in it."""

    text: str
    edits: list[Edit]


class Outcome(NamedTuple):
    """The text after edits, and the error that one of them raised, if one did."""

    text: str
    error: "tuple[type[Exception], object, str] | None"
    """Its type, its problems and its report."""


def outcome(batch: Batch, *, at_once: bool) -> Outcome:
    """What comes of the edits in a batch, or one after the other until one is refused."""
    document = TopologyDocument.parse(batch.text, "t.yaml")
    try:
        with document.batch() if at_once else nullcontext():
            for edit in batch.edits:
                getattr(document, edit.method)(*edit.arguments, **edit.options)
    except Exception as error:  # noqa: BLE001  (`is_exact` wants refusals only)
        problems: object = getattr(error, "problems", None)
        return Outcome(document.text, (type(error), problems, str(error)))
    return Outcome(document.text, None)


def expected(batch: Batch) -> Outcome:
    """What a batch is to give: what its edits give one after the other, or the error and the text as it was."""
    made = outcome(batch, at_once=False)
    return made if made.error is None else Outcome(batch.text, made.error)


def is_exact(batch: Batch) -> bool:
    """Whether a batch gives what its edits give one after the other; an error must be a refusal."""
    wanted = expected(batch)
    is_orderly = wanted.error is None or wanted.error[0] is TopologyError
    return is_orderly and outcome(batch, at_once=True) == wanted


def drawn_batch(seed: object) -> Batch:
    """Two to five edits in a text; if one of them is refused, it is the last."""
    chance = random.Random(f"batch {seed}")
    text = drawn_text(chance)
    document = TopologyDocument.parse(text)
    count = chance.choice((2, 2, 2, 3, 3, 4, 5))
    return Batch(text, _drawn_edits(chance, document, count, _Drawer.edit))


def drawn_assignments(seed: object) -> Batch:
    """Two to six edits in a text that set a key from a string, as the command does."""
    chance = random.Random(f"assignments {seed}")
    text = drawn_text(chance)
    document = TopologyDocument.parse(text)
    count = chance.choice((2, 3, 4, 5, 6))
    return Batch(text, _drawn_edits(chance, document, count, _Drawer.assignment))


def _drawn_edits(
    chance: random.Random,
    document: TopologyDocument,
    count: int,
    draw: "Callable[[_Drawer], Edit]",
) -> list[Edit]:
    """At most `count` edits that the document takes, and perhaps one more that it refuses."""
    edits: list[Edit] = []
    refused: list[Edit] = []
    for _ in range(3 * count):
        edit = draw(_Drawer(chance, document.get(()), edits))
        try:
            getattr(document, edit.method)(*edit.arguments, **edit.options)
        except TopologyError:
            refused = [edit]
            if chance.random() < (0.3 if edits else 0.02):
                break
            continue
        edits.append(edit)
        if len(edits) == count:
            return edits
    return [*edits, *refused]


_NAMES = (
    *("port", "port", "host", "x", "y", "a", "b", "id", "new", "inference", "nodes", "rollout"),
    *("gateway", "engine", "a b", "no", "0", "env", "default_runtime", "save_dir"),
)
_IDS = ("a", "b", "c", "gpu-1", "gpu-2", "n", "n", "m", "0", "a b")
_STRINGS = ("1", "9000", "null", "x", "{a: 1}", "[1, 2]", "a: b", "vllm", "true", "1e3", "'q'", "")
_OBJECTS = (
    InferenceConfig(engine="vllm"),
    RuntimeSpec(image="i", env={"A": "1"}),
    GatewayNodeConfig(id="n", port=1),
)
_TOPOLOGY = TopologyConfig(gateway=GatewayConfig(nodes=[GatewayNodeConfig(id="n", port=1)]))
_SMALL: tuple[Any, ...] = (None, 1, "x", [], {})
_STAR = "*"  # in the tuples of this module; a key of this name is drawn nowhere
_METHODS = ("set", "set_from_string", "remove", "append", "insert", "rename", "add_node", "apply")
_WEIGHTS = (40, 8, 16, 9, 8, 12, 7, 1)
_NODE_WEIGHTS = (40, 8, 16, 9, 8, 12, 25, 7)  # where there are nodes


class _Drawer:
    """Draws one edit, of a document that says `data` after the edits `before`."""

    def __init__(self, chance: random.Random, data: Any, before: Sequence[Edit]) -> None:
        self._chance = chance
        self._data = data
        self._before = before
        self._paths = [path for path in paths(data) if len(path) < 8]
        gateway: Any = data.get("gateway") if is_dict(data) else None
        nodes: Any = gateway.get("nodes") if is_dict(gateway) else None
        self._nodes = [
            str(each["id"])
            for each in (nodes if is_list(nodes) else ())
            if is_dict(each) and "id" in each
        ]

    def edit(self) -> Edit:
        if self._chance.random() < 0.15:
            return self._habit_edit()
        weights = _NODE_WEIGHTS if self._nodes else _WEIGHTS
        method = self._chance.choices(_METHODS, weights)[0]
        if method == "add_node":
            return self._node_edit()
        if method == "apply":
            return Edit("apply", (self._topology(),))
        path = self._written(self._list_path() if method in {"append", "insert"} else self._path())
        options = {"shared": True} if self._chance.random() < 0.15 else {}
        return Edit(method, (path, *self._arguments(method)), options)

    def _habit_edit(self) -> Edit:
        """An edit that takes much of the text away, or one that is written as the rest of the text is."""
        if self._paths and not (self._before and self._chance.random() < 0.6):
            path = self._chance.choice([path for path in self._paths if len(path) < 3])
            if self._chance.random() < 0.4:
                return Edit("remove", (path,))
            return Edit("set", (path, self._chance.choice(_SMALL)))
        value = self._chance.choice(("no", "a: b", ["x", "1"], {"a": {"b": ["no"]}}, "two\nlines"))
        return Edit("set", ((self._chance.choice(_NAMES),), value))

    def assignment(self) -> Edit:
        path = as_string(self._starred(self._path()))
        return Edit("set_from_string", (path, self._chance.choice(_STRINGS)))

    def _arguments(self, method: str) -> tuple[Any, ...]:
        if method == "remove":
            return ()
        if method == "set_from_string":
            return (self._chance.choice(_STRINGS),)
        if method == "rename":
            return (self._chance.choice(_NAMES),)
        if method == "insert":
            return (self._chance.choice((0, 0, 1, 2, 9)), self._value())
        return (self._value(),)

    def _value(self) -> Any:
        if self._paths and self._chance.random() < 0.15:  # what is somewhere already
            return at(self._data, self._chance.choice(self._paths))
        if self._chance.random() < 0.05:
            return self._chance.choice(_OBJECTS)
        if self._chance.random() < 0.1:
            return {"id": self._chance.choice(_IDS), "port": self._chance.randint(1, 9)}
        return drawn_value(self._chance)

    # nodes

    def _topology(self) -> TopologyConfig:
        """The topology of the document where it has one, with other nodes and another port."""
        try:
            config = TopologyConfig.from_dict(self._data)
        except TopologyError:
            return _TOPOLOGY
        nodes = list(config.gateway.nodes)
        self._chance.shuffle(nodes)
        nodes = [
            attrs.evolve(node, port=self._chance.randint(1, 9), model_served="m")
            if self._chance.random() < 0.3
            else node
            for node in nodes[: self._chance.randint(1, len(nodes))]
        ]
        gateway = attrs.evolve(config.gateway, nodes=nodes)
        rollout = attrs.evolve(config.rollout, port=self._chance.randint(1, 9))
        return self._chance.choice(
            (
                config,
                _TOPOLOGY,
                attrs.evolve(config, gateway=gateway),
                attrs.evolve(config, gateway=gateway, rollout=rollout),
            )
        )

    def _node_edit(self) -> Edit:
        if self._nodes and self._chance.random() < 0.25:
            return Edit("remove_node", (self._id(),))
        name = self._chance.choice(_IDS)
        node: Any = {"id": name}
        options: dict[str, Any] = {}
        if self._chance.random() < 0.5:
            node[self._chance.choice(_NAMES)] = self._value()
        if self._chance.random() < 0.2:
            node = GatewayNodeConfig(id=name, port=self._chance.randint(1, 9))
        if self._nodes and self._chance.random() < 0.5:
            options["like"] = self._id()
        if self._nodes and self._chance.random() < 0.4:
            options[self._chance.choice(("before", "after"))] = self._id()
        return Edit("add_node", (node,), options)

    def _id(self) -> str:
        return self._chance.choice((*self._nodes, *self._nodes, self._chance.choice(_IDS)))

    # paths

    def _path(self) -> Path:
        """Mostly near what the edits before were about."""
        near = [path for path in self._paths if any(_is_near(path, each) for each in self._used())]
        there = near if near and self._chance.random() < 0.6 else self._paths
        way = self._chance.random()
        if way < 0.12 and self._before:
            return self._again()
        if way < 0.6 and there:
            return self._chance.choice(there)
        inside = [path for path in (*there, ()) if not is_list(at(self._data, path))]
        sections = [path for path in inside if is_dict(at(self._data, path))]
        holder = self._chance.choice(sections if sections and way < 0.85 else (*inside, ()))
        more = [self._chance.choice(_NAMES) for _ in range(self._chance.choice((1, 1, 1, 2)))]
        return (*holder, *more)

    def _list_path(self) -> Path:
        lists = [path for path in self._paths if is_list(at(self._data, path))]
        nulls = [path for path in self._paths if at(self._data, path) is None]
        there = [*lists, *lists, *nulls]
        return self._chance.choice(there) if there and self._chance.random() < 0.7 else self._path()

    def _used(self) -> Iterator[Path]:
        for edit in self._before:
            if edit.method in {"add_node", "remove_node", "apply"}:
                yield ("gateway", "nodes")
            elif isinstance(edit.arguments[0], tuple):
                yield edit.arguments[0]
                if edit.method == "rename":
                    yield (*edit.arguments[0][:-1], edit.arguments[1])

    def _again(self) -> Path:
        """A path of an edit before, or one above or below it."""
        path = self._chance.choice([*self._used(), ("gateway", "nodes", 0)])
        return self._chance.choice(
            (path, path, path[:-1] or path, (*path, self._chance.choice(_NAMES)), (*path, 0))
        )

    def _written(self, path: Path) -> Any:
        """The path as a tuple or as a string."""
        chosen = self._starred(path)
        is_string = _STAR in chosen or self._chance.random() < 0.3
        return as_string(chosen) if is_string else tuple(chosen)

    def _starred(self, path: Path) -> list[str | int]:
        """The path with ids and stars in place of some indexes."""
        chosen: list[str | int] = []
        for number, part in enumerate(path):
            way = self._chance.random()
            if isinstance(part, int) and way < 0.1:
                chosen.append(_STAR)
            elif isinstance(part, int) and way < 0.45:
                chosen.append(self._name(path[: number + 1], part))
            else:
                chosen.append(part)
        return chosen

    def _name(self, path: Path, index: int) -> str | int:
        item = at(self._data, path) if path in self._paths else None
        name: Any = item.get("id") if is_dict(item) else None
        return name if isinstance(name, str) else index


def _is_near(path: Path, other: Path) -> bool:
    return path[: len(other) - 1] == other[:-1] or other[: len(path)] == path


def as_string(path: Sequence[str | int]) -> str:
    """A path in the notation of reports."""
    text = ""
    for part in path:
        if isinstance(part, int) or part == _STAR:
            text += f"[{part}]"
        elif re.fullmatch(r"[a-z][a-z0-9_-]*", part):
            text += f".{part}" if text else part
        else:
            text += f"[{json.dumps(part, ensure_ascii=False)}]"
    return text
