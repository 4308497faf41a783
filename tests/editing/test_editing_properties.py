"""What holds of every edit: the tree is what was asked for, the rest of the text is as it was, or nothing has happened."""

import os
import random
from collections import Counter
from typing import Any

from documents import at, comments, data, edited, is_dict, is_list, keys, paths, read, texts
from files import FILES
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from polar_config import TopologyDocument, TopologyError

Document = tuple[str, dict[str, Any]]


@given(texts())
def test_a_text_that_is_not_edited_is_the_same(document: Document) -> None:
    text, value = document
    opened = TopologyDocument.parse(text)
    assert opened.text == str(opened) == text
    assert opened.diff() == ""
    assert read(text) == value
    for path in paths(value):
        assert opened.get(path) == at(value, path)


def _edit(draw: st.DrawFn, value: Any) -> tuple[Any, ...]:
    """An edit that can be made in `value`: its name, its path and its arguments."""
    path = draw(st.sampled_from(list(paths(value))))
    there: Any = at(value, path)
    choices: list[st.SearchStrategy[Any]] = [
        st.tuples(st.just("set"), st.just(path), data),
        st.tuples(st.just("remove"), st.just(path)),
    ]
    if isinstance(path[-1], str):
        choices.append(
            st.tuples(
                st.just("rename"),
                st.just(path),
                keys.filter(lambda key: key not in at(value, path[:-1])),
            )
        )
    if is_dict(there):
        new = keys.filter(lambda key: key not in there)
        choices.append(
            new.flatmap(lambda key: st.tuples(st.just("set"), st.just((*path, key)), data))
        )
    if is_list(there):
        choices.append(st.tuples(st.just("append"), st.just(path), data))
        choices.append(
            st.tuples(st.just("insert"), st.just(path), st.integers(0, len(there)), data)
        )
    return draw(st.one_of(choices))


def _make(document: TopologyDocument, edit: str, *arguments: Any) -> None:
    getattr(document, edit)(*arguments)


@settings(max_examples=150)
@given(texts(), st.data())
def test_a_sequence_of_edits_gives_the_intended_tree(
    document: Document, drawn: st.DataObject
) -> None:
    text, value = document
    opened = TopologyDocument.parse(text)
    for _ in range(drawn.draw(st.integers(1, 4))):
        if not value:
            break
        edit = drawn.draw(st.composite(_edit)(value))
        before = opened.text
        _make(opened, *edit)
        value = edited(value, *edit)
        assert read(opened.text) == value
        assert list(paths(read(opened.text))) == list(paths(value)) or edit[0] == "set"
        value = read(opened.text)  # keys that a set has kept are where they were
        assert opened.diff() != "" or opened.text == text
        if "\r\n" in before:
            assert "\n" not in opened.text.replace("\r\n", "")
        assert opened.text.startswith("\ufeff") == text.startswith("\ufeff")


@settings(max_examples=100)
@given(texts(), st.data())
def test_no_comment_outside_of_the_entry_is_lost(document: Document, drawn: st.DataObject) -> None:
    text, value = document
    edit = drawn.draw(st.composite(_edit)(value))
    opened = TopologyDocument.parse(text)
    _make(opened, *edit)
    assert not comments(opened.text) - comments(text)
    assert not comments(text) - comments(opened.text) - _own_comments(text, value, edit)


def _own_comments(text: str, value: Any, edit: tuple[Any, ...]) -> Counter[str]:
    """The comments that may go with an edit: those that go where what it is about is removed."""
    if edit[0] not in {"set", "remove"} or edit[1] not in set(paths(value)):
        return Counter()
    if edit[0] == "set" and not isinstance(at(value, edit[1]), dict | list):
        return Counter()
    alone = TopologyDocument.parse(text)
    alone.remove(edit[1])
    gone = comments(text) - comments(alone.text)
    if not isinstance(at(value, edit[1]), dict | list):
        assert gone.total() <= 2  # the one above and the one behind
    return gone


