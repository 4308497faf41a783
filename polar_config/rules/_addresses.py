"""Hosts and URLs: what is one, and what follows from it.

`urlsplit` accepts nearly anything, and what it accepts depends on Python's version: here the whole
string must match the grammar. Why an address was refused is the business of `_faults`.
"""

import re
from typing import NamedTuple

MAX_PORT = 65_535
EVERY_INTERFACE = 'write "0.0.0.0" to listen on every interface'

# Patterns are compiled where they are first used: most are for addresses that are refused.
_OCTET = r"(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])"
IPV4 = rf"{_OCTET}(?:\.{_OCTET}){{3}}"
_NAME = r"[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*"
_NUMERIC = r"(?:0[xX][0-9A-Fa-f]*|[0-9]+)$"
_ZONE_ID = r"[A-Za-z0-9_.~-]+"
URL = r"""(?x)(?P<scheme>[A-Za-z]+)://
    (?:(?P<user>(?:[A-Za-z0-9._~!$&'()*+,;=:-]|%[0-9A-Fa-f]{2})*)@)?
    (?P<host>\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)
    (?::(?P<port>[0-9]+))?
    (?P<path>(?:/(?:[A-Za-z0-9._~!$&'()*+,;=:@-]|%[0-9A-Fa-f]{2})*)*)"""

# Nearly every address is one of these, which the whole rules below accept as they are.
_USUAL_HOST = rf"(?:{_OCTET}(?:\.{_OCTET}){{3}}|(?:[A-Za-z0-9_-]+\.)*[A-Za-z_][A-Za-z0-9_-]*)"
_USUAL_URL = rf"https?://{_USUAL_HOST}(?::(?:[1-9][0-9]{{0,3}}|[1-5][0-9]{{4}}))?"


def is_usual_host(text: str) -> bool:
    """Whether `text` is a host at first sight."""
    return re.fullmatch(_USUAL_HOST, text) is not None


def is_usual_url(text: str) -> bool:
    """Whether `text` is a URL at first sight, and needs nothing removed."""
    return re.fullmatch(_USUAL_URL, text) is not None


# --- hosts ----------------------------------------------------------------------------------------


def is_host(text: str) -> bool:
    """Whether `text` is a hostname, an IPv4 address or an IPv6 address without brackets.

    An IPv6 address may have a zone ID (``fe80::1%eth0``).
    """
    if ":" not in text:
        return is_name_or_ipv4(text)
    address, percent, zone_id = text.partition("%")
    return is_ipv6(address) and (not percent or re.fullmatch(_ZONE_ID, zone_id) is not None)


def is_name_or_ipv4(text: str) -> bool:
    """Whether `text` is a hostname or an IPv4 address; a name does not end in a number."""
    if re.fullmatch(_NAME, text) is None:
        return False
    return not is_numeric(text) or re.fullmatch(IPV4, text) is not None


def is_numeric(text: str) -> bool:
    """Whether the last part of a host is a number, in which case resolvers read it as IPv4."""
    last = text.rstrip(".").rpartition(".")[2]
    return re.match(_NUMERIC, last) is not None


def is_ipv6(text: str) -> bool:
    """Whether `text` is an IPv6 address, without brackets and zone ID."""
    from ipaddress import AddressValueError, IPv6Address  # few topologies need it

    try:
        IPv6Address(text)
    except AddressValueError:
        return False
    return "%" not in text


def unbracketed(text: str) -> str:
    """`text` without the brackets of an IPv6 address: what a socket binds."""
    if text.startswith("[") and text.endswith("]") and ":" in text:
        return text[1:-1]
    return text


def derived_url(host: str, port: int) -> str | None:
    """The URL at which a process that binds `host` is called from its own machine.

    None if the address has a zone ID, which a URL cannot have.
    """
    if host == "0.0.0.0":  # the very address to map
        return f"http://127.0.0.1:{port}"
    if ":" not in host:
        return f"http://{host}:{port}"
    if "%" in host:
        return None
    from ipaddress import IPv6Address  # few topologies need it

    if int(IPv6Address(host)) == 0:
        return f"http://127.0.0.1:{port}"
    return f"http://[{host}]:{port}"


# --- URLs -----------------------------------------------------------------------------------------


def normal_url(text: str) -> str | None:
    """A URL without trailing slashes; None where `text`, which is stripped, is not a valid one."""
    match = re.fullmatch(URL, text)
    if match is None:
        return None
    scheme, _, host, port, _ = match.groups()
    if scheme.lower() not in {"http", "https"} or not _is_url_host(host):
        return None
    if port is not None and not is_port(port):
        return None
    return text.rstrip("/")


def is_port(text: str) -> bool:
    """Whether `text` is a port in plain decimal."""
    return re.fullmatch("[1-9][0-9]{0,4}", text) is not None and int(text) <= MAX_PORT


def _is_url_host(host: str) -> bool:
    if host[0] == "[":
        return is_ipv6(host[1:-1])
    if host[-1] == ".":
        return is_name_or_ipv4(host[:-1]) and not is_numeric(host)
    return is_name_or_ipv4(host)


# --- where a URL leads ----------------------------------------------------------------------------

_DEFAULT_PORTS = {"http": 80, "https": 443}


class Target(NamedTuple):
    """The machine, the port and the path that a URL leads to."""

    host: str
    port: int
    path: str


def target(url: str) -> Target:
    """Where a valid URL leads; hosts are comparable."""
    match = next(re.finditer(URL, url))
    scheme, _, host, port, path = match.groups()
    if port is None:
        port = _DEFAULT_PORTS.get(scheme.lower(), 80)
    return Target(comparable(unbracketed(host)), int(port), path)


def comparable(host: str) -> str:
    """A host in one spelling: two that lead to the same machine by their text alone are equal."""
    if ":" in host and "%" not in host:
        from ipaddress import IPv6Address  # few topologies need it

        address = IPv6Address(host)
        return str(address.ipv4_mapped or address)
    return host.lower().removesuffix(".")


def is_wildcard(host: str) -> bool:
    """Whether a comparable host means every interface of a machine."""
    return host in {"0.0.0.0", "::"}  # the very addresses to look for


def is_loopback(host: str) -> bool:
    """Whether a comparable host is reached from its own machine only."""
    return host in {"localhost", "::1"} or re.fullmatch(r"127(?:\.[0-9]+){3}", host) is not None
