"""What rules share: how they refuse a value, and what they say about it."""

from typing import Any, ClassVar, NoReturn, Protocol

from polar_config._plain import PLACEHOLDER, placeholders
from polar_config.errors._problem import Finding, Refused
from polar_config.errors._words import expected, inline

_MAX_PLACEHOLDERS = 5  # named in one problem
_RENDER = "or render the template first (polar-config render)"

# A hint that is right for a key of a file and for an argument in Python code.
OMIT = "set a value, or omit it to use the default"
NO_PLACEHOLDER: dict[str, Any] = {"not": {"pattern": PLACEHOLDER}}  # in JSON Schema


class Rule(Protocol):
    """What every rule can do."""

    @property
    def what(self) -> str:
        """What the rule expects, as a phrase: ``an integer from 1 to 65535``."""
        ...

    def __call__(self, value: Any) -> Any:
        """The value to store; raises `Refused`."""
        ...

    def schema(self) -> dict[str, Any]:
        """The rule as JSON Schema, as far as that can express it.

        Sections are references to ``#/definitions/CLASS``.
        """
        ...


def refuse(code: str, message: str, hint: str | None = None) -> NoReturn:
    """Raise `Refused` for one reason."""
    raise Refused(Finding((), code, message, hint))


def refuse_placeholder(text: str) -> None:
    """Raise `Refused` if `text` contains an unresolved placeholder."""
    found = placeholders(text)
    if len(found) == 1:
        message = f"unresolved placeholder {inline(found[0])}"
        refuse("placeholder", message, f"replace it with a value, {_RENDER}")
    if found:
        message = f"unresolved placeholders {_listed(found)}"
        refuse("placeholder", message, f"replace them with values, {_RENDER}")


def _listed(placeholders: list[str]) -> str:
    names = [inline(each) for each in placeholders[:_MAX_PLACEHOLDERS]]
    if len(placeholders) > _MAX_PLACEHOLDERS:
        names.append("others")
    return f"{', '.join(names[:-1])} and {names[-1]}"


class ScalarRule:
    """What the rules for single values share."""

    what: str
    kinds: ClassVar[tuple[type, ...]] = ()
    """The types of which some value fits; any other type is the wrong one."""

    def mismatch(self, value: object) -> NoReturn:
        """Raise `Refused` for a value of the wrong type or out of bounds."""
        if isinstance(value, str):
            refuse_placeholder(value)
        refuse(self.code(value), expected(self.what, value), self.hint(value))

    def code(self, value: object) -> str:
        if isinstance(value, self.kinds) and not isinstance(value, bool):
            return "out-of-range"
        return "wrong-type"

    def hint(self, value: object) -> str | None:
        return OMIT if value is None else None
