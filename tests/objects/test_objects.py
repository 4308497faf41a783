"""Topologies are values: immutable all the way down, hashable, complete, never stale, and silent about secrets."""

import copy
import pickle
import socket
from typing import Any

import attrs
import pytest
from helpers import refused
from hypothesis import given
from hypothesis import strategies as st
from strategies import hosts, nodes, ports, topologies, urls

from polar_config import (
    GatewayConfig,
    GatewayNodeConfig,
    InferenceConfig,
    PrepareAction,
    Problem,
    RolloutServiceConfig,
    RuntimeSpec,
    TopologyConfig,
    TopologyError,
)


@given(topologies)
def test_a_topology_hashes_pickles_and_copies(topology: TopologyConfig) -> None:
    for twin in (
        pickle.loads(pickle.dumps(topology)),
        copy.deepcopy(topology),
        copy.copy(topology),
        attrs.evolve(topology),
    ):
        assert twin == topology
        assert hash(twin) == hash(topology)
        assert {topology: 1}[twin] == 1
        assert twin.to_dict() == topology.to_dict()


def test_nothing_in_a_topology_can_be_changed() -> None:
    runtime = RuntimeSpec(
        image="x",
        env={"A": "b"},
        kwargs={"list": [1], "map": {"a": 1}},
        prepare=[PrepareAction(type="exec", command="a")],
    )
    topology = TopologyConfig(
        gateway=GatewayConfig(nodes=[GatewayNodeConfig(id="a", default_runtime=runtime)])
    )
    objects: list[Any] = [
        topology,
        topology.rollout,
        topology.gateway,
        topology.gateway.nodes[0],
        runtime,
        runtime.prepare[0],
    ]
    for each in objects:
        with pytest.raises(attrs.exceptions.FrozenInstanceError):
            each.port = 1
    containers: list[Any] = [runtime.env, runtime.kwargs, runtime.kwargs["map"]]
    for each in containers:
        with pytest.raises(TypeError):
            each["A"] = "c"
        with pytest.raises(AttributeError):
            each.something = 1
        with pytest.raises(AttributeError):
            del each.something
    assert [
        type(each) for each in (topology.gateway.nodes, runtime.prepare, runtime.kwargs["list"])
    ] == [tuple, tuple, tuple]
    assert list(runtime.kwargs) == ["list", "map"]
    assert len(runtime.kwargs) == 2


def test_maps_are_equal_to_any_mapping_that_means_the_same() -> None:
    runtime = RuntimeSpec(image="x", env={"A": "1", "B": "2"}, kwargs={"a": [1, {"b": None}]})
    assert runtime.env == {"B": "2", "A": "1"}
    assert runtime.kwargs == {"a": (1, {"b": None})}
    assert runtime.kwargs != {"a": [1.0, {"b": None}]}
    assert runtime.kwargs != {"a": [1, {"b": {1}}]}
    no_map: Any = ["a"]
    assert runtime.kwargs != no_map
    assert copy.copy(runtime.env) is copy.deepcopy(runtime.env) is runtime.env
    assert pickle.loads(pickle.dumps(runtime.env)) == runtime.env


@given(hosts, ports)
def test_a_public_url_is_derived_from_host_and_port(host: str, port: int) -> None:
    for made in (
        RolloutServiceConfig(host=host, port=port),
        GatewayNodeConfig(id="a", host=host, port=port),
    ):
        name, _, end = made.public_url.removeprefix("http://").rpartition(":")
        assert end == str(port)
        if host in ("0.0.0.0", "::"):
            assert name == "127.0.0.1"
        else:
            assert name == (f"[{host}]" if ":" in host else host)


@pytest.mark.parametrize(
    "host", ["0.0.0.0", "::", "[::]", "::0", "0:0:0:0:0:0:0:0", "0000::", "::0.0.0.0"]
)
def test_a_wildcard_host_in_any_spelling_is_called_at_the_loopback_address(host: str) -> None:
    assert GatewayNodeConfig(id="a", host=host, port=1).public_url == "http://127.0.0.1:1"


