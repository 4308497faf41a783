"""`polar-config render`: which variables fill a template, and where the result goes."""

import io
import sys
from pathlib import Path

import pytest
from shell import Call, write

from polar_config import TopologyConfig

TEMPLATE = "gateway:\n  nodes:\n    - id: a\n      port: ${POLAR_TEST_PORT}\n"


def test_the_command_line_takes_precedence_over_the_file_and_the_environment(
    call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    write("t.yaml", "gateway:\n  nodes:\n    - id: ${A}-${B}-${C}\n      model_served: ${D}\n")
    write("vars.env", "# comment\n\nexport B='file'\nC=file\nD=\"a = b\"\nE='\n")
    for name in "ABC":
        monkeypatch.setenv(name, "env")
    assert call("render", "t.yaml", "--env-file", "vars.env", "C=call") == 0
    assert call.out == "gateway:\n  nodes:\n    - id: env-file-call\n      model_served: a = b\n"
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"D=in\nB=in\n")))
    assert call("render", "t.yaml", "--env-file", "-", "-o", "-") == 0
    assert call.out == "gateway:\n  nodes:\n    - id: env-in-env\n      model_served: in\n"


def test_the_result_replaces_a_file(call: Call) -> None:
    write("t.yaml", TEMPLATE)
    for port in (1, 2):
        assert call("render", "t.yaml", "-o", "out.yaml", f"POLAR_TEST_PORT={port}") == 0
        assert (call.out, call.err) == ("", "")
        assert TopologyConfig.load("out.yaml").gateway.nodes[0].port == port


def test_an_undefined_variable_and_an_invalid_result_are_errors(call: Call) -> None:
    write("t.yaml", TEMPLATE)
    assert (call("render", "t.yaml"), call.out) == (1, "")
    assert "t.yaml:4:13: gateway.nodes[0].port: " in call.err
    assert "${POLAR_TEST_PORT}" in call.err
    assert call("render", "t.yaml", "POLAR_TEST_PORT=x", "-o", "out.yaml") == 1
    assert not Path("out.yaml").exists()


def test_the_template_is_not_overwritten(call: Call) -> None:
    write("t.yaml", TEMPLATE)
    assert call("render", "t.yaml", "POLAR_TEST_PORT=1", "-o", "./t.yaml") == 2
    assert call.err == "the output file is the template itself\n  choose another file\n"
    assert Path("t.yaml").read_text(encoding="utf-8") == TEMPLATE


@pytest.mark.parametrize("argument", ["A", "1A=x", "=x", "http://u:hunter2@h"])
def test_a_malformed_variable_is_a_usage_error_that_does_not_quote_it(
    call: Call, argument: str
) -> None:
    assert call("render", "topology.yaml", argument) == 2
    assert call.err == "expected NAME=VALUE, found something else\n"


def test_a_malformed_env_file_is_a_usage_error(call: Call) -> None:
    write("t.yaml", TEMPLATE)
    write("bad.env", "A=1\nnonsense\n")
    assert call("render", "t.yaml", "--env-file", "bad.env") == 2
    assert "bad.env:2: expected NAME=VALUE" in call.err
    Path("latin.env").write_bytes(b"A=\xe9\n")
    assert call("render", "t.yaml", "--env-file", "latin.env") == 2
    assert "latin.env: the file is not UTF-8" in call.err
    assert call("render", "t.yaml", "--env-file", "none.env") == 2
    assert call.err == "polar-config: none.env: No such file or directory\n"
