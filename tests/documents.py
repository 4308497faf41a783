"""Texts to edit, drawn: the same data in block and flow style, with every kind of quote, indent, comment and line end."""

import copy
import random
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, TypeGuard, cast

import ruamel.yaml
from hypothesis import strategies as st

Path = tuple[str | int, ...]

keys = st.from_regex(r"[a-z]{1,6}(_[a-z]{1,3})?", fullmatch=True).filter(
    lambda word: word not in {"on", "off", "yes", "no", "y", "n", "null"}
)
scalars: st.SearchStrategy[Any] = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-99, 99_999),
    st.sampled_from([0.5, 1e30, -2.25]),
    st.sampled_from(
        [
            "gpu-1",
            "a b",
            "http://h:1/x",
            "a: b # c",
            "it's",
            'say "x"',
            "",
            " ",
            "NO",
            "010",
            "1e3",
            "22:22",
            "- x",
            "é図😀",
            "x\\y",
            "a\tb",
            "${A}",
        ]
    ),
    st.sampled_from(["two\nlines\n", "one\n\ntwo", "  indented\nmore", "trailing \nblank", "\n"]),
)
data = st.recursive(
    scalars,
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(keys, inner, max_size=4)),
    max_leaves=12,
)
roots = st.dictionaries(keys, data, min_size=1, max_size=5)


def is_dict(value: object) -> TypeGuard[dict[str, Any]]:
    return isinstance(value, dict)


def is_list(value: object) -> TypeGuard[list[Any]]:
    return isinstance(value, list)


