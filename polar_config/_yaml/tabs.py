"""Tabs: fine where they only separate, refused where they indent.

The Python parser refuses both. It is given a copy with blanks for the harmless ones, which its own events on a copy without any
tab tell apart: what lies in a scalar keeps its tabs, and what begins behind one is indented by it.
"""

import re
from collections.abc import Callable, Iterator
from typing import Any

from polar_config._yaml.unreadable import tab_error

_INDICATORS = r"[-?: \t]*"


def blanked(text: str, parse: Callable[[str], Iterator[Any]]) -> str:
    """`text` with a blank in the place of each tab that only separates; raises `UnreadableError` for one that indents.

    What `parse` raises on a text without tabs is passed on: it has nothing to do with tabs.
    """
    if "\t" not in text:
        return text
    copy = text.replace("\t", " ")
    pieces: list[str] = []
    done = 0
    flows: list[bool] = []
    for event in parse(copy):
        name = type(event).__name__
        start, end = event.start_mark.index, event.end_mark.index
        if name.endswith("StartEvent") and hasattr(event, "flow_style"):
            _refuse_indenting(text, start, block=not event.flow_style, flow=bool(flows and flows[-1]))
            flows.append(bool(event.flow_style))
        elif name in {"MappingEndEvent", "SequenceEndEvent"}:
            flows.pop()
        elif name in {"ScalarEvent", "AliasEvent"}:
            _refuse_indenting(text, start, block=False, flow=bool(flows and flows[-1]))
            pieces += [copy[done:start], text[start:end]]
            done = max(done, end)
    return "".join([*pieces, copy[done:]])


def _refuse_indenting(text: str, start: int, *, block: bool, flow: bool) -> None:
    line = text.rfind("\n", 0, start) + 1
    before = text[line:start]
    if flow or "\t" not in before:
        return
    tab = before.index("\t")
    if before[:tab].strip(" ") == "" or (block and re.fullmatch(_INDICATORS, before)):
        raise tab_error(text, line + tab)
