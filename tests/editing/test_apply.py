"""From a changed topology to the smallest edits: what is matched, what is written, what stays."""

import random
import re
from collections.abc import Callable, Sequence
from typing import Any

import attrs
import pytest
from helpers import refused
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import nodes, topologies

from polar_config import (
    CompletionPersistenceConfig,
    GatewayConfig,
    GatewayNodeConfig,
    InferenceConfig,
    PrepareAction,
    RolloutServiceConfig,
    RuntimeSpec,
    TopologyConfig,
    TopologyDocument,
)

FLEET = """\
rollout:
  host: 10.0.0.1   # the head node
  port: 8080       # a default that is written
gateway:
  # three machines
  nodes:
    # rack A
    - id: a  # first
      port: 8101
    # rack B
    - id: b
      port: 8102
      inference: {engine: vllm, base_url: "http://h:1"}  # own engine
    # rack C
    - id: c
      port: 8103
"""


Change = Callable[[TopologyConfig], TopologyConfig]


def applied(text: str, change: Change) -> str:
    """The text after a change of its topology was applied, which then is its topology."""
    document = TopologyDocument.parse(text)
    config = change(document.config)
    document.apply(config)
    assert document.config == config
    return document.text


def with_nodes(change: Callable[[list[GatewayNodeConfig]], Sequence[GatewayNodeConfig]]) -> Change:
    return lambda config: attrs.evolve(
        config, gateway=attrs.evolve(config.gateway, nodes=change(list(config.gateway.nodes)))
    )


def test_an_equal_topology_changes_nothing() -> None:
    assert applied(FLEET, lambda config: config) == FLEET
    assert (
        applied(FLEET, lambda config: TopologyConfig.from_dict(config.to_dict(effective=True)))
        == FLEET
    )


def test_a_changed_value_changes_its_line() -> None:
    assert applied(
        FLEET, with_nodes(lambda n: [attrs.evolve(n[0], port=9000), *n[1:]])
    ) == FLEET.replace("8101", "9000")
    other = with_nodes(
        lambda n: [n[0], attrs.evolve(n[1], inference=InferenceConfig(base_url="http://g:2")), n[2]]
    )
    assert applied(FLEET, other) == FLEET.replace("vllm", "sglang").replace("h:1", "g:2")


def test_a_default_is_written_only_where_a_value_is_explicit() -> None:
    assert applied(
        FLEET, lambda c: attrs.evolve(c, rollout=RolloutServiceConfig(host="10.0.0.1", port=9000))
    ) == FLEET.replace("8080 ", "9000 ")
    assert applied(
        FLEET, lambda c: attrs.evolve(c, rollout=RolloutServiceConfig())
    ) == FLEET.replace("10.0.0.1   #", "0.0.0.0    #")
    grown = applied(
        FLEET,
        with_nodes(lambda n: [*n[:2], attrs.evolve(n[2], max_run_workers=2, model_served="m")]),
    )
    assert grown == FLEET + "      model_served: m\n"


def test_a_derived_url_is_never_written_and_goes_when_it_is_no_longer() -> None:
    text = "rollout:\n  port: 1\n  public_url: http://r:1  # from outside\ngateway:\n  nodes:\n    - id: a\n"
    assert applied(
        text, lambda c: attrs.evolve(c, rollout=attrs.evolve(c.rollout, public_url=None))
    ) == text.replace("  public_url: http://r:1  # from outside\n", "")
    assert applied(
        text, lambda c: attrs.evolve(c, rollout=attrs.evolve(c.rollout, port=2))
    ) == text.replace("port: 1", "port: 2")
    without = text.replace("  public_url: http://r:1  # from outside\n", "")
    written = applied(
        without, lambda c: attrs.evolve(c, rollout=attrs.evolve(c.rollout, public_url="http://r:2"))
    )
    assert written == without.replace("port: 1\n", "port: 1\n  public_url: http://r:2\n")

    def kept(config: TopologyConfig) -> TopologyConfig:
        return attrs.evolve(
            config, rollout=attrs.evolve(config.rollout, port=2, public_url="http://127.0.0.1:1")
        )

    assert "public_url: http://127.0.0.1:1" in applied(without, kept)


