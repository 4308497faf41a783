"""One state of a document, and everything that is read from it."""

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, NamedTuple

import attrs

from polar_config._editing.editor import Editor
from polar_config._editing.paths import EVERY, parts
from polar_config._editing.template import rendered
from polar_config._editing.text import Text
from polar_config._editing.walk import Step
from polar_config._reading.load import from_tree
from polar_config._reading.structure import NotStructuredError, structure
from polar_config._yaml.data import plain
from polar_config._yaml.tree import Entry, ListEntry, ScalarEntry, real
from polar_config.document._diff import unified
from polar_config.document._values import has_default
from polar_config.errors._problem import Problem
from polar_config.errors._words import KeyPath
from polar_config.topology import TopologyConfig

REQUIRED: Final = object()


class Position(NamedTuple):
    """A position in a text; both count from 1, columns in characters."""

    line: int
    column: int


class State:
    """One text of a document and, once it is asked for, its topology; never changes."""

    def __init__(self, text: Text) -> None:
        self.text = text
        self._config: TopologyConfig | None = None

    def config(self, path: Path | None) -> TopologyConfig:
        """The topology, of the file at `path`; raises `TopologyError` if it is not valid."""
        config, text = self._config, self.text
        if config is None:
            text.refuse_several()
            config = from_tree(text.layout.text, text.root, TopologyConfig, text.name)
        if config.path != path:
            config = attrs.evolve(config, path=path)
        self._config = config
        return config

    def editor(self, *, shared: bool = False) -> Editor:
        """What finds key paths in the text, and plans edits of it."""
        return Editor(self.text.index, shared=shared)

    def get(self, wanted: KeyPath, default: object) -> Any:
        """The explicit value at a key path; for ``[*]`` a list of all."""
        found: list[object] = []
        editor = self.editor()
        for step, rest in editor.walk(wanted):
            if step is not None and not rest:
                found.append(plain(step.value))
            elif not wanted:
                found.append(None)
            elif default is REQUIRED:
                raise editor.missing(step, rest)
            else:
                found.append(default)
        return found if any(part is EVERY for part in wanted) else found[0]

    def position(self, wanted: KeyPath) -> Position:
        """Where the value at a key path is, or the mapping in which its default applies."""
        editor = self.editor()
        step, rest = next(editor.walk(wanted), (None, wanted))
        is_item = step is not None and isinstance(real(step.value), ListEntry)
        if rest and (is_item or not has_default(step.path if step else (), rest)):
            raise editor.missing(step, rest)
        return Position(1, 1) if step is None else self._position_of(step)

    def _position_of(self, step: Step) -> Position:
        """Where an entry is; an empty one is where its key or its dash is."""
        value = step.value
        line, column = value.line, value.column
        if isinstance(value, ScalarEntry) and value.empty and step.slot is not None:
            container, number = step.slot
            place = self.text.place(self.text.layout.children(container)[number].start)
            line, column = place.line, place.column
        return Position(line + 1, column + 1)

    def diff(self, opened: Text, *, secrets: bool) -> str:
        """What has changed since another text."""
        if secrets:
            return unified(opened.raw, self.text.raw, opened.name)
        texts = {each.raw: each for each in (opened, self.text)}
        return unified(
            opened.raw, self.text.raw, opened.name, lambda raw, lines: texts[raw].safe_lines(lines)
        )

    def advice(self, path: Path | None) -> tuple[Problem, ...]:
        """The warnings about the topology, with their positions and in their order."""
        found: list[Problem] = []
        for each in self.config(path).advice():
            line, column = self.position(parts(each.key_path))
            found.append(attrs.evolve(each, line=line, column=column))
        return tuple(sorted(found, key=lambda each: (each.line or 0, each.column or 0)))

    def rendered(self, variables: Mapping[str, str]) -> Text:
        """The text with its placeholders filled."""
        return rendered(self.text, variables, TopologyConfig)


def says(root: Entry | None, config: TopologyConfig) -> bool:
    """Whether a tree is that of a topology equal to `config`."""
    found = None
    with suppress(NotStructuredError):
        found = structure(plain(root), TopologyConfig)
    return found == config