def test_an_address_with_a_zone_needs_a_written_url() -> None:
    problem = refused(lambda: GatewayNodeConfig(id="a", host="fe80::1%eth0")).problems[0]
    assert (problem.key_path, problem.code) == ("host", "url-required")
    assert (
        refused(lambda: RolloutServiceConfig(host="[fe80::1%eth0]", public_url=" "))
        .problems[0]
        .key_path
        == "host"
    )
    assert (
        GatewayNodeConfig(id="a", host="[fe80::1%eth0]", public_url="http://h").host
        == "fe80::1%eth0"
    )


@given(nodes, ports, urls)
def test_a_derived_url_never_goes_stale_and_a_written_one_stays(
    node: GatewayNodeConfig, port: int, url: str
) -> None:
    derived = attrs.evolve(node, public_url=None)
    moved = attrs.evolve(derived, host="h", port=port)
    assert moved.public_url == f"http://h:{port}"
    written = attrs.evolve(derived, public_url=url)
    assert attrs.evolve(written, host="h", port=port).public_url == written.public_url
    assert attrs.evolve(derived, public_url=moved.public_url).public_url == moved.public_url


def test_the_rollout_server_url_follows_the_rollout_unless_it_is_written() -> None:
    gateway = GatewayConfig(nodes=[GatewayNodeConfig(id="a")])
    first = TopologyConfig(gateway=gateway)
    assert first.gateway.rollout_server_url == "http://127.0.0.1:8080"
    assert gateway.rollout_server_url == ""
    moved = attrs.evolve(first, rollout=RolloutServiceConfig(port=9))
    assert moved.gateway.rollout_server_url == "http://127.0.0.1:9"
    again = TopologyConfig(
        rollout=RolloutServiceConfig(port=7),
        gateway=attrs.evolve(moved.gateway, heartbeat_interval_seconds=1),
    )
    assert again.gateway.rollout_server_url == "http://127.0.0.1:7"
    written = attrs.evolve(
        again, gateway=attrs.evolve(again.gateway, rollout_server_url="http://r/")
    )
    assert (
        attrs.evolve(written, rollout=RolloutServiceConfig(port=9)).gateway.rollout_server_url
        == "http://r"
    )


def test_written_and_derived_values_that_are_the_same_are_equal() -> None:
    assert GatewayNodeConfig(id="a", port=1) == GatewayNodeConfig(
        id=" a ", port=1, public_url="http://127.0.0.1:1/"
    )
    derived = TopologyConfig.loads("gateway: {nodes: [{id: a}]}")
    written = TopologyConfig.loads(
        "gateway: {rollout_server_url: 'http://127.0.0.1:8080', nodes: [{id: a}]}"
    )
    assert derived == written
    assert hash(derived) == hash(written)


def test_the_default_id_is_the_name_of_this_machine() -> None:
    assert GatewayNodeConfig().id == socket.gethostname()


def test_two_nodes_of_one_id_are_refused_in_code() -> None:
    one, two = GatewayNodeConfig(id="a"), GatewayNodeConfig(id=" a", port=1)
    problem = refused(lambda: GatewayConfig(nodes=[GatewayNodeConfig(id="b"), one, two])).problems[
        0
    ]
    assert (problem.key_path, problem.code) == ("nodes[2].id", "duplicate-id")
    assert "nodes[1]" in problem.message
    both = refused(
        lambda: GatewayConfig(nodes=[GatewayNodeConfig(), GatewayNodeConfig()])
    ).problems[0]
    assert "default" in both.message


def test_an_error_in_code_has_the_key_path_and_no_place() -> None:
    error = refused(lambda: GatewayNodeConfig(id="a", port=65536))
    assert error.problems == (
        Problem(
            code="out-of-range",
            key_path="port",
            message="expected an integer from 1 to 65535, found the number 65536",
        ),
    )
    assert str(error) == "port: expected an integer from 1 to 65535, found the number 65536"
    assert error.source is None
    assert (
        refused(lambda: RuntimeSpec(image="x", kwargs={"a": {"b c": [float("nan")]}}))
        .problems[0]
        .key_path
        == 'kwargs.a["b c"][0]'
    )


