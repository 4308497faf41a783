"""Flow style stays flow style, and JSON stays JSON."""

import json

from helpers import after

from polar_config import TopologyDocument


def test_flow_style_is_kept() -> None:
    assert after("a: {x: 1, y: 'q'}\n", "set", "a.y", "a,b") == "a: {x: 1, y: 'a,b'}\n"
    assert after("a: {u: http://h:1}\n", "set", "a.u", "http://g:2") == "a: {u: http://g:2}\n"
    assert after("a: {u: x}\n", "set", "a.u", "http://g:2") == 'a: {u: "http://g:2"}\n'
    assert after('a: {"x": 1}\n', "set", "a.y", ["v"]) == 'a: {"x": 1, "y": ["v"]}\n'
    assert after("a: {x: , y: 1}\n", "set", "a.x", 5) == "a: {x: 5, y: 1}\n"
    assert after("a: {x, y: 1}\n", "set", "a.x", 5) == "a: {x: 5, y: 1}\n"
    assert after("a: {'x':, y: 1}\n", "set", "a.x", {"z": 1}) == "a: {'x': {z: 1}, y: 1}\n"
    assert after("a: [&n x, *n]\n", "set", ("a", 1), 5) == "a: [&n x, 5]\n"
    assert after("a: {x: &n 1, y: *n}\n", "set", "a.y", 5) == "a: {x: &n 1, y: 5}\n"
    assert after("a: {}\n", "set", "a.b", {"c": 1}) == "a:\n  b:\n    c: 1\n"
    assert after("a: []\n", "append", "a", {"id": 1, "x": 2}) == "a:\n  - id: 1\n    x: 2\n"
    assert after("- []\n", "append", (0,), [1]) == "- - - 1\n"
    assert after("a: [{}]\n", "set", ("a", 0, "b"), {"c": 1}) == "a: [{b: {c: 1}}]\n"


def test_remove_in_flow_style() -> None:
    assert after("a: [x, y, z]\n", "remove", "a[1]") == "a: [x, z]\n"
    assert (
        after("a: {x: 1, y: 2, z: 3, q: 4}\n", "set", "a", {"x": 1, "z": 3}) == "a: {x: 1, z: 3}\n"
    )
    assert after("a: [x, y, z,]\n", "remove", "a[2]") == "a: [x, y,]\n"
    assert after("a: { x: 1 }\n", "remove", "a.x") == "a: {}\n"
    assert after("a: [x, # one\n  y]\n", "remove", "a[1]") == "a: [x, # one\n  ]\n"
    assert after("a: [x, # one\n  y]\n", "remove", "a[0]") == "a: [ # one\n  y]\n"
    assert after("a: [\n  # only\n  x # one\n]\n", "remove", "a[0]") == "a: []\n"
    assert after("a: {\n  x: 1,\n  y: 2\n}\n", "remove", "a.y") == "a: {\n  x: 1\n}\n"
    assert after("a: [x, # one\n y]\n", "remove", "a[*]") == "a: [ # one\n ]\n"


def test_json_stays_json() -> None:
    text = '{\n  "nodes": [\n    {\n      "id": "a",\n      "port": 1\n    },\n    {\n      "id": "b",\n      "port": 2\n    }\n  ]\n}\n'
    document = TopologyDocument.parse(text)
    document.append("nodes", {"id": "z", "on": True})
    assert json.loads(document.text)["nodes"][2] == {"id": "z", "on": True}
    document.remove("nodes[z]")
    assert json.loads(document.text) == json.loads(text)
    document.remove("nodes[b]")
    document.remove("nodes[a].port")
    assert json.loads(document.text) == {"nodes": [{"id": "a"}]}
    document.remove("nodes[*]")
    assert document.text == '{\n  "nodes": []\n}\n'
