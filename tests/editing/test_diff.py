"""The difference between the text as it was opened and the text now."""

from polar_config import TopologyDocument


def test_diff_shows_the_lines_of_all_edits() -> None:
    lines = "".join(f"k{number}: {number}\n" for number in range(20))
    document = TopologyDocument.parse(f"a: 1\n{lines}z: 1", "t.yaml")
    assert document.diff() == ""
    document.set("a", 2)
    document.set("z", 2)
    assert document.diff() == (
        "--- t.yaml\n+++ t.yaml\n@@ -1,4 +1,4 @@\n-a: 1\n+a: 2\n k0: 0\n k1: 1\n k2: 2\n"
        "@@ -19,4 +19,4 @@\n k17: 17\n k18: 18\n k19: 19\n"
        "-z: 1\n\\ No newline at end of file\n+z: 2\n\\ No newline at end of file\n"
    )
    document.set("a", 1)
    document.set("z", 1)
    assert document.diff() == ""


def test_diff_hides_secrets_unless_told() -> None:
    text = "rollout:\n  public_url: http://me:hunter2@h:1\nenv: {A: hunter2}\n"
    document = TopologyDocument.parse(text)
    document.set("rollout.public_url", "http://me:hunter3@h:1")
    document.set("env.A", "hunter3")
    assert "hunter" not in document.diff()
    assert document.diff().count("\n-") == document.diff().count("\n+  ") + 1 == 2
    assert "+  public_url: http://me:hunter3@h:1\n" in document.diff(secrets=True)


def test_diff_of_changes_near_each_other_is_one_piece() -> None:
    document = TopologyDocument.parse("a: 1\nb: 2\nc: 3\nd: 4\ne: 5\n")
    document.remove("a")
    document.remove("e")
    assert document.diff().count("@@") == 2
    assert document.diff().endswith("@@ -1,5 +1,3 @@\n-a: 1\n b: 2\n c: 3\n d: 4\n-e: 5\n")


def test_diff_of_a_large_text_that_has_no_line_twice_or_only_such() -> None:
    large = TopologyDocument.parse("a:\n" + "  - x\n" * 3_000)
    large.set("a[*]", "y")
    assert large.diff().count("\n-") == large.diff().count("\n+  ") == 3_000
