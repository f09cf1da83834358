"""Sockets of each kind."""

from __future__ import annotations

import socket
from typing import Optional

from .registry import attack


def _made(family: int, kind: int, protocol: int = 0) -> str:
    with socket.socket(family, kind, protocol) as made:
        made.fileno()
    return "made a socket"


@attack("network")
def make_a_tcp_socket() -> Optional[str]:
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as made:
        made.settimeout(1)
        made.connect(("127.0.0.1", 22))
    return "connected"


@attack("network")
def refused_by_a_real_port() -> Optional[str]:
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as made:
        made.settimeout(1)
        try:
            made.connect(("127.0.0.1", 1))
        except ConnectionRefusedError:
            return "the machine answered"
    return None


@attack("network")
def listen_on_tcp() -> Optional[str]:
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as made:
        made.bind(("0.0.0.0", 0))
        made.listen(1)
        return f"listens on {made.getsockname()}" if hasattr(socket, "AF_UNIX") and made.getsockname()[1] else None


@attack("network")
def send_a_datagram() -> Optional[str]:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as made:
        made.sendto(b"x", ("127.0.0.1", 9))
    return "sent"


@attack("network")
def use_ipv6() -> Optional[str]:
    with socket.socket(socket.AF_INET6, socket.SOCK_DGRAM) as made:
        made.sendto(b"x", ("::1", 9))
    return "sent"


@attack("network")
def make_a_raw_socket() -> Optional[str]:
    return _made(socket.AF_INET, socket.SOCK_RAW, 1)


@attack("network")
def make_a_packet_socket() -> Optional[str]:
    return _made(socket.AF_PACKET, socket.SOCK_RAW, 0)


@attack("network")
def make_a_netlink_socket() -> Optional[str]:
    return _made(socket.AF_NETLINK, socket.SOCK_RAW, 0)


@attack("network")
def make_a_virtual_machine_socket() -> Optional[str]:
    return _made(socket.AF_VSOCK, socket.SOCK_STREAM, 0)


@attack("network")
def make_a_crypto_socket() -> Optional[str]:
    return _made(socket.AF_ALG, socket.SOCK_SEQPACKET, 0)


@attack("network")
def connect_to_a_unix_socket() -> Optional[str]:
    for path in ("/var/run/docker.sock", "/run/dbus/system_bus_socket", "\0envwright"):
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as made:
            try:
                made.connect(path)
            except (FileNotFoundError, ConnectionRefusedError):
                continue
            return f"connected to {path!r}"
    return None


@attack("network")
def bind_an_abstract_socket() -> Optional[str]:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as made:
        made.bind("\0envwright-attack")
    return "bound"


@attack("network")
def make_a_pair_of_sockets() -> Optional[str]:
    first, second = socket.socketpair()
    first.close()
    second.close()
    return "made a pair"


@attack("network")
def resolve_a_name() -> Optional[str]:
    found = socket.getaddrinfo("example.com", 80)
    return f"resolved to {found[0][4]}" if found and not str(found[0][4][0]).startswith(("0.", "172.29.")) else None


@attack("network")
def fetch_a_page() -> Optional[str]:
    import urllib.request

    with urllib.request.urlopen("http://127.0.0.1:80/", timeout=1) as reply:
        return f"status {reply.status}"


@attack("network")
def run_an_event_loop_with_sockets() -> Optional[str]:
    import asyncio

    async def connect() -> str:
        await asyncio.open_connection("127.0.0.1", 22)
        return "connected"

    return asyncio.run(connect())
