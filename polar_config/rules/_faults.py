"""Why a host or URL was refused, and the fix: the first fault that an operator would name."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from polar_config.errors._words import quote
from polar_config.rules._addresses import (
    EVERY_INTERFACE,
    IPV4,
    MAX_PORT,
    URL,
    is_host,
    is_ipv6,
    is_numeric,
    is_port,
    normal_url,
    unbracketed,
)

_NO_SCHEME = "the URL must begin with http:// or https://"
_IPV4_FORM = "four numbers from 0 to 255, without leading zeros"
_NOT_ASCII = "a hostname must be ASCII"
_USE_XN = "write an international name in its xn-- form"


class Fault(NamedTuple):
    """Why an address was refused, and the fix."""

    reason: str
    hint: str | None = None


# --- hosts ----------------------------------------------------------------------------------------


def host_fault(text: str) -> Fault:
    """What is wrong with a host that `is_host` refused."""
    # Checks are in the order in which an operator would name the faults; only the first counts.
    return next(_host_faults(text))


def _host_faults(text: str) -> Iterator[Fault]:
    if "://" in text:
        yield Fault("host must not contain a scheme", _only(text.partition("://")[2]))
    if text == "*":
        yield Fault('"*" is not a valid address', EVERY_INTERFACE)
    if re.search(r"\s", text):
        yield Fault("host must not contain whitespace", "remove it")
    if "/" in text or "\\" in text:
        yield Fault("host must not contain a path", _only(text))
    if not text.isascii():
        yield Fault(_NOT_ASCII, _USE_XN)
    if ":" in text:
        yield _colon_fault(text)
    if ".." in text or text[:1] == "." or text[-1:] == ".":
        yield Fault("a hostname must not have empty parts", _only(text.strip(".")))
    if is_numeric(text):
        yield Fault(f"an IPv4 address has {_IPV4_FORM}", _in_full(text))
    yield Fault("a hostname has only letters, digits, '-', '_' and dots")


def _in_full(text: str) -> str | None:
    """The fix for a short form such as 0 or 127.1, which some systems read as 127.0.0.1."""
    if text.strip("0.") == "":
        return EVERY_INTERFACE
    first, *rest = text.split(".")
    whole = ".".join([first, *["0"] * (3 - len(rest)), *rest])
    if rest and re.fullmatch(IPV4, whole):
        return f'write "{whole}"'
    return None


def _colon_fault(text: str) -> Fault:
    head, _, port = text.rpartition(":")
    host = unbracketed(head)
    if port.isdecimal() and is_host(host) and ("[" in head or ":" not in head):
        return Fault("host must not contain a port", f"set host to {quote(host)}, port to {port}")
    return Fault("not a valid IPv6 address")


def _only(text: str) -> str | None:
    """The fix for a host with more around it: the host alone."""
    rest = re.split(r"[/\\]", text, maxsplit=1)[0]
    for host in (unbracketed(rest), unbracketed(rest.rpartition(":")[0])):
        if is_host(host):
            return f"write {quote(host)}"
    return None


# --- URLs -----------------------------------------------------------------------------------------


def url_fault(text: str) -> Fault:
    """What is wrong with a string that `normal_url` refused."""
    scheme, colon, rest = text.partition("://")
    if not colon:
        return _scheme_fault(text)
    match = re.fullmatch(URL, text)
    if match is None:
        return next(_url_faults(text, scheme, rest))
    return _value_fault(scheme, match["host"], match["port"])


def _scheme_fault(text: str) -> Fault:
    rest = re.sub(r"(?i)^(?:https?(?=[:/]))?[:/]*", "", text)
    whole = f"http://{rest}"
    if re.fullmatch(r"(?i)https?", rest) or normal_url(whole) is None:
        return Fault(_NO_SCHEME)
    if rest == text:
        return Fault(_NO_SCHEME, f"add http://: {quote(whole, url=True)}")
    return Fault(_NO_SCHEME, f"write {quote(whole, url=True)}")


def _value_fault(scheme: str, host: str, port: str | None) -> Fault:
    """What is wrong with a URL that has every part where it belongs."""
    if scheme.lower() not in {"http", "https"}:
        return Fault(_NO_SCHEME)
    if port is not None and not is_port(port):
        return Fault(
            f"the port in the URL must be a number from 1 to {MAX_PORT}, without leading zeros"
        )
    if host[0] == "[":
        return Fault("the address in brackets is not a valid IPv6 address")
    if is_numeric(host):
        return Fault(f"an IPv4 address in a URL has {_IPV4_FORM}")
    return Fault("the host in the URL has an empty part")


def _url_faults(text: str, scheme: str, rest: str) -> Iterator[Fault]:
    """What is wrong with a URL that does not match the grammar."""
    if scheme.lower() not in {"http", "https"}:
        yield Fault(_NO_SCHEME)
    if re.search(r"\s", text):
        yield _whitespace_fault(rest.partition("/")[0])
    if "\\" in text:
        yield Fault("a URL must not contain a backslash", "write / instead")
    if not text.isprintable():
        yield Fault("a URL must not contain control characters")
    if "#" in rest:
        yield Fault("a fragment (#…) is not allowed: paths are appended to this URL", "remove it")
    if "?" in rest:
        yield Fault("a query (?…) is not allowed: paths are appended to this URL", "remove it")
    yield from _authority_faults(rest)


def _whitespace_fault(authority: str) -> Fault:
    reason = "a URL must not contain whitespace"
    if re.search(r"\s", authority):
        return Fault(reason, "remove it")
    return Fault(reason, "write %20 for a space")


def _authority_faults(rest: str) -> Iterator[Fault]:
    userinfo, _, address = rest.partition("/")[0].rpartition("@")
    host, colon, port = address.partition(":")
    if re.match(r"(?i)https?:?$", address) and rest.startswith(f"{address}//"):
        yield Fault("the URL has two schemes", "write http:// once")
    if address.startswith("["):
        yield _bracket_fault(address)
    if address.count(":") > 1:
        yield Fault("an IPv6 address in a URL must be in brackets", _bracketed(address))
    if not host:
        yield Fault("the URL has no host")
    if colon and not (port.isascii() and port.isdecimal()):
        hint = None
        if not port:
            hint = "remove the colon"
        yield Fault(f"the port in the URL must be a number from 1 to {MAX_PORT}", hint)
    if not host.isascii():
        yield Fault(_NOT_ASCII, _USE_XN)
    if not re.fullmatch(r"[A-Za-z0-9._-]+", host):
        yield Fault("the host in a URL has only letters, digits, '-', '_' and dots")
    part = "path" if re.fullmatch(URL, f"http://{userinfo}@h") else "userinfo"
    yield Fault(f"the URL's {part} has a character that must be percent-encoded")


def _bracket_fault(address: str) -> Fault:
    inside, closing, port = address[1:].partition("]")
    if "%" in inside:
        return Fault(
            "an IPv6 address in a URL must not have a zone ID", "remove the % and what follows it"
        )
    if not closing or not is_ipv6(inside):
        return Fault("the address in brackets is not a valid IPv6 address")
    hint = None
    if port == ":":
        hint = "remove the colon"
    return Fault(f"only a port from 1 to {MAX_PORT} may follow the brackets", hint)


def _bracketed(address: str) -> str | None:
    head, _, port = address.rpartition(":")
    if len(port) > 1 and is_port(port) and is_ipv6(head):
        return f"write [{head}]:{port}"
    if is_ipv6(address):
        return f"write [{address}]"
    return None
