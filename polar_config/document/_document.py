"""A topology file as a text that is edited in place: only what an edit is about changes, proved or refused.

The text is the document. An edit becomes pieces of text (`_edit` plans, `_splice` places them); the new text is parsed again, and its tree
must be the old one with that edit and nothing else.
"""

import os
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from threading import RLock
from typing import Any, Final, NamedTuple, Self, cast

import attrs

from polar_config._editing.editor import Editor
from polar_config._editing.paths import EVERY, parts
from polar_config._editing.paths import Path as KeyPathLike
from polar_config._editing.plan import Copy
from polar_config._editing.template import rendered
from polar_config._editing.text import Text
from polar_config._editing.walk import Step
from polar_config._plain import is_mapping
from polar_config._reading.load import decoded, from_tree, read
from polar_config._reading.structure import NotStructuredError, structure
from polar_config._yaml.data import plain
from polar_config._yaml.tree import Entry, ScalarEntry
from polar_config.document._apply import apply_to
from polar_config.document._clone import NODES, mapping_like, object_like, refuse_taken
from polar_config.document._diff import unified
from polar_config.document._replace import replace
from polar_config.document._values import has_default, plain_value, read_text, refuse_unless
from polar_config.errors import TopologyError, refused
from polar_config.errors._problem import Problem
from polar_config.errors._words import inline
from polar_config.schema import GatewayNodeConfig
from polar_config.topology import TopologyConfig

__all__ = ["TopologyDocument", "Position"]

_REQUIRED: Final = object()


class Position(NamedTuple):
    """A place in a text; both count from 1, columns in characters."""

    line: int
    column: int