class Scribe:
    """Writes data as somebody might have written it by hand; every comment is another one."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self._count = 0
        self._step = chance.choice((2, 2, 2, 4, 3))
        self._offset = chance.choice((0, 2, 2, self._step))
        self._gap = chance.choice((1, 1, 1, 3))
        self._noise = chance.choice((0.0, 0.1, 0.3))

    def text(self, value: Mapping[str, Any]) -> str:
        head = self._chance.choice(("", "", "# head\n", "# head\n\n", "---\n", "\n"))
        lines = list(self._mapping(value, 0))
        text = (
            head
            + "".join(f"{line}\n" for line in lines)
            + self._chance.choice(("", "", "# tail\n", "\n\n"))
        )
        if (
            self._chance.random() < 0.15 and "|" not in text
        ):  # the end of a text in lines is a part of it
            text = text.rstrip("\n")
        if self._chance.random() < 0.15:
            text = text.replace("\n", "\r\n")
        return ("\ufeff" if self._chance.random() < 0.1 else "") + text

    def _comment(self, before: str) -> str:
        self._count += 1
        return f"{before}# c{self._count}."

    def _around(self, column: int) -> Iterator[str]:
        if self._chance.random() < self._noise:
            yield ""
        if self._chance.random() < self._noise:
            yield self._comment(" " * column)

    def _behind(self) -> str:
        return (
            self._comment(self._chance.choice(("  ", " ", "      ", "\t")))
            if self._chance.random() < self._noise
            else ""
        )

    def _mapping(self, value: Mapping[str, Any], column: int) -> Iterator[str]:
        for key, item in value.items():
            yield from self._around(column)
            name = self._chance.choice((key, key, key, f'"{key}"', f"'{key}'"))
            yield from self._valued(f"{'':{column}}{name}:", item, column)

    def _list(self, items: list[Any], column: int) -> Iterator[str]:
        for item in items:
            yield from self._around(column)
            if (is_dict(item) or is_list(item)) and item and self._chance.random() < 0.6:
                inner = column + 1 + self._gap
                noise, self._noise = (
                    self._noise,
                    0.0,
                )  # nothing may come between a dash and what stands beside it
                lines = list(
                    self._mapping(item, inner)
                    if is_dict(item)
                    else self._list(cast("list[Any]", item), inner)
                )
                self._noise = noise
                yield f"{'':{column}}-{'':{self._gap}}{lines[0][inner:]}"
                yield from lines[1:]
            else:
                yield from self._valued(f"{'':{column}}-", item, column)

    def _valued(self, head: str, item: Any, column: int) -> Iterator[str]:
        if is_dict(item) and item and self._chance.random() < 0.8:
            yield head + self._behind()
            yield from self._mapping(item, column + self._step)
        elif is_list(item) and item and self._chance.random() < 0.8:
            yield head + self._behind()
            yield from self._list(
                item, column + (self._step if head.endswith("-") else self._offset)
            )
        elif isinstance(item, str) and self._is_literal(item) and self._chance.random() < 0.6:
            yield f"{head} |{'' if item.endswith(chr(10)) else '-'}"
            yield from (
                f"{'':{column + self._step}}{line}" if line else ""
                for line in item.removesuffix("\n").split("\n")
            )
        elif item is None and self._chance.random() < 0.5:
            yield head + self._behind()
        else:
            yield f"{head}{self._chance.choice((' ', ' ', '   '))}{self._flow(item)}{self._behind()}"

    @staticmethod
    def _is_literal(text: str) -> bool:
        return (
            "\n" in text
            and text.strip("\n ") != ""
            and text[0] not in " \n"
            and not text.endswith("\n\n")
        )

    def _flow(self, value: Any) -> str:
        blank = self._chance.choice(("", "", " "))
        if is_dict(value):
            return (
                "{"
                + blank
                + ", ".join(f"{key}: {self._flow(item)}" for key, item in value.items())
                + blank
                + "}"
            )
        if is_list(value):
            return "[" + blank + ", ".join(map(self._flow, value)) + blank + "]"
        if isinstance(value, str):
            return self._quoted(value)
        return (
            {None: "null", True: "true", False: "false"}.get(value, repr(value))
            if value is None or isinstance(value, bool)
            else number(value)
        )

    def _quoted(self, text: str) -> str:
        if (
            re.fullmatch(r"[a-z]+(-[0-9])?", text)
            and text not in {"no", "yes", "on", "off"}
            and self._chance.random() < 0.7
        ):
            return text
        if "\n" not in text and "\t" not in text and self._chance.random() < 0.5:
            return "'" + text.replace("'", "''") + "'"
        return (
            '"'
            + text.replace("\\", "\\\\")
            .replace('"', '\\"')
            .replace("\n", "\\n")
            .replace("\t", "\\t")
            + '"'
        )


def number(value: float) -> str:
    return repr(value).replace("e+", ".0e+") if "e" in repr(value) else repr(value)


@st.composite
def texts(draw: st.DrawFn) -> tuple[str, dict[str, Any]]:
    """A text, and what it says."""
    value = draw(roots)
    return Scribe(draw(st.randoms(use_true_random=False))).text(value), value


def read(text: str) -> Any:
    """What ruamel.yaml itself makes of a text."""
    yaml: Any = ruamel.yaml.YAML(typ="safe", pure=True)
    return yaml.load(text.removeprefix("\ufeff").replace("\t#", " #"))


def paths(value: Any, path: Path = ()) -> Iterator[Path]:
    """The key paths of all that is in plain data."""
    for key, item in (
        value.items() if is_dict(value) else enumerate(value) if is_list(value) else ()
    ):
        yield (*path, key)
        yield from paths(item, (*path, key))


def at(value: Any, path: Path) -> Any:
    for part in path:
        value = value[part]
    return value


def edited(value: Any, edit: str, path: Path, *arguments: Any) -> Any:
    """The same edit, made in plain data."""
    whole = copy.deepcopy(value)
    holder = at(whole, path[:-1])
    if edit == "set":
        holder[path[-1]] = arguments[0]
    elif edit == "remove":
        del holder[path[-1]]
    elif edit == "append":
        holder[path[-1]].append(arguments[0])
    elif edit == "insert":
        holder[path[-1]].insert(*arguments)
    else:
        items = [(arguments[0] if key == path[-1] else key, item) for key, item in holder.items()]
        holder.clear()
        holder.update(items)
    return whole


def comments(text: str) -> Counter[str]:
    """The comments of a text that a `Scribe` has written."""
    return Counter(re.findall(r"# c[0-9]+\.", text))
