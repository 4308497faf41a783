"""A text with its tree: the characters of a file, and the same with plain line endings, in which
positions are counted.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence

from polar_config._editing.plan import Plan
from polar_config._editing.rewrite import splices
from polar_config._editing.splice import merged
from polar_config._editing.verify import is_intended
from polar_config._editing.walk import Index
from polar_config._yaml.events import checked
from polar_config._yaml.layout import Layout
from polar_config._yaml.secrets import SafeLines
from polar_config._yaml.tree import Entry, tree
from polar_config._yaml.unreadable import Spot, UnreadableError, normal, spot, unreadable_error
from polar_config.errors import TopologyError, refused


class Text:
    """One state of a document; never changes."""

    def __init__(
        self,
        raw: str,
        name: str,
        root: Entry | None,
        *,
        refusal: TopologyError | None = None,
        like: "Text | None" = None,
    ) -> None:
        self.raw = raw
        """The characters of the file, byte order mark, line endings and all."""
        self.name = name
        self.root = root
        style = None if like is None else like.layout.style()
        self.layout: Layout = Layout(normal(raw), root, style)
        self.index = Index(root)
        self.newline: str = _newline(raw) if like is None else like.newline
        """How the lines of new text end."""
        self._refusal = refusal

    @classmethod
    def parsed(cls, raw: str, name: str, like: "Text | None" = None) -> "Text":
        """`raw` with its tree; raises `TopologyError` if it is not YAML.

        One with several documents has no tree and cannot be edited. New text will be written as
        in `like`, else as in `raw`.
        """
        text = normal(raw)
        try:
            return cls(raw, name, tree(checked(text)), like=like)
        except UnreadableError as error:
            refusal = unreadable_error(error, text, name)
        if refusal.problems[0].code != "multiple-documents":
            raise refusal
        return cls(raw, name, None, refusal=refusal)

    def refuse_several(self) -> None:
        """Raise if the text holds several documents."""
        if self._refusal is not None:
            raise self._refusal

    def place(self, index: int) -> Spot:
        """The line and column of a character."""
        return spot(self.layout.text, index)

    def safe_lines(self, numbers: Iterable[int]) -> dict[int, str]:
        """Some lines, counted from 0, as they may be shown."""
        wanted = sorted(set(numbers))
        lines = SafeLines(self.layout.text, self.root, wanted)
        return {number: lines.line(number) for number in wanted}

    def verified(
        self, plan: Plan, is_right: Callable[[Entry | None], bool] = lambda _: True
    ) -> "Text":
        """The text with `plan` put in and nothing else changed; its tree must be right as well."""
        self.refuse_several()
        if not plan:
            return self
        try:
            changed = self._edited(plan)
            if is_intended(self.root, changed.root, plan) and is_right(changed.root):
                return changed
        except TopologyError:
            pass
        message = "this edit cannot be verified: other parts of the file would change"
        raise refused("unverified-edit", message, hint="edit the file manually")

    def _edited(self, plan: Plan) -> "Text":
        """The text with `plan` put in; raises `TopologyError` if that is not YAML."""
        made = merged(splices(self.layout, plan))
        pieces: list[str] = []
        done = 0
        places = self._raw_places([(each.start, each.end) for each in made])
        for (start, end), each in zip(places, made, strict=True):
            pieces += [self.raw[done:start], each.text.replace("\n", self.newline)]
            done = end
        # new text is written as in the file that was opened, however many edits are made
        return Text.parsed("".join([*pieces, self.raw[done:]]), self.name, like=self)

    def _raw_places(self, spans: Sequence[tuple[int, int]]) -> Sequence[tuple[int, int]]:
        """The same places in the raw text, with its byte order mark and its CR LF line endings."""
        mark = len(self.raw) - len(self.raw.removeprefix("\ufeff"))
        if "\r\n" not in self.raw:
            return [(start + mark, end + mark) for start, end in spans]
        pairs: list[int] = []
        index = self.raw.find("\r\n", mark)
        while index >= 0:
            pairs.append(index - mark - len(pairs))
            index = self.raw.find("\r\n", index + 2)

        def raw(index: int) -> int:
            return index + mark + bisect_left(pairs, index)

        return [(raw(start), raw(end)) for start, end in spans]


def _newline(raw: str) -> str:
    """The line ending of most lines."""
    return "\r\n" if raw.count("\r\n") * 2 > raw.count("\n") else "\n"