class TopologyDocument:
    r"""The text of a topology file, edited in place.

    It needs well-formed YAML and may be invalid as a topology, so that it can be mended. Each edit succeeds, or raises `TopologyError` and
    leaves the text alone; several threads may edit one document, one after the other. Key paths are texts (``gateway.nodes[gpu-1].port``;
    ``[0]`` for an index, ``[*]`` for every entry) or tuples of keys and indexes. `shared=True` allows a change inside a block that others
    share by an anchor, and means all of them.

    >>> document = TopologyDocument.parse("gateway:\n  nodes:\n    - id: gpu-1  # rack A\n      port: 8100\n")
    >>> document.set("gateway.nodes[gpu-1].port", 8200)
    >>> print(document, end="")
    gateway:
      nodes:
        - id: gpu-1  # rack A
          port: 8200
    """

    def __init__(self, text: Text, path: Path | None = None, data: bytes | None = None) -> None:
        self._text = self._opened = text
        self._path = path
        self._target = path and Path(
            os.path.realpath(path)
        )  # the same file, wherever the process or a link goes later
        self._lock = RLock()
        self._together: Editor | None = None  # while several edits are planned
        self._is_broken = False
        self._data: bytes | None = data
        self._config: TopologyConfig | None = None

    @classmethod
    def open(cls, path: "str | Path" = "topology.yaml") -> Self:
        """Read a regular file of at most 16 MiB in UTF-8; raises `TopologyError`, or `OSError` as the system raises it."""
        name, target = str(path), Path(path)
        data = read(target, name)
        return cls(Text.parsed(decoded(data, name), name), target, data)

    @classmethod
    def parse(cls, text: str | bytes, name: str = "<string>") -> Self:
        """Take a text, or the bytes of a file; `name` stands for the file in errors. Raises `TopologyError` for what is no YAML."""
        refuse_unless("name", name, str)
        whole = decoded(text, name) if isinstance(text, bytes) else text
        refuse_unless("text", whole, str)
        return cls(Text.parsed(whole, name))

    # reading

    @property
    def text(self) -> str:
        """The text as it stands now."""
        return self._text.raw

    def __str__(self) -> str:
        return self._text.raw

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {inline(self._text.name)}>"

    @property
    def config(self) -> TopologyConfig:
        """The topology of the text as it stands now; raises `TopologyError` with the whole report if it is not valid."""
        if self._config is None:
            self._text.refuse_several()
            config = from_tree(
                self._text.layout.text, self._text.root, TopologyConfig, self._text.name
            )
            self._config = attrs.evolve(config, path=self._path)
        return self._config

    def get(self, path: KeyPathLike, default: Any = _REQUIRED) -> Any:
        """The plain value that is written there, aliases and merges followed; for ``[*]`` a list of all.

        Without `default`, a path that leads nowhere raises `TopologyError`, which names the nearest that does.

        >>> TopologyDocument.parse("rollout: {port: 9000}").get("rollout.port")
        9000
        """
        wanted = parts(path)
        found: list[Any] = []
        editor = self._editor()
        for step, rest in editor.walk(wanted):
            if rest or (step is None and wanted):
                if default is _REQUIRED:
                    raise editor.missing(step, rest)
                found.append(default)
            else:
                found.append(plain(step.value) if step else None)
        return found if any(part is EVERY for part in wanted) else found[0]

    def position(self, path: KeyPathLike) -> Position:
        r"""Line and column of the value as written, or of the block in which its default holds.

        >>> TopologyDocument.parse("rollout:\n  port: 9000\n").position("rollout.port")
        Position(line=2, column=9)
        """
        wanted = parts(path)
        editor = self._editor()
        step, rest = next(editor.walk(wanted), (None, wanted))
        if rest and not has_default(step.path if step else (), rest):
            raise editor.missing(step, rest)
        return Position(1, 1) if step is None else self._place(step)

    def _place(self, step: Step) -> Position:
        value = step.value
        if isinstance(value, ScalarEntry) and value.empty and step.up is not None:
            place = self._text.place(self._text.layout.children(step.container)[step.number].start)
            return Position(place.line + 1, place.column + 1)
        return Position(value.line + 1, value.column + 1)

    def diff(self, *, secrets: bool = False) -> str:
        """What has changed since the text was opened, as a unified diff; empty if nothing has.

        Credentials in URLs and values of an ``env`` are starred out, unless `secrets` says that they are to be shown (for ``patch``).
        """
        if secrets:
            return unified(self._opened.raw, self._text.raw, self._text.name)
        texts = {each.raw: each for each in (self._opened, self._text)}
        return unified(
            self._opened.raw,
            self._text.raw,
            self._text.name,
            lambda raw, lines: texts[raw].safe_lines(lines),
        )

    def advice(self) -> tuple[Problem, ...]:
        r"""What is valid and probably not meant, with the lines it is about; raises `TopologyError` if the text is not valid.

        >>> document = TopologyDocument.parse("gateway:\n  nodes:\n    - {id: a}\n    - {id: A, port: 1}\n")
        >>> [(each.code, each.line) for each in document.advice()]
        [('look-alike-id', 4)]
        """
        found: list[Problem] = []
        editor = self._editor()
        for each in self.config.advice():
            step, _ = next(iter(editor.walk(parts(each.key_path))))
            place = self._place(cast("Step", step))
            found.append(attrs.evolve(each, line=place.line, column=place.column))
        return tuple(sorted(found, key=lambda each: (each.line or 0, each.column or 0)))

    def render(self, variables: Mapping[str, str]) -> Self:
        r"""A new document in which ``${NAME}`` and ``${NAME:-default}`` are filled in all scalar values; ``$${`` becomes a literal ``${``.

        A value is put in as the text of its scalar, in quotes where it needs them, so that none can change the structure: without quotes
        around the placeholder, a number where the key takes one, a text where it takes that. Everything else stays byte for byte. Raises
        `TopologyError` with every name that has no value. The new document has no file: say where to save it.

        >>> TopologyDocument.parse("rollout: {port: 1, save_dir: '${DIR}/x'} # ${DIR}\n").render({"DIR": "a: b"}).text
        "rollout: {port: 1, save_dir: 'a: b/x'} # ${DIR}\n"
        """
        return type(self)(rendered(self._text, variables, TopologyConfig))

    # editing

    def set(self, path: KeyPathLike, value: Any, *, shared: bool = False) -> None:
        """Replace the value, or add the key with the blocks that are missing on the way.

        `value` is plain data or an object of the schema, of which only written values are taken. What stays the same within a block keeps
        its place and its comments.
        """
        self._edit(shared, lambda editor: editor.set(parts(path), plain_value(value)))

    def set_from_string(self, path: KeyPathLike, text: str, *, shared: bool = False) -> None:
        """Set a value that is given as a text, as on a command line: read as the type that the key has.

        Where the key takes a text, it is that text; where it may be null, ``null`` is; everything else is read as YAML.

        >>> document = TopologyDocument.parse("gateway: {nodes: [{id: a}]}")
        >>> document.set_from_string("gateway.nodes[0].id", "0005")
        >>> document.set_from_string("gateway.nodes[0].port", "8100")
        >>> document.text
        'gateway: {nodes: [{id: "0005", port: 8100}]}'
        """
        self.set(path, read_text(parts(path), text), shared=shared)

    def remove(self, path: KeyPathLike, *, shared: bool = False) -> None:
        """Remove the key or entry with its own comments; the last of a block leaves ``{}``, the last of a list ``[]``."""
        self._edit(shared, lambda editor: editor.remove(parts(path)))

    def append(self, path: KeyPathLike, value: Any, *, shared: bool = False) -> None:
        """Add an entry at the end of a list."""
        self._edit(shared, lambda editor: editor.insert(parts(path), None, plain_value(value)))

    def insert(self, path: KeyPathLike, index: int, value: Any, *, shared: bool = False) -> None:
        """Add an entry to a list, before the one that is at `index` now."""
        if type(index) is not int:
            raise refused("invalid-argument", "expected an index: a whole number from 0")
        self._edit(shared, lambda editor: editor.insert(parts(path), index, plain_value(value)))

    def rename(self, path: KeyPathLike, new_key: str, *, shared: bool = False) -> None:
        """Give a key another name; its value, its place and its comments stay."""
        name = plain_value(new_key)
        if not isinstance(name, str):
            raise refused("wrong-type", "expected a text as the new key")
        self._edit(shared, lambda editor: editor.rename(parts(path), name))

    def add_node(
        self,
        node: "Mapping[str, Any] | GatewayNodeConfig",
        *,
        like: str | None = None,
        before: str | None = None,
        after: str | None = None,
        shared: bool = False,
    ) -> None:
        r"""Add an entry to ``gateway.nodes``, at the end or beside the node whose id `before` or `after` names.

        With `like`, the text of the node of that id is copied, comments and all. If `node` is a mapping, only its keys are changed in the
        copy; if it is an object, all of it holds.

        >>> document = TopologyDocument.parse("gateway:\n  nodes:\n  - id: a\n    port: 1  # fixed\n")
        >>> document.add_node({"id": "b"}, like="a")
        >>> print(document.text, end="")
        gateway:
          nodes:
          - id: a
            port: 1  # fixed
          - id: b
            port: 1  # fixed
        """
        value = plain_value(node)
        if not is_mapping(value) or (
            attrs.has(type(node)) and not isinstance(node, GatewayNodeConfig)
        ):
            raise refused("wrong-type", "expected a node: a mapping or a GatewayNodeConfig")
        if before is not None and after is not None:
            raise refused("invalid-argument", "a node stands before one or after one, not both")

        def plan(editor: Editor) -> None:
            refuse_taken(editor, value.get("id"))
            beside = before if after is None else after
            at = None if beside is None else self._node(editor, beside).number + (after is not None)
            editor.insert(
                NODES,
                at,
                value if like is None else self._copy(self._node(editor, like), node, value),
            )

        self._edit(shared, plan)

    def _copy(self, source: Step, node: object, value: Mapping[str, Any]) -> Copy:
        if isinstance(node, GatewayNodeConfig):
            return object_like(
                self._text.root, source, self.config.gateway.nodes[source.number], node
            )
        return mapping_like(self._text.root, source, value)

    def _node(self, editor: Editor, node_id: str) -> Step:
        refuse_unless("the id of a node", node_id, str)
        path = (*NODES, node_id)
        step, rest = next(iter(editor.walk(path)))
        if step is None or rest:
            raise editor.missing(step, rest)
        return step

    def remove_node(self, node_id: str, *, shared: bool = False) -> None:
        """Remove the entry of ``gateway.nodes`` with that id, comments and all."""
        self._edit(shared, lambda editor: editor.remove(self._node(editor, node_id).path))

    def apply(self, config: TopologyConfig, *, shared: bool = False) -> None:  # noqa: ARG002  (a topology says what holds everywhere)
        """Make the smallest set of edits after which `.config` is equal to `config`; an equal one changes nothing.

        Nodes are matched by id, so that a change, an insertion, a removal and a move are told apart. Derived values and defaults are not
        written, and what is written stays written. `shared` makes no difference: a topology says what is to hold in every place, and where
        some of those that share a block are to differ, they get values of their own.
        """
        refuse_unless("a TopologyConfig", config, TopologyConfig)
        with self._lock:
            self._refuse_together()
            before = self.config
            if before != config:
                editor = self._editor(shared=True)
                apply_to(editor, before, config)
                self._accept(self._text.proved(editor.plan, lambda root: _says(root, config)))

    @contextmanager
    def batch(self) -> Generator[None]:
        """Make the edits of a ``with`` block at once: many edits cost one parse, and succeed or are refused as one.

        Each is planned on the text as it was before the block; edits that need each other's results belong into blocks of their own.

        >>> document = TopologyDocument.parse("gateway: {nodes: [{id: a, port: 1}]}")
        >>> with document.batch():
        ...     for number in range(2, 5):
        ...         document.add_node({"id": f"a{number}"}, like="a")
        >>> document.get("gateway.nodes[*].id")
        ['a', 'a2', 'a3', 'a4']
        """
        with self._lock:
            self._refuse_together()
            self._together, self._is_broken = self._editor(), False
            try:
                yield
                if self._is_broken:
                    raise refused(
                        "invalid-argument", "one of the edits that belong together was refused"
                    )
                self._accept(self._text.proved(self._together.plan))
            finally:
                self._together = None

    def _refuse_together(self) -> None:
        if self._together is not None:
            raise refused(
                "invalid-argument",
                "this is not possible while edits are made together",
                hint="do it behind the with block",
            )

    # the one way by which the text changes

    def _editor(self, *, shared: bool = False) -> Editor:
        return Editor(self._text.root, shared=shared)

    def _edit(self, shared: bool, plan_with: Callable[[Editor], None]) -> None:
        with self._lock:
            editor = self._together or self._editor()
            editor.shared = shared
            try:
                plan_with(editor)
            except TopologyError:
                self._is_broken = True
                raise
            if editor is not self._together:
                self._accept(self._text.proved(editor.plan))

    def _accept(self, text: Text) -> None:
        if text is not self._text:
            self._text = text
            self._config = None

    # saving

    def save(
        self, path: "str | Path | None" = None, *, check: bool = True, overwrite: bool = False
    ) -> None:
        """Write the text to the file that was opened, or to another one.

        It must be valid, or `TopologyError` is raised with the whole report; `check=False` is for templates. The file is replaced as a
        whole: a reader sees the old text or the new one. A file that somebody else has changed since raises `TopologyChangedError`. Another
        file must not exist, unless `overwrite` says that it may. `OSError` is raised as the system raises it; then nothing has changed.
        """
        try:
            target = self._target if path is None else Path(os.path.realpath(path))
        except (TypeError, ValueError):
            raise refused("invalid-argument", "expected the path of a file") from None
        with self._lock:
            self._refuse_together()
            self._save(target, check=check, overwrite=overwrite)

    def _save(self, target: Path | None, *, check: bool, overwrite: bool) -> None:
        if target is None:
            raise refused(
                "invalid-argument",
                "this text was not read from a file",
                hint="say where to save it",
            )
        if check:
            self.config  # noqa: B018  (raises the report)
        data = self._text.raw.encode("utf-8")
        own = target == self._target
        if own and data == self._data:
            return
        replace(target, data, expected=self._data if own else None, new=not own and not overwrite)
        if own or self._target is None:
            self._path, self._target, self._data = self._path or target, target, data


def _says(root: Entry | None, config: TopologyConfig) -> bool:
    """Whether a tree is that of a topology equal to `config`."""
    try:
        return structure(plain(root), TopologyConfig) == config
    except NotStructuredError:
        return False
