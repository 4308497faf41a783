"""A new gateway node to a plan: as it is given, or as a copy of another, comments and all."""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple, cast

import attrs

from polar_config._editing.editor import Editor
from polar_config._editing.plan import Copy
from polar_config._editing.walk import Step
from polar_config._plain import is_mapping
from polar_config._yaml.tree import ListEntry, MappingEntry
from polar_config.document._apply import node_changes
from polar_config.document._values import plain_value
from polar_config.errors import refused
from polar_config.errors._words import KeyPath, inline
from polar_config.schema import GatewayNodeConfig

NODES: Final[KeyPath] = ("gateway", "nodes")


class NewNode(NamedTuple):
    """A node as it is asked for."""

    value: Mapping[str, object]
    """What it is to hold as plain data, or what is to differ in a copy."""
    like: str | None = None
    before: str | None = None
    after: str | None = None

    @classmethod
    def of(
        cls, node: object, *, like: str | None, before: str | None, after: str | None
    ) -> "NewNode":
        """The node that the arguments of `TopologyDocument.add_node` ask for."""
        value = plain_value(node)
        is_node = isinstance(node, GatewayNodeConfig) or not attrs.has(type(node))
        if not is_node or not is_mapping(value):
            raise refused("wrong-type", "expected a node: a mapping or a GatewayNodeConfig")
        if before is not None and after is not None:
            raise refused("invalid-argument", "expected one of before and after, not both")
        return cls(value, like, before, after)

    def plan(self, editor: Editor) -> None:
        """Plan the node, or its copy with only the keys of `value` changed."""
        self._refuse_taken_id(editor)
        if self.like is None:
            self._insert(editor, self.value)
            return
        source = _find_node(editor, self.like)
        if not isinstance(self.value.get("id"), str):
            raise refused("missing-key", "the copy needs an id of its own", ("id",))
        copying = _copying(editor, source)
        for key, item in self.value.items():
            copying.set((*source.path, key), item)
        editor.touches_shared = editor.touches_shared or copying.reads_shared
        self._insert_copy(editor, source, copying)

    def plan_whole(
        self, editor: Editor, fleet: Sequence[GatewayNodeConfig], node: GatewayNodeConfig
    ) -> None:
        """Plan a copy of one of the `fleet` that is equal to `node`."""
        self._refuse_taken_id(editor)
        source = _find_node(editor, self.like)
        copying = _copying(editor, source)
        node_changes(copying, source, fleet[source.number], node)
        self._insert_copy(editor, source, copying)

    def _insert_copy(self, editor: Editor, source: Step, copying: Editor) -> None:
        entries = cast("ListEntry", source.holder.container)  # which has it by its id
        self._insert(editor, Copy(entries, source.number, copying.plan))

    def _insert(self, editor: Editor, value: object) -> None:
        at = None
        if self.before is not None:
            at = _find_node(editor, self.before).number
        elif self.after is not None:
            at = _find_node(editor, self.after).number + 1
        editor.insert(NODES, at, value)

    def _refuse_taken_id(self, editor: Editor) -> None:
        new_id = self.value.get("id")
        if not isinstance(new_id, str):
            return
        step, rest = next(iter(editor.walk(NODES)))
        entries = step.container if step is not None and not rest else None
        if isinstance(entries, ListEntry) and editor.has_id(entries, new_id.strip()):
            raise refused("duplicate-id", f"duplicate node id {inline(new_id)}", NODES)


def node_path(node_id: object) -> KeyPath:
    """The key path of the node with an id."""
    if not isinstance(node_id, str):
        raise refused("invalid-argument", "expected the id of a node as a string")
    return (*NODES, node_id)


def _find_node(editor: Editor, node_id: str | None) -> Step:
    """The step to the node with an id; raises `TopologyError` if there is none."""
    step, rest = next(iter(editor.walk(node_path(node_id))))
    if step is None or rest:
        raise editor.missing(step, rest)
    return step


def _copying(editor: Editor, source: Step) -> Editor:
    if not isinstance(source.value, MappingEntry):
        raise refused("shared", "this node is an alias and has no text to copy", source.path)
    return Editor(editor.index, shared=True, copying=True)
