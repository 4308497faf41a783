"""`polar-config add-node` and `remove-node`."""

from shell import TOPOLOGY, Call, content, write

from polar_config import TopologyConfig


def ids() -> list[str]:
    return [node.id for node in TopologyConfig.load("topology.yaml").gateway.nodes]


def test_add_node_sets_the_keys_of_the_new_node(call: Call) -> None:
    arguments = ("add-node", "gpu-3", "port=8103", "--after", "gpu-1", "inference.engine=vllm")
    assert call(*arguments, "--dry-run") == 0
    assert content() == TOPOLOGY
    assert call(*arguments) == 0
    assert ids() == ["gpu-1", "gpu-3", "0002"]
    node = TopologyConfig.load("topology.yaml").gateway.nodes[1]
    assert (node.port, node.engine, node.model_served) == (8103, "vllm", "")


def test_add_node_like_another_copies_its_comments(call: Call) -> None:
    assert (
        call(
            "add-node",
            "3",
            "--like",
            "gpu-1",
            "port=8103",
            "default_runtime.env.TOKEN=x",
            "--before",
            "gpu-1",
        )
        == 0
    )
    node = TopologyConfig.load("topology.yaml").gateway.nodes[0]
    assert (node.id, node.port, node.model_served) == ("3", 8103, "m")
    assert content().count("# first") == 2


def test_a_node_without_text_is_not_copied_with_any_option(call: Call) -> None:
    write("topology.yaml", "x: &a {id: a}\ngateway:\n  nodes:\n    - *a\n")
    assert call("add-node", "b", "--like", "a", "--no-check") == 2
    assert call.err.startswith("gateway.nodes[0]: ")
    assert call.err.count("\n") == 1  # no hint, so no option either


def test_an_id_may_have_any_character(call: Call) -> None:
    assert call("add-node", 'we"i\\r[d]', "port=1") == 0
    assert ids()[-1] == 'we"i\\r[d]'


def test_add_node_refuses_two_positions_and_two_ids(call: Call) -> None:
    assert call("add-node", "x", "--before", "a", "--after", "b") == 2
    assert call.err.startswith("usage: polar-config add-node")
    assert call("add-node", "n3", "id=n4") == 2
    assert call.err == "the id of the new node is given twice\n  leave out id=\n"
    assert content() == TOPOLOGY


def test_remove_node_removes_its_comments(call: Call) -> None:
    assert call("remove-node", "0002") == 0
    assert "# second" not in content()
    assert ids() == ["gpu-1"]


def test_the_last_node_stays(call: Call) -> None:
    assert (call("remove-node", "0002", "gpu-1"), call.out) == (1, "")
    assert "gateway.nodes: " in call.err
    assert content() == TOPOLOGY
