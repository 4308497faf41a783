"""What the attributes of a class mean: the docstrings below their lines, read from the source.

Python keeps no docstrings of attributes, but editors show them. Reading them takes milliseconds, so
that it is done when the JSON Schema, the tables of keys or `help()` first ask, not at import.
"""

import ast
import inspect
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import pairwise

import attrs


@cache
def meanings(cls: type) -> Mapping[str, str]:
    """The meaning of each attribute of an attrs class, base classes included.

    Attributes without docstring are missing, as are all whose source cannot be found.
    """
    found: dict[str, str] = {}
    for each in reversed(cls.__mro__):
        if attrs.has(each):
            found |= _docstrings(each.__module__).get(each.__name__, {})
    return found


@cache
def _docstrings(module: str) -> dict[str, dict[str, str]]:
    """The docstrings of attributes in a module, by class; empty if its source is not there."""
    try:
        source = inspect.getsource(sys.modules[module])
    except (KeyError, OSError):
        return {}
    return {
        node.name: dict(_attribute_docstrings(node))
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.ClassDef)
    }


def _attribute_docstrings(node: ast.ClassDef) -> Iterator[tuple[str, str]]:
    for line, below in pairwise(node.body):
        match line, below:
            case (
                ast.AnnAssign(target=ast.Name(id=name)),
                ast.Expr(value=ast.Constant(value=str(text))),
            ):
                yield name, " ".join(text.split())
            case _:
                pass
