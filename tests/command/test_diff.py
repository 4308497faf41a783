"""`polar-config diff`: effective values that differ, and processes to restart."""

from shell import TOPOLOGY, Call, write

from polar_config import TopologyConfig
from polar_config.views import Difference, differences


def test_equal_topologies_print_nothing(call: Call) -> None:
    write("same.yaml", TopologyConfig.loads(TOPOLOGY).dumps(effective=True))
    assert (call("diff", "topology.yaml", "same.yaml"), call.out) == (0, "")


def test_values_that_differ_and_processes_to_restart_are_printed(call: Call) -> None:
    new = TOPOLOGY
    for before, after in (
        ("8101", "8103"),
        ("hunter2}", "hunter3}"),
        ('"0002"', "gpu-3"),
        ("save_dir: ./results", "host: ::1"),
    ):
        new = new.replace(before, after)
    write("new.yaml", new)
    assert call("diff", "topology.yaml", "new.yaml") == 1
    assert call.out == (
        'rollout.host: "0.0.0.0" -> "::1"\n'
        'rollout.public_url: "http://127.0.0.1:8080" -> "http://[::1]:8080"\n'
        'rollout.save_dir: "./results" -> null\n'
        'gateway.rollout_server_url: "http://127.0.0.1:8080" -> "http://[::1]:8080"\n'
        "gateway.nodes[gpu-1].port: 8101 -> 8103\n"
        'gateway.nodes[gpu-1].public_url: "http://127.0.0.1:8101" -> "http://127.0.0.1:8103"\n'
        'gateway.nodes[gpu-1].default_runtime.env.TOKEN: "*******" -> "*******"\n'
        "gateway.nodes[0002]: removed\n"
        "gateway.nodes[gpu-3]: added\n"
        "restart: rollout, gateway gpu-1\n"
        "start: gateway gpu-3\n"
        "stop: gateway 0002\n"
    )


def test_a_value_of_the_whole_fleet_restarts_every_gateway(call: Call) -> None:
    write("new.yaml", TOPOLOGY.replace("gateway:\n", "gateway:\n  heartbeat_interval_seconds: 5\n"))
    assert call("diff", "topology.yaml", "new.yaml") == 1
    assert "restart: rollout, gateway gpu-1, gateway 0002\n" in call.out


def test_another_order_of_the_nodes_restarts_nothing(call: Call) -> None:
    first, second = TOPOLOGY.split("    # second\n")
    head, node = first.split("    - id: gpu-1")
    write("turned.yaml", f"{head}{second}    - id: gpu-1{node}")
    assert call("diff", "topology.yaml", "turned.yaml") == 1
    assert call.out == "gateway.nodes: reordered\n"


def test_an_invalid_or_unreadable_file_is_exit_status_2(call: Call) -> None:
    write("bad.yaml", "gateway: {}")
    assert (call("diff", "topology.yaml", "bad.yaml"), call.out) == (2, "")
    assert "1 problem in bad.yaml" in call.err
    assert call("diff", "topology.yaml", "none.yaml") == 2
    assert (call("diff", "-", "-"), call.out) == (2, "")
    assert "only one of the two files can be standard input" in call.err


def test_control_characters_of_ids_and_values_are_escaped(call: Call) -> None:
    write("old.yaml", 'gateway: {nodes: [{id: "\\u202e", model_served: "\\e"}]}')
    write("new.yaml", 'gateway: {nodes: [{id: "\\u202e", model_served: "\\x9b"}]}')
    assert call("diff", "old.yaml", "new.yaml") == 1
    assert call.out == (
        'gateway.nodes[\\u202e].model_served: "\\u001b" -> "\\u009b"\nrestart: gateway \\u202e\n'
    )


# --- the same from Python -------------------------------------------------------------------------


def _differences(old: str, new: str, *, secrets: bool = False) -> list[Difference]:
    return list(differences(TopologyConfig.loads(old), TopologyConfig.loads(new), secrets=secrets))


def test_secrets_are_masked_unless_asked_for() -> None:
    new = TOPOLOGY.replace("hunter2", "hunter3")
    token = "gateway.nodes[gpu-1].default_runtime.env.TOKEN"
    masked, url = _differences(TOPOLOGY, new)
    assert masked == (token, "changed", "*******", "*******")
    assert url.old == url.new == "http://**********@localhost:8102"
    shown = _differences(TOPOLOGY, new, secrets=True)
    assert shown[0] == (token, "changed", "hunter2", "hunter3")
    assert shown[1].new == "http://me:hunter3@localhost:8102"


def test_a_secret_is_masked_wherever_it_is_added() -> None:
    """A whole runtime, a variable in it, a step with variables of its own."""
    one = "gateway: {nodes: [{id: a}]}"
    runtime = (
        "{image: i, env: {A: hunter2}, prepare: [{type: exec, command: c, env: {B: hunter2}}]}"
    )
    other = f"gateway: {{nodes: [{{id: a, default_runtime: {runtime}}}]}}"
    for old, new in ((one, other), (other, one), (other, other.replace("hunter2", "x"))):
        assert "hunter2" not in str(_differences(old, new))
        assert "hunter2" in str(_differences(old, new, secrets=True))


def test_the_values_of_what_is_added_or_removed_are_masked() -> None:
    one = "gateway: {nodes: [{id: a, default_runtime: {image: i, env: {A: x}}}]}"
    other = one.replace("A: x", "A: x, B: hunter2")
    assert [each[1:] for each in _differences(one, other)] == [("added", None, "*******")]
    assert [each[1:] for each in _differences(other, one)] == [("removed", "*******", None)]


def test_the_id_of_a_node_makes_no_value_secret() -> None:
    (difference, *_) = _differences(
        "gateway: {nodes: [{id: env, model_served: m}]}",
        "gateway: {nodes: [{id: env, model_served: n}]}",
    )
    assert difference == ("gateway.nodes[env].model_served", "changed", "m", "n")


def test_an_added_node_has_its_effective_values() -> None:
    (difference,) = _differences(
        "gateway: {nodes: [{id: a}]}", "gateway: {nodes: [{id: a}, {id: b, port: 1}]}"
    )
    assert difference[:3] == ("gateway.nodes[b]", "added", None)
    assert difference.new["public_url"] == "http://127.0.0.1:1"


def test_numbers_of_different_types_differ() -> None:
    def runtime(value: str) -> str:
        return f"gateway: {{nodes: [{{id: a, default_runtime: {{image: i, kwargs: {{x: {value}}}}}}}]}}"

    assert _differences(runtime("1"), runtime("1")) == []
    (difference,) = _differences(runtime("1"), runtime("true"))
    assert difference.summary == "1 -> true"
