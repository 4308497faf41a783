"""Warnings about ids of nodes that are easily confused, such as "GPU-1" and "gpu-l"."""

import unicodedata
from collections.abc import Iterator, Sequence

from polar_config.errors._problem import Finding
from polar_config.errors._words import quote
from polar_config.schema import GatewayNodeConfig


def look_alike_ids(nodes: Sequence[GatewayNodeConfig]) -> Iterator[Finding]:
    """A warning for each node whose id looks like an earlier one."""
    seen: dict[str, int] = {}
    for index, node in enumerate(nodes):
        # Two forms: a capital "I" looks like "l", so the skeletons of "GPU-I" and "gpu-i" differ.
        looks = {unicodedata.normalize("NFKC", node.id).casefold(), _skeleton(node.id)}
        earlier = min((seen[look] for look in looks if look in seen), default=None)
        if earlier is not None:
            other = f"{quote(nodes[earlier].id)}, the id of nodes[{earlier}]"
            yield Finding(
                ("gateway", "nodes", index, "id"),
                "look-alike-id",
                f"{quote(node.id)} is easily confused with {other}",
                "choose ids that differ more clearly",
            )
        for look in looks:
            seen.setdefault(look, index)


def _skeleton(name: str) -> str:
    """What a name looks like: invisible characters removed, letters that look alike made one."""
    normal = unicodedata.normalize("NFKC", name)
    visible = "".join(each for each in normal if unicodedata.category(each) != "Cf")
    return visible.translate(_LOOKS).casefold()


# Letters of the Cyrillic and the Greek script, digits and hyphens, by the Latin letter that they
# look like: a small part of Unicode's table of confusables.
_LIKE = {
    "a": "\u0430\u0410\u03b1\u0391",
    "b": "\u0432\u0412\u0392",
    "c": "\u0441\u0421",
    "d": "\u0501",
    "e": "\u0435\u0415\u0395",
    "h": "\u04bb\u043d\u041d\u0397",
    "i": "\u0456\u03b9",
    "j": "\u0458\u0408",
    "k": "\u043a\u041a\u03ba\u039a",
    "l": "\u0406\u03991|I",
    "m": "\u043c\u041c\u039c",
    "n": "\u039d",
    "o": "\u043e\u041e\u03bf\u039f0",
    "p": "\u0440\u0420\u03c1\u03a1",
    "s": "\u0455\u0405",
    "t": "\u0442\u0422\u03c4\u03a4",
    "u": "\u03c5",
    "v": "\u03bd",
    "x": "\u0445\u0425\u03c7\u03a7",
    "y": "\u0443\u0423\u03a5",
    "z": "\u0396",
}
_HYPHENS = "\u2010\u2011\u2012\u2013\u2014\u2212"
_LOOKS = str.maketrans(
    {other: letter for letter, others in {**_LIKE, "-": _HYPHENS}.items() for other in others}
)
