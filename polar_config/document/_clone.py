"""A gateway node like another: its text once more, comments and all, with some keys or all that holds changed."""

from collections.abc import Mapping
from typing import Final, cast

from polar_config._editing.editor import Editor
from polar_config._editing.plan import Copy
from polar_config._editing.walk import Step
from polar_config._yaml.tree import Entry, ListEntry, MappingEntry, real
from polar_config.document._apply import node_changes
from polar_config.errors import refused
from polar_config.errors._words import KeyPath, inline
from polar_config.schema import GatewayNodeConfig

NODES: Final[KeyPath] = ("gateway", "nodes")


def refuse_taken(editor: Editor, new_id: object) -> None:
    """Refuse the id of a new node that another has."""
    step, rest = next(iter(editor.walk(NODES)))
    entries = real(step.value) if step is not None and not rest else None
    names = map(editor.id_of, entries.items) if isinstance(entries, ListEntry) else ()
    if isinstance(new_id, str):
        if new_id.strip() in {*names, *editor.new_ids}:
            raise refused("duplicate-id", f"there is a node {inline(new_id)} already", NODES)
        editor.new_ids.add(new_id.strip())


def mapping_like(root: Entry | None, source: Step, value: Mapping[str, object]) -> Copy:
    """A copy in which only the keys of `value` are changed."""
    if not isinstance(value.get("id"), str):
        raise refused("missing-key", "the copy needs an id of its own", ("id",))
    editor = _editor(root, source)
    for key, item in value.items():
        editor.set((*source.path, key), item)
    return Copy(cast("ListEntry", source.container), source.number, editor.plan)


def object_like(
    root: Entry | None, source: Step, before: GatewayNodeConfig, node: GatewayNodeConfig
) -> Copy:
    """A copy of the node `before` of which all of `node` holds."""
    editor = _editor(root, source)
    node_changes(editor, source, before, node)
    return Copy(cast("ListEntry", source.container), source.number, editor.plan)


def _editor(root: Entry | None, source: Step) -> Editor:
    if not isinstance(source.value, MappingEntry):
        raise refused("shared", "this node is an alias and has no text to copy", source.path)
    return Editor(root, shared=True, copying=True)
