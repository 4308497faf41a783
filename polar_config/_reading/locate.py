"""A key path to the stretch of text that a problem with it points at."""

import re
from bisect import bisect_right
from typing import NamedTuple

from polar_config._yaml.layout import Layout
from polar_config._yaml.lookup import Lookup
from polar_config._yaml.tree import AliasEntry, Entry, ListEntry, MappingEntry, ScalarEntry, real
from polar_config._yaml.unreadable import Place, Spot
from polar_config.errors._problem import At
from polar_config.errors._words import KeyPath

_PROPERTIES = r"(?:[&!][^\s]*[ \t]+)+"  # the anchor and the tag before a value
_TAG = r"(?:&\S*\s+)?(!\S*)"


class Span(NamedTuple):
    """A stretch of text; `end` is behind its last character."""

    start: Place
    end: Place


class Step(NamedTuple):
    """What a key path leads to, or as far along it as there is something."""

    value: Entry | None  # None if the document is empty
    key: Entry | None = None  # None for an item of a list and for the whole document
    items: ListEntry | None = None  # the list of an item
    number: int = 0
    through: Entry | None = None  # the first alias on the way


class Locator:
    """The positions in one text."""

    def __init__(self, text: str, root: Entry | None) -> None:
        self._text = text
        self._root = root
        self._lookup = Lookup()
        self._layout = Layout(text, root)
        self._starts = [0, *(match.end() for match in re.finditer("\n", text))]

    # where a key path leads

    def step(self, path: KeyPath) -> Step:
        """What is at `path`."""
        step = Step(self._root)
        for part in path:
            further = self._further(step, part)
            if further is None:
                break
            step = further
        return step

    def _further(self, step: Step, part: str | int) -> Step | None:
        value = step.value and real(step.value)
        through = step.through
        if through is None and isinstance(step.value, AliasEntry):
            through = step.value
        if isinstance(value, MappingEntry) and isinstance(part, str):
            found = self._lookup.keys(value).get(part)
            if found is not None:
                return Step(found.value, key=found.key, through=through or found.merge)
        if isinstance(value, ListEntry) and isinstance(part, int):
            return Step(value.items[part], items=value, number=part, through=through)
        return None

    # what to point at

    def span(self, step: Step, at: At) -> Span:
        """What to point at for a problem with the value or the key of a step."""
        value = step.value
        if step.through is not None:
            return self.entry(step.through)
        if at == "value" and value and not (isinstance(value, ScalarEntry) and value.empty):
            return self.entry(value)
        if step.key is not None:
            return self.entry(step.key)
        if step.items is not None:
            return self._dash(step.items, step.number)
        return self._stretch(0, 1)

    def entry(self, entry: Entry) -> Span:
        """What to point at for an entry: a scalar or flow value, else its first key or word."""
        if isinstance(entry, ScalarEntry):
            return self._scalar(entry)
        if isinstance(entry, MappingEntry | ListEntry):
            return self._collection(entry)
        return Span(entry.start, entry.end)

    def _scalar(self, scalar: ScalarEntry) -> Span:
        if scalar.anchor or scalar.tag:
            skipped = re.compile(_PROPERTIES).match(self._text, scalar.begin)
            if skipped and skipped.end() < scalar.stop:
                return Span(self._spot(skipped.end()), scalar.end)
        return Span(scalar.start, scalar.end)

    def _collection(self, entry: MappingEntry | ListEntry) -> Span:
        if isinstance(entry, MappingEntry) and not entry.flow and not entry.anchor:
            return Span(entry.start, entry.items[0][0].end)
        if entry.flow and not entry.anchor:
            return Span(entry.start, entry.end)
        word = re.compile(r"\S+").match(self._text, entry.begin)  # an anchor, a tag or a dash
        return self._stretch(entry.begin, len(word[0]) if word else 1)

    def tag(self, entry: Entry) -> Span:
        """The tag of an entry.

        It is behind the anchor, or before it, where the parser leaves it out of the entry.
        """
        behind = re.compile(_TAG).match(self._text, entry.begin)
        index = behind.start(1) if behind else self._text.rindex("!", 0, entry.begin)
        return self._stretch(index, len(self._text[index:].split(maxsplit=1)[0]))

    def _dash(self, items: ListEntry, number: int) -> Span:
        if items.flow:
            return self.entry(items.items[number])
        return self._stretch(self._layout.children(items)[number].start, 1)

    def _stretch(self, index: int, width: int) -> Span:
        """A stretch within one line."""
        start = self._spot(index)
        return Span(start, Spot(index + width, start.line, start.column + width))

    def _spot(self, index: int) -> Spot:
        line = bisect_right(self._starts, index) - 1
        return Spot(index, line, index - self._starts[line])
