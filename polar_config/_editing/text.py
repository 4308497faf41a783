"""A text with its tree: the bytes of a file as characters, and the same with plain line ends, in which places are counted."""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence

from polar_config._editing.plan import Plan
from polar_config._editing.proof import is_intended
from polar_config._editing.rewrite import splices
from polar_config._editing.splice import merged
from polar_config._yaml.events import checked
from polar_config._yaml.layout import Layout
from polar_config._yaml.secrets import SafeLines
from polar_config._yaml.tree import Entry, tree
from polar_config._yaml.unreadable import Spot, UnreadableError, normal, spot, unreadable_error
from polar_config.errors import TopologyError, refused


class Text:
    """One state of a document; never changes."""

    def __init__(
        self, raw: str, name: str, root: Entry | None, refusal: TopologyError | None
    ) -> None:
        self.raw = raw
        """The characters of the file, byte order mark, line ends and all."""
        self.name = name
        self.root = root
        self.layout = Layout(normal(raw), root)
        self._refusal = refusal

    @classmethod
    def parsed(cls, raw: str, name: str) -> "Text":
        """`raw` with its tree; raises `TopologyError` if it is no YAML. One with several documents has no tree and cannot be edited."""
        text = normal(raw)
        try:
            return cls(raw, name, tree(checked(text)), None)
        except UnreadableError as error:
            refusal = unreadable_error(error, text, name)
        if refusal.problems[0].code != "multiple-documents":
            raise refusal
        return cls(raw, name, None, refusal)

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

    def proved(
        self, plan: Plan, holds: "Callable[[Entry | None], bool]" = lambda _: True
    ) -> "Text":
        """The text with `plan` made true and nothing else changed in it; its tree must be one for which `holds` is true."""
        self.refuse_several()
        if not plan:
            return self
        try:
            changed = self.edited(plan)
            if is_intended(self.root, changed.root, plan) and holds(changed.root):
                return changed
        except TopologyError:
            pass
        raise refused(
            "unverified-edit",
            "this edit would change more than it is about",
            hint="make it by hand",
        )

    def edited(self, plan: Plan) -> "Text":
        """The text with `plan` made true; raises `TopologyError` if that is no YAML."""
        made = merged(splices(self.layout, self.root, plan))
        newline = "\r\n" if self.raw.count("\r\n") * 2 > self.raw.count("\n") else "\n"
        pieces: list[str] = []
        done = 0
        for (start, end), each in zip(
            self._raw_places([(each.start, each.end) for each in made]), made, strict=True
        ):
            pieces += [self.raw[done:start], each.text.replace("\n", newline)]
            done = end
        return Text.parsed("".join([*pieces, self.raw[done:]]), self.name)

    def _raw_places(self, spans: Sequence[tuple[int, int]]) -> Sequence[tuple[int, int]]:
        """The same places in the raw text, which may have a byte order mark and lines that end with CR LF."""
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