def test_an_address_with_a_zone_gets_its_written_url() -> None:
    text = "gateway:\n  nodes:\n    - id: a\n"
    zone = with_nodes(lambda n: [attrs.evolve(n[0], host="fe80::1%eth0", public_url="http://a:1")])
    assert (
        applied(text, zone) == text + '      host: "fe80::1%eth0"\n      public_url: http://a:1\n'
    )


def test_a_null_stays_where_something_else_is_shared() -> None:
    text = "gateway:\n  nodes:\n    - &n\n      id: a\n      default_runtime: null\n"
    assert (
        applied(text, with_nodes(lambda n: [attrs.evolve(n[0], port=1)]))
        == text + "      port: 1\n"
    )


def test_the_gateways_rollout_url() -> None:
    text = "rollout:\n  port: 1\ngateway:\n  nodes:\n    - id: a\n"

    def kept(config: TopologyConfig) -> TopologyConfig:
        gateway = attrs.evolve(config.gateway, rollout_server_url="http://127.0.0.1:1")
        return attrs.evolve(config, rollout=RolloutServiceConfig(port=2), gateway=gateway)

    assert "rollout_server_url: http://127.0.0.1:1" in applied(text, kept)
    assert applied(
        text, lambda c: attrs.evolve(c, rollout=RolloutServiceConfig(port=2))
    ) == text.replace("port: 1", "port: 2")


def test_nodes_come_and_go_and_move_with_their_comments() -> None:
    new = GatewayNodeConfig(id="n", port=8100)
    assert applied(FLEET, with_nodes(lambda n: [n[0], new, *n[1:]])) == FLEET.replace(
        "    # rack B\n", "    - id: n\n      port: 8100\n    # rack B\n"
    )
    assert (
        applied(FLEET, with_nodes(lambda n: [*n, new])) == FLEET + "    - id: n\n      port: 8100\n"
    )
    assert applied(FLEET, with_nodes(lambda n: n[1:])) == FLEET.replace(
        "    # rack A\n    - id: a  # first\n      port: 8101\n", ""
    )
    rack_c = FLEET[FLEET.index("    # rack C") :]
    assert applied(FLEET, with_nodes(lambda n: [n[2], n[0], n[1]])) == FLEET.removesuffix(
        rack_c
    ).replace("    # rack A\n", rack_c + "    # rack A\n")
    changed = applied(FLEET, with_nodes(lambda n: [attrs.evolve(n[2], port=1), n[0], n[1]]))
    assert changed == FLEET.removesuffix(rack_c).replace(
        "    # rack A\n", rack_c.replace("8103", "1") + "    # rack A\n"
    )


def test_a_node_that_only_changed_its_id_keeps_its_comments() -> None:
    assert applied(
        FLEET, with_nodes(lambda n: [attrs.evolve(n[0], id="z"), *n[1:]])
    ) == FLEET.replace("id: a ", "id: z ")


