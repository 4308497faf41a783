"""Adding a key to the schema is one line in one class; everything else follows from it."""

from collections.abc import Sequence
from typing import Annotated, Any

import attrs
import pytest
from attrs import Factory, field, frozen

from polar_config import (
    CompletionPersistenceConfig,
    GatewayConfig,
    GatewayNodeConfig,
    InferenceConfig,
    PrepareAction,
    RolloutServiceConfig,
    RuntimeSpec,
    TopologyConfig,
    TopologyError,
)
from polar_config.keys import keys, ruled
from polar_config.reference import key_tables
from polar_config.rules import Integer, SectionList, String

CLASSES = (
    TopologyConfig,
    RolloutServiceConfig,
    GatewayConfig,
    CompletionPersistenceConfig,
    GatewayNodeConfig,
    InferenceConfig,
    RuntimeSpec,
    PrepareAction,
)


@frozen(kw_only=True, field_transformer=ruled)
class Rack(GatewayNodeConfig):
    """A node with one more key."""

    rack: Annotated[int, Integer(1, 42)] = 1
    """The rack of the machine."""


@frozen(kw_only=True, field_transformer=ruled)
class Hall(GatewayConfig):
    """A fleet of such nodes, with one more key."""

    nodes: Annotated[Sequence[Rack], SectionList(Rack, at_least=1)]
    """The nodes."""
    hall: Annotated[str, String()]
    """The hall of the machines."""


@frozen(kw_only=True, field_transformer=ruled)
class Site(TopologyConfig):
    """A topology of such a fleet."""

    explicit_gateway: Hall = field(alias="gateway", eq=False, repr=False)
    """The fleet."""
    gateway: Hall = field(
        init=False, default=Factory(lambda self: self.explicit_gateway, takes_self=True)
    )


FINE = "gateway:\n  hall: north\n  nodes:\n    - id: a\n      rack: 7\n"


def test_a_new_key_is_read_and_written_with_its_default_left_out() -> None:
    site = Site.loads(FINE)
    gateway: Any = site.gateway
    assert (gateway.hall, gateway.nodes[0].rack) == ("north", 7)
    assert Site.loads(site.dumps()) == site
    assert Site.from_dict(site.to_dict()) == site
    assert "rack" not in Site.loads(FINE.replace("rack: 7", "rack: 1")).dumps()
    assert site.to_dict(effective=True)["gateway"]["nodes"][0]["rack"] == 7


def test_a_new_key_is_checked_in_files_in_plain_data_and_in_code() -> None:
    with pytest.raises(TopologyError) as caught:
        Site.loads(
            "gateway:\n  hal: north\n  nodes:\n    - id: a\n      rack: 43\n    - id: b\n      Rack: 1\n"
        )
    assert [(each.key_path, each.line, each.hint) for each in caught.value.problems] == [
        ("gateway.hal", 2, "did you mean hall?"),
        ("gateway.nodes[0].rack", 5, None),
        ("gateway.nodes[1].Rack", 7, "did you mean rack?"),
    ]
    with pytest.raises(TopologyError) as caught:
        Site.from_dict({"gateway": {"nodes": [{"id": "a", "rack": "1"}]}})
    assert [each.key_path for each in caught.value.problems] == [
        "gateway.nodes[0].rack",
        "gateway.hall",
    ]
    with pytest.raises(TopologyError, match="from 1 to 42"):
        Rack(id="a", rack=0)


def test_a_new_key_stands_in_the_reference() -> None:
    tables = key_tables(Site)
    assert (
        "| `gateway.hall` | a non-empty string | **required** | The hall of the machines. |" in tables
    )
    assert (
        "| `gateway.nodes[].rack` | an integer from 1 to 42 | `1` | The rack of the machine. |"
        in tables
    )
    assert "The port that the node binds." in tables


@pytest.mark.parametrize("cls", CLASSES)
def test_every_argument_of_every_class_is_a_key_with_a_meaning(cls: Any) -> None:
    arguments = {each.alias for each in attrs.fields(cls) if each.init} - {"path"}
    assert {key.name for key in keys(cls)} == arguments
    assert all(key.meaning[0].isupper() and key.meaning.endswith(".") for key in keys(cls))


def test_a_key_without_a_rule_is_refused_when_its_class_is_made() -> None:
    with pytest.raises(TypeError, match="has no rule"):

        @frozen(kw_only=True, field_transformer=ruled)
        class Wrong:
            a: int = 1
