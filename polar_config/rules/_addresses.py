"""Hosts and URLs: what is one, what it should have been, and what follows from it.

`urlsplit` accepts nearly anything, and what it accepts depends on Python's version: here the whole text must match.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from polar_config.errors._words import quote

MAX_PORT = 65_535

_EVERY_INTERFACE = 'write "0.0.0.0" to listen on every interface'
_NO_SCHEME = "the URL must begin with http:// or https://"

# Patterns are compiled where they are first used: most are for addresses that are refused.
_OCTET = r"(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])"
_IPV4 = rf"{_OCTET}(?:\.{_OCTET}){{3}}"
_NAME = r"[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*"
_NUMERIC = r"(?:0[xX][0-9A-Fa-f]*|[0-9]+)\.?$"
_ZONE = r"[A-Za-z0-9_.~-]+"
_URL = r"""(?x)(?P<scheme>[A-Za-z]+)://
    (?:(?P<user>(?:[A-Za-z0-9._~!$&'()*+,;=:-]|%[0-9A-Fa-f]{2})*)@)?
    (?P<host>\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)
    (?::(?P<port>[0-9]+))?
    (?P<path>(?:/(?:[A-Za-z0-9._~!$&'()*+,;=:@-]|%[0-9A-Fa-f]{2})*)*)"""

# Nearly every address is one of these, which need no second look: the whole rules below take them as they are.
_USUAL_HOST = rf"(?:{_OCTET}(?:\.{_OCTET}){{3}}|(?:[A-Za-z0-9_-]+\.)*[A-Za-z_][A-Za-z0-9_-]*)"
_USUAL_URL = rf"https?://{_USUAL_HOST}(?::(?:[1-9][0-9]{{0,3}}|[1-5][0-9]{{4}}))?"


def is_usual_host(text: str) -> bool:
    """Whether `text` is a host at first sight."""
    return re.fullmatch(_USUAL_HOST, text) is not None


def is_usual_url(text: str) -> bool:
    """Whether `text` is a URL at first sight, and needs nothing removed."""
    return re.fullmatch(_USUAL_URL, text) is not None


class Fault(NamedTuple):
    """Why an address was refused, and the mend."""

    reason: str
    hint: str | None = None


# --- hosts ------------------------------------------------------------------------------------------------------------


def is_host(text: str) -> bool:
    """Whether `text` is a host name, an IPv4 address or an IPv6 address without brackets, with or without a zone."""
    if ":" in text:
        address, percent, zone = text.partition("%")
        return is_ipv6(address) and (not percent or re.fullmatch(_ZONE, zone) is not None)
    return _is_name_or_ipv4(text)


def _is_name_or_ipv4(text: str) -> bool:
    if re.fullmatch(_NAME, text) is None:
        return False
    last = text[text.rfind(".") + 1 :]
    return (
        not last[0].isdigit()
        or re.match(_NUMERIC, last) is None
        or re.fullmatch(_IPV4, text) is not None
    )


def is_ipv6(text: str) -> bool:
    """Whether `text` is an IPv6 address, without brackets and zone."""
    from ipaddress import AddressValueError, IPv6Address  # noqa: PLC0415  (few topologies need it)

    try:
        IPv6Address(text)
    except AddressValueError:
        return False
    return "%" not in text


def unbracketed(text: str) -> str:
    """`text` without the brackets of an IPv6 address: what a socket binds."""
    return text[1:-1] if text.startswith("[") and text.endswith("]") and ":" in text else text


def derived_url(host: str, port: int) -> str | None:
    """The URL at which a process that binds `host` is called from its own machine; None if the address has a zone."""
    if ":" not in host:
        return f"http://{'127.0.0.1' if host == '0.0.0.0' else host}:{port}"  # noqa: S104  (the very thing to map)
    if "%" in host:
        return None
    from ipaddress import IPv6Address  # noqa: PLC0415  (few topologies need it)

    return f"http://127.0.0.1:{port}" if int(IPv6Address(host)) == 0 else f"http://[{host}]:{port}"


def host_fault(text: str) -> Fault:
    """What is wrong with a host that `is_host` refused."""
    return next(_host_faults(text))


def _host_faults(text: str) -> Iterator[Fault]:
    if "://" in text:
        yield Fault("a host takes no scheme", _only(text.partition("://")[2]))
    if text == "*":
        yield Fault('"*" is no address', _EVERY_INTERFACE)
    if re.search(r"\s", text):
        yield Fault("a host has no spaces in it", "remove them")
    if "/" in text or "\\" in text:
        yield Fault("a host takes no path", _only(text))
    if not text.isascii():
        yield Fault("a host is written in ASCII", "write an international name in its xn-- form")
    if ":" in text:
        yield _colon_fault(text)
    if ".." in text or text[:1] == "." or text[-1:] == ".":
        yield Fault("a host name has no empty part", _only(text.strip(".")))
    if _looks_numeric(text):
        hint = _EVERY_INTERFACE if text.strip("0.") == "" else _in_full(text)
        yield Fault("an IPv4 address has four numbers from 0 to 255, without leading zeros", hint)
    yield Fault("a host name has only letters, digits, '-', '_' and dots")


def _looks_numeric(text: str) -> bool:
    last = text.rstrip(".").rpartition(".")[2]
    return re.match(_NUMERIC, last) is not None


def _in_full(text: str) -> str | None:
    """The mend for a short form such as 127.1."""
    first, *rest = text.split(".")
    whole = ".".join([first, *["0"] * (3 - len(rest)), *rest])
    return f'write "{whole}"' if rest and re.fullmatch(_IPV4, whole) else None


def _colon_fault(text: str) -> Fault:
    head, _, port = text.rpartition(":")
    if port.isdecimal() and is_host(unbracketed(head)) and ("[" in head or ":" not in head):
        return Fault("a host takes no port", f"write {quote(head)} here and the port under port")
    return Fault("this is no IPv6 address")


def _only(text: str) -> str | None:
    rest = re.split(r"[/\\]", text, maxsplit=1)[0]
    host = unbracketed(rest if is_host(unbracketed(rest)) else rest.rpartition(":")[0])
    return f"write {quote(host)}" if is_host(host) else None


# --- URLs -------------------------------------------------------------------------------------------------------------


def normal_url(text: str) -> str | Fault:
    """A URL without trailing slashes, or what is wrong with it. `text` is already stripped."""
    match = re.fullmatch(_URL, text)
    if match is None:
        return _url_fault(text)
    scheme, _, host, port, _ = match.groups()
    if scheme.lower() not in {"http", "https"}:
        return Fault(_NO_SCHEME)
    if port is not None and not _is_port(port):
        return Fault(
            f"the port in the URL must be a number from 1 to {MAX_PORT}, without leading zeros"
        )
    if host[0] == "[":
        if not is_ipv6(host[1:-1]):
            return Fault("the address in brackets is no IPv6 address")
    elif not _is_name_or_ipv4(host.removesuffix(".")) or (host[-1] == "." and _looks_numeric(host)):
        return _url_host_fault(host)
    return text.rstrip("/")


def _is_port(text: str) -> bool:
    return re.fullmatch("[1-9][0-9]{0,4}", text) is not None and int(text) <= MAX_PORT


def _url_host_fault(host: str) -> Fault:
    if _looks_numeric(host):
        return Fault(
            "an IPv4 address in a URL has four numbers from 0 to 255, without leading zeros"
        )
    return Fault("the host in the URL has an empty part")


def _url_fault(text: str) -> Fault:
    """What is wrong with a text that is no URL at all."""
    scheme, colon, rest = text.partition("://")
    return next(_url_faults(text, scheme, rest)) if colon else _scheme_fault(text)


def _url_faults(text: str, scheme: str, rest: str) -> Iterator[Fault]:
    if scheme.lower() not in {"http", "https"}:
        yield Fault(_NO_SCHEME)
    if re.search(r"\s", text):
        where = re.search(r"\s", rest.partition("/")[0])
        yield Fault(
            "a URL has no spaces in it", "remove them" if where else "write %20 for a space"
        )
    if "\\" in text:
        yield Fault("a URL has no backslash in it", "write / instead")
    if not text.isprintable():
        yield Fault("a URL has no control characters in it")
    if "#" in rest:
        yield Fault(
            "a fragment (#…) does not belong here: paths are appended to this URL", "remove it"
        )
    if "?" in rest:
        yield Fault(
            "a query (?…) does not belong here: paths are appended to this URL", "remove it"
        )
    yield from _authority_faults(rest)


def _scheme_fault(text: str) -> Fault:
    place = re.sub(r"(?i)^(?:https?(?=[:/]))?[:/]*", "", text)
    whole = f"http://{place}"
    if re.fullmatch(r"(?i)https?", place) or not (
        re.fullmatch(_URL, whole) and isinstance(normal_url(whole), str)
    ):
        return Fault(_NO_SCHEME)
    return Fault(
        _NO_SCHEME,
        f"{'add http://' if place == text else 'write'}: {quote(whole, url=True)}".replace(
            "write:", "write"
        ),
    )


def _authority_faults(rest: str) -> Iterator[Fault]:
    user, _, place = rest.partition("/")[0].rpartition("@")
    host, colon, port = place.partition(":")
    if re.match(r"(?i)https?:?$", place) and rest.startswith(f"{place}//"):
        yield Fault("the URL has two schemes", "write http:// once")
    if place.startswith("["):
        yield _bracket_fault(place)
    if place.count(":") > 1:
        yield Fault("an IPv6 address in a URL stands in brackets", _bracketed(place))
    if not host:
        yield Fault("the URL has no host")
    if colon and not (port.isascii() and port.isdecimal()):
        yield Fault(
            f"the port in the URL must be a number from 1 to {MAX_PORT}",
            None if port else "remove the colon",
        )
    if not host.isascii():
        yield Fault("a host is written in ASCII", "write an international name in its xn-- form")
    if not re.fullmatch(r"[A-Za-z0-9._-]+", host):
        yield Fault("the host in a URL has only letters, digits, '-', '_' and dots")
    where = "path" if re.fullmatch(_URL, f"http://{user}@h") else "user part"
    yield Fault(f"the URL's {where} has a character that must be percent-encoded")


def _bracket_fault(place: str) -> Fault:
    address, closing, port = place[1:].partition("]")
    if "%" in address:
        return Fault("an IPv6 address in a URL takes no zone", "remove the % and what follows it")
    if not closing or not is_ipv6(address):
        return Fault("the address in brackets is no IPv6 address")
    return Fault(
        f"after the brackets comes a port from 1 to {MAX_PORT}, or nothing",
        "remove the colon" if port == ":" else None,
    )


def _bracketed(place: str) -> str | None:
    head, _, port = place.rpartition(":")
    if len(port) > 1 and _is_port(port) and is_ipv6(head):
        return f"write [{head}]:{port}"
    return f"write [{place}]" if is_ipv6(place) else None


# --- where a URL leads ------------------------------------------------------------------------------------------------


class Target(NamedTuple):
    """The machine, the port and the path that a URL leads to."""

    host: str
    port: int
    path: str


def target(url: str) -> Target:
    """Where a URL leads that is one; hosts are comparable."""
    match = re.match(_URL, url)
    scheme, _, host, port, path = match.groups() if match else ("", "", url, None, "")
    return Target(
        comparable(unbracketed(host)),
        int(port) if port else 443 if scheme.lower() == "https" else 80,
        path,
    )


def comparable(host: str) -> str:
    """A host in one spelling: two that lead to the same machine by their text alone are equal."""
    if ":" in host and "%" not in host:
        from ipaddress import IPv6Address  # noqa: PLC0415  (few topologies need it)

        address = IPv6Address(host)
        return str(address.ipv4_mapped or address)
    return host.lower().removesuffix(".")


def is_wildcard(host: str) -> bool:
    """Whether a comparable host stands for every interface of a machine."""
    return host in {"0.0.0.0", "::"}  # noqa: S104  (the very thing to look for)


def is_loopback(host: str) -> bool:
    """Whether a comparable host is reached from its own machine only."""
    return host in {"localhost", "::1"} or re.fullmatch(r"127(?:\.[0-9]+){3}", host) is not None