def test_blocks_appear_and_disappear() -> None:
    runtime = RuntimeSpec(
        image="i", env={"A": "1"}, prepare=[PrepareAction(type="exec", command="x")]
    )
    grown = applied(
        FLEET, with_nodes(lambda n: [*n[:2], attrs.evolve(n[2], default_runtime=runtime)])
    )
    assert grown.startswith(FLEET)
    assert (
        applied(grown, with_nodes(lambda n: [*n[:2], attrs.evolve(n[2], default_runtime=None)]))
        == FLEET
    )

    def persistent(config: TopologyConfig) -> TopologyConfig:
        gateway = attrs.evolve(
            config.gateway, completion_persistence=CompletionPersistenceConfig(queue_size=9)
        )
        return attrs.evolve(config, gateway=gateway)

    assert applied(FLEET, persistent) == FLEET + "  completion_persistence:\n    queue_size: 9\n"
    nothing = "gateway:\n  completion_persistence:\n  nodes:\n    - id: a\n      default_runtime:\n"
    assert applied(nothing, persistent) == nothing.replace(
        "persistence:\n", "persistence:\n    queue_size: 9\n"
    )
    image = with_nodes(lambda n: [attrs.evolve(n[0], default_runtime=RuntimeSpec(image="i"))])
    assert applied(nothing, image) == nothing + "        image: i\n"
    assert applied(
        nothing.replace("_runtime:", "_runtime: {image: i}"),
        with_nodes(lambda n: [attrs.evolve(n[0], default_runtime=None)]),
    ) == ("gateway:\n  completion_persistence:\n  nodes:\n    - id: a\n")
    assert (
        applied("gateway: {nodes: [{id: a, default_runtime: null}]}\n", lambda c: c)
        == "gateway: {nodes: [{id: a, default_runtime: null}]}\n"
    )


def test_steps_that_stay_keep_their_lines() -> None:
    text = (
        "gateway:\n  nodes:\n    - id: a\n      default_runtime:\n        image: i\n        env: {A: '1', B: \"2\"}  # secret\n        prepare:\n"
        "          - {type: exec, command: one, cwd: null}  # 1\n          - type: exec  # 2\n            command: two\n"
    )

    def with_runtime(**changes: Any) -> Change:
        def changed(node: GatewayNodeConfig) -> GatewayNodeConfig:
            assert node.default_runtime is not None
            return attrs.evolve(node, default_runtime=attrs.evolve(node.default_runtime, **changes))

        return with_nodes(lambda n: [changed(n[0])])

    one, two = PrepareAction(type="exec", command="one"), PrepareAction(type="exec", command="two")
    new = PrepareAction(type="exec", command="new")
    assert applied(text, with_runtime(prepare=[one, new, two])) == text.replace(
        "          - type: exec  # 2",
        "          - type: exec\n            command: new\n          - type: exec  # 2",
    )
    assert applied(text, with_runtime(prepare=[two])) == text.replace(
        "          - {type: exec, command: one, cwd: null}  # 1\n", ""
    )
    assert applied(text, with_runtime(prepare=[])) == re.sub(
        r"(?s)prepare:.*", "prepare: []\n", text
    )
    assert applied(text, with_runtime(env={"A": "1", "B": "3"})) == text.replace('"2"', '"3"')
    assert applied(text, with_runtime(eval_prepare=[new], kwargs={"x": 1, "y": True})).startswith(
        text
    )


SHARED = """\
gateway:
  nodes:
    - &proto
      id: a
      max_run_workers: 4  # of all
      inference: &engine {engine: vllm}
      model_served: &m qwen
    - <<: *proto
      id: b
    - <<: *proto
      id: c
      inference: *engine
    - id: d
      inference: *engine
      model_served: *m
      max_init_workers: 7
"""


def test_a_change_of_all_who_share_is_made_where_it_is_shared() -> None:
    assert applied(
        SHARED,
        with_nodes(lambda n: [attrs.evolve(each, max_run_workers=5) for each in n[:3]] + n[3:]),
    ) == SHARED.replace(": 4", ": 5")
    every = with_nodes(
        lambda n: [
            attrs.evolve(each, inference=InferenceConfig(engine="sglang"), model_served="x")
            for each in n
        ]
    )
    assert applied(SHARED, every) == SHARED.replace("vllm", "sglang").replace("qwen", "x")