@given(texts(), st.data())
def test_a_new_scalar_changes_no_other_line(document: Document, drawn: st.DataObject) -> None:
    text, value = document
    simple = [
        path
        for path in paths(value)
        if isinstance(at(value, path), int | float | bool) or at(value, path) == "gpu-1"
    ]
    assume(simple)
    opened = TopologyDocument.parse(text)
    opened.set(
        drawn.draw(st.sampled_from(simple)),
        drawn.draw(st.sampled_from([1, "x", None, "a: b", True, 2.5])),
    )
    old, new = text.split("\n"), opened.text.split("\n")
    assert len(old) == len(new)
    assert sum(one != other for one, other in zip(old, new, strict=True)) <= 1


@given(texts(), keys, data)
def test_what_was_added_and_removed_again_leaves_the_same_text(
    document: Document, key: str, value: Any
) -> None:
    text, before = document
    # a blank line above "# tail" stays with it
    assume(key not in before and text.endswith("\n") and "# tail" not in text)
    opened = TopologyDocument.parse(text)
    opened.set((key,), value)
    opened.remove((key,))
    assert opened.text == text


@given(texts(), st.data())
def test_a_renamed_key_gets_its_name_back(document: Document, drawn: st.DataObject) -> None:
    text, value = document
    path = drawn.draw(st.sampled_from([each for each in paths(value) if isinstance(each[-1], str)]))
    opened = TopologyDocument.parse(text)
    opened.rename(path, "other_name")
    opened.rename((*path[:-1], "other_name"), str(path[-1]))
    assert opened.text == text


@given(
    texts(),
    st.lists(st.one_of(keys, st.integers(0, 5)), max_size=4),
    st.sampled_from(["set", "remove", "append", "insert", "rename"]),
)
def test_an_edit_that_is_refused_leaves_the_text(
    document: Document, path: list[Any], edit: str
) -> None:
    text, _ = document
    opened = TopologyDocument.parse(text)
    others: dict[str, list[Any]] = {
        "set": ["x"],
        "append": ["x"],
        "insert": [0, "x"],
        "rename": ["other_name"],
        "remove": [],
    }
    try:
        getattr(opened, edit)(tuple(path), *others[edit])
    except TopologyError:
        assert opened.text == text
    else:
        read(opened.text)


# --- the files of the corpus ------------------------------------------------------------------------------------------


def test_every_file_of_the_corpus_comes_back_byte_for_byte() -> None:
    assert FILES
    for file in FILES:
        opened = TopologyDocument.open(file)
        assert opened.text.encode() == file.read_bytes(), file.name


def _edits(value: Any) -> list[tuple[Any, ...]]:
    found: list[tuple[Any, ...]] = []
    for path in paths(value):
        found += [("set", path, "x: y"), ("set", path, {"a": [1]}), ("remove", path)]
        if isinstance(path[-1], str):
            found.append(("rename", path, "other_name"))
        if isinstance(at(value, path), list):
            found += [("append", path, {"id": "x"}), ("insert", path, 0, "x")]
        if isinstance(at(value, path), dict):
            found.append(("set", (*path, "new_key"), "x"))
    return found


def test_single_edits_in_the_corpus_give_the_intended_tree() -> None:
    """`POLAR_CONFIG_EDITS` says how many of all edits of all keys are tried, `POLAR_CONFIG_SEED` which."""
    chance = random.Random(os.environ.get("POLAR_CONFIG_SEED", "polar"))
    values = {file: read(file.read_text(encoding="utf-8")) for file in FILES}
    assert FILES
    every = [(file, edit) for file, value in values.items() for edit in _edits(value)]
    for file, edit in chance.sample(
        every, min(len(every), int(os.environ.get("POLAR_CONFIG_EDITS", "600")))
    ):
        text, value = file.read_text(encoding="utf-8"), values[file]
        opened = TopologyDocument.parse(text)
        _make(opened, *edit)
        assert opened.get(()) == edited(value, *edit), (file.name, edit)
        if edit[0] in {"rename", "append", "insert"}:
            kept = Counter(line.partition("#")[2] for line in opened.text.split("\n"))
            rest = [
                line for line in text.split("\n") if line.lstrip().startswith("#") or " #" in line
            ]
            assert not Counter(line.partition("#")[2] for line in rest) - kept, (file.name, edit)
