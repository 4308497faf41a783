"""A topology file as a text that is edited in place: only what an edit is about changes, verified
or refused.

The text is the document. An edit becomes a plan, the plan becomes splices; the new text is parsed
again, and its tree must be the old one with that edit and nothing else.
"""

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from threading import RLock
from typing import Any, Self

from polar_config._editing.batch import Batch
from polar_config._editing.editor import Editor
from polar_config._editing.paths import Path as KeyPathLike
from polar_config._editing.paths import parts
from polar_config._editing.pending import Edit
from polar_config._editing.text import Text
from polar_config._reading.load import decoded, read
from polar_config.document._apply import apply_to
from polar_config.document._file import DocumentFile
from polar_config.document._nodes import NewNode, node_path
from polar_config.document._session import Session
from polar_config.document._state import REQUIRED, Position, State, says
from polar_config.document._values import plain_value, read_text, refuse_unless
from polar_config.errors import refused
from polar_config.errors._problem import Problem
from polar_config.errors._words import inline
from polar_config.schema import GatewayNodeConfig
from polar_config.topology import TopologyConfig

__all__ = ["Position", "TopologyDocument"]


class TopologyDocument:
    r"""The text of a topology file, edited in place.

    It needs well-formed YAML and may be invalid as a topology, so that it can be fixed. Each edit
    succeeds, or raises `TopologyError` and leaves the text alone. Key paths are strings
    (``gateway.nodes[gpu-1].port``; ``[0]`` for an index, ``[*]`` for every item) or tuples of keys
    and indexes. `shared=True` allows a change inside a mapping that others share by an anchor, and
    changes it for all of them.

    Edits of several threads are made one after the other; what a thread reads meanwhile is a state
    that existed.

    >>> text = "gateway:\n  nodes:\n    - id: gpu-1  # rack A\n      port: 8100\n"
    >>> document = TopologyDocument.parse(text)
    >>> document.set("gateway.nodes[gpu-1].port", 8200)
    >>> print(document, end="")
    gateway:
      nodes:
        - id: gpu-1  # rack A
          port: 8200
    """

    def __init__(self, text: Text, path: Path | None = None, data: bytes | None = None) -> None:
        self._opened = text
        self._state = State(text)  # the only thing that edits change, and they swap it at once
        self._file = DocumentFile(path, data)
        self._lock = RLock()
        self._session: Session | None = None

    @classmethod
    def open(cls, path: "str | Path" = "topology.yaml") -> Self:
        """Read a regular file of at most 16 MiB in UTF-8; raises `TopologyError`, or `OSError` as
        the system raises it.
        """
        name, target = str(path), Path(path)
        data = read(target, name)
        return cls(Text.parsed(decoded(data, name), name), target, data)

    @classmethod
    def parse(cls, text: str | bytes, name: str = "<string>") -> Self:
        """Take a text, or the bytes of a file; `name` is used for the file in errors. Raises
        `TopologyError` if it is not YAML.
        """
        refuse_unless("a name as a string", name, str)
        whole = decoded(text, name) if isinstance(text, bytes) else text
        refuse_unless("a document as a string or bytes", whole, str)
        return cls(Text.parsed(whole, name))

    # reading

    def _current(self) -> State:
        """The state to read: inside of a batch, for the thread that makes it, with its edits so
        far.
        """
        session = self._session
        if session is not None and session.is_mine():
            return session.state()
        return self._state

    @property
    def text(self) -> str:
        """The text as it is now."""
        return self._current().text.raw

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {inline(self._opened.name)}>"

    @property
    def config(self) -> TopologyConfig:
        """The topology of the text as it is now; raises `TopologyError` with the whole report if it
        is not valid.
        """
        return self._current().config(self._file.path)

    def get(self, path: KeyPathLike, default: Any = REQUIRED) -> Any:
        """The explicit value there as plain data, aliases and merges followed; for ``[*]`` a list
        of all.

        Without `default`, a path that leads nowhere raises `TopologyError`, which names the nearest
        existing one. For effective values, defaults included, there is
        ``document.config.get(path)``.

        >>> TopologyDocument.parse("rollout: {port: 9000}").get("rollout.port")
        9000
        """
        return self._current().get(parts(path), default)

    def position(self, path: KeyPathLike) -> Position:
        r"""Line and column of the explicit value, or of the mapping in which its default applies.

        >>> TopologyDocument.parse("rollout:\n  port: 9000\n").position("rollout.port")
        Position(line=2, column=9)
        """
        return self._current().position(parts(path))

    def diff(self, *, secrets: bool = False) -> str:
        """What has changed since the text was opened, as a unified diff; empty if nothing has.

        Credentials in URLs and values of an ``env`` are masked, unless `secrets` says that they are
        to be shown (for ``patch``).
        """
        return self._current().diff(self._opened, secrets=secrets)

    def advice(self) -> tuple[Problem, ...]:
        r"""Warnings about what is valid and probably not meant, with their lines; raises
        `TopologyError` if the text is not valid.

        >>> text = "gateway:\n  nodes:\n    - {id: a}\n    - {id: A, port: 1}\n"
        >>> document = TopologyDocument.parse(text)
        >>> [(each.code, each.line) for each in document.advice()]
        [('look-alike-id', 4)]
        """
        return self._current().advice(self._file.path)

    def render(self, variables: Mapping[str, str]) -> Self:
        r"""A new document in which ``${NAME}`` and ``${NAME:-default}`` are filled in all scalar
        values; ``$${`` becomes ``${``.

        A value is put in as the content of its scalar, in quotes where it needs them, so that none
        can change the structure. Without quotes around the placeholder it becomes a number where
        the key takes one, and a string where it takes that. Everything else stays byte for byte.
        Raises `TopologyError` with every name that has no value. The new document has no file: pass
        a path to `save`.

        >>> template = TopologyDocument.parse("rollout: {port: 1, save_dir: '${DIR}/x'} # ${DIR}\n")
        >>> template.render({"DIR": "a: b"}).text
        "rollout: {port: 1, save_dir: 'a: b/x'} # ${DIR}\n"
        """
        return type(self)(self._current().rendered(variables))

    # editing

    def set(self, path: KeyPathLike, value: Any, *, shared: bool = False) -> None:
        """Replace the value, or add the key with the mappings that are missing on the way.

        `value` is plain data or an object of the schema, of which only explicit values are taken.
        What stays the same within a mapping keeps its place and its comments.
        """
        with self._editing() as batch:
            batch.set(parts(path), plain_value(value), shared=shared)

    def set_from_string(self, path: KeyPathLike, text: str, *, shared: bool = False) -> None:
        """Set a value that is given as a string, as on a command line: parsed according to the type
        of the key.

        Where the key takes a string, it is that string; where it may be null, ``null`` is null;
        everything else is read as YAML.

        >>> document = TopologyDocument.parse("gateway: {nodes: [{id: a}]}")
        >>> document.set_from_string("gateway.nodes[0].id", "0005")
        >>> document.set_from_string("gateway.nodes[0].port", "8100")
        >>> document.text
        'gateway: {nodes: [{id: "0005", port: 8100}]}'
        """
        with self._editing() as batch:
            wanted = parts(path)
            batch.set(wanted, plain_value(read_text(wanted, text)), shared=shared)

    def remove(self, path: KeyPathLike, *, shared: bool = False) -> None:
        """Remove the key or item with its own comments; the last of a mapping leaves ``{}``, the
        last of a list ``[]``.
        """
        with self._editing() as batch:
            wanted = parts(path)
            batch.edit(Edit(partial(Editor.remove, path=wanted), shared))

    def append(self, path: KeyPathLike, value: Any, *, shared: bool = False) -> None:
        """Add an item at the end of a list."""
        with self._editing() as batch:
            wanted, new = parts(path), plain_value(value)
            batch.edit(Edit(partial(Editor.insert, path=wanted, index=None, value=new), shared))

    def insert(self, path: KeyPathLike, index: int, value: Any, *, shared: bool = False) -> None:
        """Add an item to a list, before the one that is at `index` now."""
        with self._editing() as batch:
            if type(index) is not int:
                raise refused("invalid-argument", "expected an index: an integer >= 0")
            wanted, new = parts(path), plain_value(value)
            batch.edit(Edit(partial(Editor.insert, path=wanted, index=index, value=new), shared))

    def rename(self, path: KeyPathLike, new_key: str, *, shared: bool = False) -> None:
        """Give a key another name; its value, its place and its comments stay."""
        with self._editing() as batch:
            wanted, name = parts(path), plain_value(new_key)
            if not isinstance(name, str):
                raise refused("wrong-type", "expected a string as the new key")
            batch.edit(Edit(partial(Editor.rename, path=wanted, new_key=name), shared))

    def add_node(
        self,
        node: "Mapping[str, Any] | GatewayNodeConfig",
        *,
        like: str | None = None,
        before: str | None = None,
        after: str | None = None,
        shared: bool = False,
    ) -> None:
        r"""Add a node to ``gateway.nodes``, at the end or beside the node whose id `before` or
        `after` names.

        With `like`, the text of the node of that id is copied, comments and all. If `node` is a
        mapping, only its keys are changed in the copy, nested mappings as a whole; if it is an
        object, the copy is equal to it.

        >>> text = "gateway:\n  nodes:\n  - id: a\n    port: 1  # fixed\n"
        >>> document = TopologyDocument.parse(text)
        >>> document.add_node({"id": "b"}, like="a")
        >>> print(document.text, end="")
        gateway:
          nodes:
          - id: a
            port: 1  # fixed
          - id: b
            port: 1  # fixed
        """
        with self._editing() as batch:
            new = NewNode.of(node, like=like, before=before, after=after)
            if like is None or not isinstance(node, GatewayNodeConfig):
                batch.edit(Edit(new.plan, shared))
                return
            # an equal copy needs to know what its source says, effective values included
            fleet = State(batch.text).config(self._file.path).gateway.nodes
            batch.edit(Edit(partial(new.plan_whole, fleet=fleet, node=node), shared))

    def remove_node(self, node_id: str, *, shared: bool = False) -> None:
        """Remove the node with that id from ``gateway.nodes``, comments and all."""
        with self._editing() as batch:
            path = node_path(node_id)
            batch.edit(Edit(partial(Editor.remove, path=path), shared))

    def apply(self, config: TopologyConfig, *, shared: bool = False) -> None:
        """Make the smallest set of edits after which `.config` is equal to `config`; an equal one
        changes nothing.

        Nodes are matched by id, so that a change, an insertion, a removal and a move are
        distinguished. Derived values and defaults are not written, and what is explicit stays so.
        `shared` makes no difference: a topology says what every place is to hold, and where some of
        those that share a mapping are to differ, they get values of their own.
        """
        refuse_unless("a TopologyConfig", config, TopologyConfig)
        with self._editing() as batch:
            state = State(batch.text)
            before = state.config(self._file.path)
            if before != config:
                editor = state.editor(shared=True)
                apply_to(editor, before, config)
                text = state.text.verified(editor.plan, lambda root: says(root, config))
                batch.replace_text(text)

    @contextmanager
    def batch(self) -> Generator[None]:
        """Make the edits of a ``with`` statement as one: they are verified together, and all of
        them succeed or none.

        They give exactly what they give one after the other, and are refused as they are one after
        the other. Edits that leave each other alone cost one parse together. Inside, the document
        reads as the edits so far leave it; for other threads it changes at the end.

        >>> document = TopologyDocument.parse("gateway: {nodes: [{id: a, port: 1}]}")
        >>> with document.batch():
        ...     for number in range(2, 5):
        ...         document.add_node({"id": f"a{number}"}, like="a")
        >>> document.get("gateway.nodes[*].id")
        ['a', 'a2', 'a3', 'a4']
        """
        with self._lock:
            self._refuse_in_batch()
            session = self._session = Session(self._state)
            try:
                yield
                if session.is_broken:
                    raise refused(
                        "invalid-argument",
                        "an edit of this batch was refused: nothing has changed",
                        hint="let its error leave the with statement",
                    )
                self._accept(session.state())
            finally:
                self._session = None

    def _refuse_in_batch(self) -> None:
        if self._session is not None:
            message = "this is not possible inside of a batch"
            raise refused("invalid-argument", message, hint="do it after the with statement")

    # the one way by which the text changes

    @contextmanager
    def _editing(self) -> Generator[Batch]:
        """The batch that an edit joins: the open one, or one of its own."""
        with self._lock:
            if self._session is None:
                batch = Batch(self._state.text)
                yield batch
                self._accept(State(batch.text))
                return
            try:
                yield self._session.batch
            except BaseException:
                self._session.is_broken = True
                raise

    def _accept(self, state: State) -> None:
        if state.text is not self._state.text:
            self._state = state

    # saving

    def save(
        self, path: "str | Path | None" = None, *, check: bool = True, overwrite: bool = False
    ) -> None:
        """Write the text to the file that was opened, or to another one.

        It must be valid, or `TopologyError` is raised with the whole report; `check=False` is for
        templates. The file is replaced atomically: a reader sees the old text or the new one. If
        the file was modified since it was opened, `TopologyChangedError` is raised. Another file
        must not exist, unless `overwrite` says that it may. `OSError` is raised as the system
        raises it; then nothing has changed.
        """
        with self._lock:
            self._refuse_in_batch()
            self._file.save(self._state, path, check=check, overwrite=overwrite)