def test_a_change_of_one_leaves_the_others_as_they_were() -> None:
    owner = applied(
        SHARED,
        with_nodes(lambda n: [attrs.evolve(n[0], max_run_workers=5, model_served="x"), *n[1:]]),
    )
    assert "max_run_workers: 5  # of all\n" in owner
    assert owner.count("max_run_workers: 4") == 2
    assert "model_served: *m" not in owner
    user = applied(
        SHARED, with_nodes(lambda n: [n[0], attrs.evolve(n[1], max_run_workers=5), *n[2:]])
    )
    assert user == SHARED.replace("id: b\n", "id: b\n      max_run_workers: 5\n")
    alias = applied(
        SHARED, with_nodes(lambda n: [*n[:3], attrs.evolve(n[3], inference=InferenceConfig())])
    )
    assert alias.startswith(SHARED[: SHARED.index("    - id: d")])
    back = applied(
        SHARED, with_nodes(lambda n: [n[0], attrs.evolve(n[1], max_run_workers=2), *n[2:]])
    )
    assert back == SHARED.replace("id: b\n", "id: b\n      max_run_workers: 2\n")


def test_a_url_that_is_merged_in_is_written_out_where_it_would_be_derived() -> None:
    text = "gateway:\n  nodes:\n    - &p\n      id: a\n      public_url: http://a:1\n      port: 1\n    - <<: *p\n      id: b\n      port: 2\n"
    assert applied(
        text, with_nodes(lambda n: [n[0], attrs.evolve(n[1], public_url=None)])
    ).endswith("public_url: http://127.0.0.1:2\n")


def test_nodes_that_are_aliases_or_have_no_list_of_their_own() -> None:
    alias = "gateway:\n  nodes: [{id: a, inference: &i {engine: vllm}}, {id: b, inference: *i}]\n"
    turned = applied(alias, with_nodes(lambda n: [n[1], n[0]]))
    assert (
        turned
        == "gateway:\n  nodes: [{id: b, inference: {engine: vllm}}, {id: a, inference: &i {engine: vllm}}]\n"
    )
    rollout = "rollout: &r\n  port: 1\n  host: h\ngateway:\n  nodes:\n    - {<<: *r, id: a}\n"
    assert applied(
        rollout, lambda c: attrs.evolve(c, rollout=attrs.evolve(c.rollout, port=2))
    ) == rollout.replace("port: 1", "port: 2").replace("id: a", "id: a, port: 1")


def test_what_cannot_be_written_is_refused_and_the_text_stays() -> None:
    document = TopologyDocument.parse(SHARED)
    config = with_nodes(lambda n: n[1:])(document.config)
    assert "the anchor &proto in it is used by gateway.nodes[1]" in str(
        refused(lambda: document.apply(config))
    )
    assert document.text == SHARED
    turned = TopologyDocument.parse(SHARED)
    moved = with_nodes(lambda n: [n[1], n[0], *n[2:]])(turned.config)
    turned.apply(moved)
    assert turned.config == moved


def test_an_invalid_text_cannot_be_applied_to() -> None:
    document = TopologyDocument.parse("rollout: {prt: 1}\n")
    assert [
        problem.code
        for problem in refused(lambda: document.apply(TopologyConfig.loads(FLEET))).problems
    ] == [
        "missing-key",
        "unknown-key",
    ]


def test_shared_is_accepted_as_by_every_edit() -> None:
    document = TopologyDocument.parse(FLEET)
    document.apply(TopologyConfig.loads(SHARED), shared=True)
    assert document.config == TopologyConfig.loads(SHARED)


# --- any topology to any other ----------------------------------------------------------------------------------------


def _decorated(text: str, chance: random.Random) -> str:
    """A text as a person may have commented it."""
    lines: list[str] = []
    for line in text.splitlines():
        indent = line[: len(line) - len(line.lstrip(" "))]
        if chance.random() < 0.15:
            lines.append("")
        if chance.random() < 0.2:
            lines.append(f"{indent}# about {len(lines)}")
        lines.append(
            f"{line}   # behind {len(lines)}" if chance.random() < 0.2 and '"' not in line else line
        )
    text = "\n".join(lines) + "\n" * (chance.random() < 0.9)
    return text.replace("\n", "\r\n") if chance.random() < 0.2 else text