def test_from_dict_reports_everything_in_the_order_of_the_mapping() -> None:
    error = refused(
        lambda: TopologyConfig.from_dict(
            {
                "gateway": {
                    "nodes": [{"port": 0, "id": "a"}, {"id": "a", "prot": 1}, {7: 8, "id": "c"}],
                    "heartbeat_interval_seconds": "1",
                },
                "rollout": {"port": 0},
                "extra": 1,
            }
        )
    )
    assert [problem.key_path for problem in error.problems] == [
        "gateway.nodes[0].port",
        "gateway.nodes[1].id",
        "gateway.nodes[1].prot",
        "gateway.nodes[2]",
        "gateway.heartbeat_interval_seconds",
        "rollout.port",
        "extra",
    ]
    assert "gateway.nodes[0] (a).port: expected" in str(error)
    assert str(error).endswith("\n7 problems")


@given(topologies)
def test_an_error_pickles_and_keeps_its_report(topology: TopologyConfig) -> None:
    error = refused(lambda: TopologyConfig.loads(topology.dumps() + "extra: 1\n", "t.yaml"))
    twin = pickle.loads(pickle.dumps(error))
    assert type(twin) is TopologyError
    assert (twin.problems, twin.source, str(twin)) == (error.problems, error.source, str(error))
    assert isinstance(twin, ValueError)


SECRET = "hunter2"


def test_no_repr_shows_credentials_or_the_values_of_an_env() -> None:
    url = f"http://root:{SECRET}@h:1"
    action = PrepareAction(type="exec", command=f"curl {url}/x", env={"TOKEN": SECRET})
    runtime = RuntimeSpec(
        image=f"x://{SECRET}@y",
        env={"TOKEN": SECRET},
        prepare=[action],
        kwargs={"env": {"A": SECRET}, "b": [url], "environment": [SECRET]},
    )
    node = GatewayNodeConfig(
        id="a",
        public_url=url,
        inference=InferenceConfig(base_url=url),
        model_served=url,
        default_runtime=runtime,
    )
    topology = TopologyConfig(
        rollout=RolloutServiceConfig(public_url=url, save_dir=f"s3://{SECRET}@x"),
        gateway=GatewayConfig(nodes=[node], rollout_server_url=url),
    )
    for each in (
        topology,
        topology.gateway,
        node,
        runtime,
        action,
        runtime.env,
        runtime.kwargs,
        node.inference,
        topology.rollout,
    ):
        assert SECRET not in repr(each) + str(each)
    assert repr(runtime.env) == "SecretMap({'TOKEN': '*******'})"
    assert node.public_url == url
    assert runtime.env["TOKEN"] == SECRET
    assert runtime.kwargs["env"] == {"A": SECRET}
    assert topology.dumps().count(SECRET) == 13


@given(st.text(min_size=7).filter(lambda text: "*" not in text))
def test_no_error_in_code_shows_the_value_of_an_env(secret: str) -> None:
    values: list[Any] = [
        {"A": [secret]},
        {"A": {secret: secret}},
        [secret],
        secret,
        {"A": f"{secret}\0"},
    ]
    for value in values:
        error = refused(lambda value=value: RuntimeSpec(image="x", env=value))  # type: ignore[misc]
        assert (
            secret not in str(error) or secret in "env: expected a mapping, found a list, a string"
        )
        assert error.__context__ is None


def test_equal_objects_have_equal_fingerprints_and_others_have_others() -> None:
    def node(value: object) -> GatewayNodeConfig:
        return GatewayNodeConfig(
            id="a", default_runtime=RuntimeSpec(image="i", kwargs={"x": [value], "y": {"z": 1}})
        )

    assert node(0.0) == node(-0.0)
    assert node(0.0).fingerprint() == node(-0.0).fingerprint()
    different: list[Any] = [0, 0.0, False, None, "", "0", [], {}, 1, True]
    prints = {node(value).fingerprint() for value in different}
    assert len(prints) == 10
    assert all(len(each) == 16 for each in prints)
    assert (
        TopologyConfig.loads("gateway: {nodes: [{id: a}]}").fingerprint() == "2cb61f0f3ea279fc"
    )  # on every machine, in every version
