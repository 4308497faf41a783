"""Adding a key to the schema is one line in one class; everything else follows from it."""

import inspect
import pydoc
import re
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
        "| `gateway.hall` | a non-empty string | **required** | The hall of the machines. |"
        in tables
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


@pytest.mark.parametrize("cls", CLASSES)
def test_a_signature_has_the_plain_type_of_every_argument(cls: Any) -> None:
    arguments = inspect.signature(cls).parameters
    assert list(arguments) == [each.alias for each in attrs.fields(cls) if each.init]
    for each in arguments.values():
        assert each.annotation not in {Any, inspect.Parameter.empty}, each.name
        assert "Annotated" not in str(each), each.name


def test_types_are_those_that_a_reader_expects() -> None:
    arguments = inspect.signature(GatewayNodeConfig).parameters
    assert [str(arguments[name]) for name in ("host", "port", "public_url")] == [
        "host: str = '0.0.0.0'",
        "port: int = 8081",
        "public_url: str | None = None",
    ]
    runtime = inspect.signature(RuntimeSpec).parameters
    assert runtime["prepare"].annotation == Sequence[PrepareAction]
    assert runtime["cpus"].annotation == int | None


@pytest.mark.parametrize("cls", CLASSES)
def test_help_shows_what_every_argument_means(cls: Any) -> None:
    shown = pydoc.plain(pydoc.render_doc(cls))
    for key in keys(cls):
        assert re.search(rf"^ \|  {key.name}\n \|      \S", shown, re.MULTILINE), key.name
        assert f" |      {key.meaning}\n" in shown


def test_type_checkers_know_the_types_of_arguments() -> None:
    """A type checker that accepts one of these calls reports that nothing is ignored in it."""
    for build in (
        lambda: GatewayNodeConfig(id="a", port="x"),  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
        lambda: PrepareAction(type="run"),  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
        lambda: RuntimeSpec(image=None),  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
        lambda: GatewayConfig(nodes=GatewayNodeConfig(id="a")),  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    ):
        with pytest.raises(TopologyError):
            build()


def test_a_class_without_source_has_no_meanings() -> None:
    made: Any = attrs.make_class(
        "Made", {"a": attrs.field(type=bool, default=True)}, field_transformer=ruled
    )
    made.__module__ = "polar_config.__no_such_module__"
    assert [(key.name, key.meaning) for key in keys(made)] == [("a", "")]