@st.composite
def _changes(draw: st.DrawFn) -> tuple[TopologyConfig, TopologyConfig]:
    """A topology, and one that has become of it."""
    before = draw(topologies)
    if draw(st.booleans()):
        return before, draw(topologies)
    others = draw(st.lists(nodes, max_size=3, unique_by=lambda node: node.id))
    known = {node.id for node in before.gateway.nodes}
    fleet = [*before.gateway.nodes, *(node for node in others if node.id not in known)]
    if draw(st.booleans()):
        before = attrs.evolve(before, gateway=attrs.evolve(before.gateway, nodes=fleet))
    fleet = draw(st.permutations(fleet))[: draw(st.integers(1, len(fleet)))]
    small: st.SearchStrategy[dict[str, Any]] = st.fixed_dictionaries(
        {},
        optional={
            "port": st.integers(1, 65_535),
            "model_served": st.sampled_from(["", "x: y", "m"]),
        },
    )
    fleet = [attrs.evolve(node, **draw(small)) for node in fleet]
    return before, attrs.evolve(before, gateway=attrs.evolve(before.gateway, nodes=fleet))


@settings(max_examples=100)
@given(_changes(), st.randoms(use_true_random=False), st.booleans())
def test_the_topology_that_was_applied_is_the_topology_of_the_text(
    change: tuple[TopologyConfig, TopologyConfig], chance: random.Random, effective: bool
) -> None:
    before, after = change
    text = _decorated(before.dumps(effective=effective), chance)
    document = TopologyDocument.parse(text)
    document.apply(before)
    assert document.text == text
    document.apply(after)
    assert document.config == after
    once = document.text
    document.apply(after)
    assert document.text == once


def _fleet_with_anchors(chance: random.Random, count: int) -> str:
    """Nodes that merge the first, or share its engine, in every way."""
    lines = [
        "gateway:",
        "  nodes:",
        "    - &proto",
        "      id: n0",
        "      port: 8100",
        "      inference: &engine {engine: vllm}",
        "      model_served: &m qwen",
    ]
    for number in range(1, count):
        merges = chance.random() < 0.6
        lines.append(f"    - <<: *proto\n      id: n{number}" if merges else f"    - id: n{number}")
        lines += chance.sample(
            ["      inference: *engine", "      model_served: *m", "      port: 9000  # own"],
            chance.randint(0, 3),
        )
    return "\n".join(lines) + "\n"


@settings(max_examples=100)
@given(st.randoms(use_true_random=False), st.integers(1, 5), st.data())
def test_the_same_holds_where_nodes_share(
    chance: random.Random, count: int, drawn: st.DataObject
) -> None:
    document = TopologyDocument.parse(_fleet_with_anchors(chance, count))
    changes: st.SearchStrategy[dict[str, Any]] = st.fixed_dictionaries(
        {},
        optional={
            "port": st.sampled_from([8081, 8100, 9000]),
            "model_served": st.sampled_from(["", "qwen", "other"]),
            "inference": st.sampled_from([InferenceConfig(), InferenceConfig(engine="vllm")]),
            "max_run_workers": st.sampled_from([2, 3]),
        },
    )
    fleet = [
        attrs.evolve(node, **drawn.draw(changes))
        for node in drawn.draw(st.permutations(document.config.gateway.nodes))
    ]
    after = TopologyConfig(gateway=GatewayConfig(nodes=fleet))
    document.apply(after)
    assert document.config == after


@pytest.mark.parametrize("count", [1, 50])
def test_a_fleet_of_new_nodes_is_written(count: int) -> None:
    document = TopologyDocument.parse("gateway: {nodes: [{id: n0}]}\n")
    config = TopologyConfig(
        gateway=GatewayConfig(
            nodes=[GatewayNodeConfig(id=f"n{number}", port=8100) for number in range(count)]
        )
    )
    document.apply(config)
    assert document.config == config
