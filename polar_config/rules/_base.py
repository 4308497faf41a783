"""What rules share: how they refuse a value, and what they say about it."""

from typing import Any, ClassVar, NoReturn, Protocol

from polar_config._plain import PLACEHOLDER, placeholders
from polar_config.errors._problem import Finding, Refused
from polar_config.errors._words import KeyPath, inline, shown

_MAX_PLACEHOLDERS = 5  # named in one problem


class Rule(Protocol):
    """What every rule can do."""

    @property
    def what(self) -> str:
        """What the rule expects, as a phrase: ``a whole number from 1 to 65535``."""
        ...

    def __call__(self, value: Any) -> Any:
        """The value to store; raises `Refused`."""
        ...

    def schema(self) -> dict[str, Any]:
        """The same as JSON Schema, as far as that can say it; blocks are references to ``#/definitions/CLASS``."""
        ...


def refuse(code: str, message: str, hint: str | None = None, path: KeyPath = ()) -> NoReturn:
    """Raise `Refused` for one reason."""
    raise Refused(Finding(path, code, message, hint))


NO_PLACEHOLDER: dict[str, Any] = {"not": {"pattern": PLACEHOLDER}}  # in JSON Schema


def refuse_placeholder(text: str) -> None:
    """Raise `Refused` if `text` holds an unrendered placeholder."""
    if found := placeholders(text):
        names = [inline(each) for each in found[:_MAX_PLACEHOLDERS]] + ["others"] * (
            len(found) > _MAX_PLACEHOLDERS
        )
        plural = len(names) > 1
        listed = f"{', '.join(names[:-1])} and {names[-1]}" if plural else names[0]
        message = (
            f"the placeholder{'s' * plural} {listed} {'were' if plural else 'was'} never filled in"
        )
        refuse(
            "placeholder",
            message,
            f"write the value{'s' * plural} in {'their' if plural else 'its'} place",
        )


def mismatch(rule: "ScalarRule", value: object) -> NoReturn:
    """A value of the wrong kind or out of bounds."""
    if isinstance(value, str):
        refuse_placeholder(value)
    refuse(rule.code(value), f"expected {rule.what}, found {shown(value)}", rule.hint(value))


class ScalarRule:
    """What the rules for single values share."""

    what: str
    kinds: ClassVar[tuple[type, ...]] = ()

    def code(self, value: object) -> str:
        fits = isinstance(value, self.kinds) and (bool in self.kinds or not isinstance(value, bool))
        return "out-of-range" if fits else "wrong-type"

    def hint(self, value: object) -> str | None:
        return "write a value, or remove the line to get the default" if value is None else None
