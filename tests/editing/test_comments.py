"""Whose comment is whose: what goes with a key, what moves, what stays."""

from helpers import after


def test_remove_takes_the_comments_of_the_key_and_no_other() -> None:
    text = "# file\na: 1\n\n# about b\nb: 2  # two\n      # goes on\n# about c\nc:\n  x: 1\n  # inside\n\n# loose\n\nd: 4\n"
    assert after(text, "remove", "a") == text.replace("a: 1\n", "")
    assert (
        after("# licence\n# of the file\na: 1\nb: 2\n", "remove", "a")
        == "# licence\n# of the file\nb: 2\n"
    )
    assert after(text, "remove", "b") == text.replace(
        "# about b\nb: 2  # two\n      # goes on\n", ""
    )
    assert after(text, "remove", "c") == text.replace("# about c\nc:\n  x: 1\n  # inside\n", "")
    assert after(text, "remove", "c.x") == text.replace("c:\n  x: 1\n", "c: {}\n")
    assert after(text, "remove", "d") == text.removesuffix("\nd: 4\n")


def test_a_comment_between_blank_lines_or_in_another_column_stays() -> None:
    assert (
        after("a:\n  - id: x\n    y: 1\n\n    # rack 2\n\n  - id: b\n", "remove", "a[0]")
        == "a:\n    # rack 2\n\n  - id: b\n"
    )
    deeper = "a:\n  x: 1\n\n    # deeper\n  y: 2\n"
    assert after(deeper, "remove", "a.x") == deeper.replace("  x: 1\n\n", "")
    assert after("b: 1\na:\n  x: 1\n\n  # c's\nc: 1\n", "remove", "a") == "b: 1\n\n  # c's\nc: 1\n"


def test_an_aligned_comment_stays_in_its_column_while_there_is_room() -> None:
    text = "a: 1        # one\nb: 22222     # two\nc: 3        # three\n"
    assert after(text, "set", "a", 1234) == text.replace("1        # one", "1234     # one")
    assert after(text, "set", "a", 123_456_789) == text.replace(
        "1        # one", "123456789  # one"
    )
    assert after(text, "set", "b", 1) == text.replace("22222", "1")
