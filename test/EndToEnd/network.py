# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A network that damages what ranks send over TCP, and strangers at the port where they meet. All of it
takes place on the loopback interface."""

from __future__ import annotations

import contextlib
import dataclasses
import hashlib
import hmac
import os
import random
import select
import socket
import struct
import threading
import time

import xxhash

HERE, PROXIED = "127.0.0.1", "127.0.0.2"

# ---------------------------------------------------------------------------------------
# Damage
# ---------------------------------------------------------------------------------------

DAMAGES = ("flip", "zero", "insert", "delete", "repeat")


@dataclasses.dataclass
class Damage:
    """A change of the bytes from `offset` on of a connection, counted from 0, in one direction."""

    kind: str
    connection: int
    is_to_host: bool
    offset: int
    length: int = 1
    was_done: bool = False

    def apply(self, data: bytes, position: int) -> bytes:
        """`data` begins at `position` of the direction."""
        at = self.offset - position
        if self.was_done or at >= len(data):
            return data
        if self.kind == "zero":
            # Bytes that are zero already are not changed by it.
            while at < len(data) and not data[at]:
                at += 1
            self.offset = position + at
            if at == len(data):
                return data
        self.was_done = True
        end = min(at + self.length, len(data))
        changed = {
            "flip": lambda: bytes([data[at] ^ 1 << self.length % 8]) + data[at + 1 : end],
            "zero": lambda: bytes(end - at),
            "insert": lambda: bytes(range(1, self.length + 1)) + data[at:end],
            "delete": lambda: b"",
            "repeat": lambda: data[at:end] * 2,
        }[self.kind]()
        return data[:at] + changed + data[end:]


class Proxy:
    """Stands between rank 0 and ranks that take PROXIED for its address; damages one of their connections.
    `sizes` are the bytes that have passed, by connection and direction."""

    def __init__(self, port: int, damage: Damage | None = None):
        self.port, self.damage, self.sizes = port, damage, {}
        self.listener = socket.create_server((PROXIED, port), backlog=64)
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        number = 0
        with contextlib.suppress(OSError):
            while True:
                near = self.listener.accept()[0]
                try:
                    far = socket.create_connection((HERE, self.port))
                except OSError:
                    # Rank 0 does not listen yet.
                    near.close()
                    continue
                for is_to_host in (True, False):
                    ends = (near, far) if is_to_host else (far, near)
                    arguments = (*ends, number, is_to_host)
                    threading.Thread(target=self.forward, args=arguments, daemon=True).start()
                number += 1

    def forward(self, source, target, number, is_to_host):
        key = (number, is_to_host)
        self.sizes[key] = 0
        mine = self.damage and (self.damage.connection, self.damage.is_to_host) == key
        with contextlib.suppress(OSError):
            source.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            target.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            while data := source.recv(1 << 16):
                position = self.sizes[key]
                self.sizes[key] += len(data)
                target.sendall(self.damage.apply(data, position) if mine else data)
        with contextlib.suppress(OSError):
            target.shutdown(socket.SHUT_WR)

    def close(self):
        with contextlib.suppress(OSError):
            self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()


def through_proxy(port: int, ranks: int) -> dict[int, dict[str, str]]:
    """Variables by which all ranks but 0 come through a Proxy."""
    common = {"BOOST_MASTER_PORT": str(port)}
    return {rank: common | ({"MASTER_ADDR": PROXIED} if rank else {}) for rank in range(ranks)}


def random_damage(rng: random.Random, kind: str, sizes: dict[tuple[int, bool], int]) -> Damage:
    """At any byte of any connection; half of them where ranks exchange tensors."""
    if rng.random() < 0.5:
        (connection, is_to_host) = max(sizes, key=sizes.get)
        is_to_host = rng.random() < 0.5
    else:
        (connection, is_to_host) = rng.choice(sorted(sizes))
    offset = rng.randrange(sizes[connection, is_to_host])
    return Damage(kind, connection, is_to_host, offset, rng.choice([1, 2, 7, 8, 40, 64]))


# ---------------------------------------------------------------------------------------
# Strangers
# ---------------------------------------------------------------------------------------

CHALLENGE, CLAIM = struct.Struct("<8sQ16sQ"), struct.Struct("<8sQqqq64s64s48sQ16s32sQ")
SIGNED_CLAIM = struct.Struct("<8sQqqq64s64s48sQ16s")


def receive(connection: socket.socket, count: int) -> bytes:
    data = b""
    while len(data) < count:
        more = connection.recv(count - len(data))
        if not more:
            raise ConnectionError("closed")
        data += more
    return data


def challenge(run: int) -> bytes:
    head = struct.pack("<8sQ16s", b"boost-ch", run, os.urandom(16))
    return head + struct.pack("<Q", xxhash.xxh3_64_intdigest(head))


def claim_on(challenged: bytes, genuine: bytes, secret: str = "", **changes) -> bytes:
    """A claim like a genuine one, with another rank or channel, for another challenge."""
    names = ("start", "run", "rank", "size", "channel", "identity", "launcher_run", "machine", "port", "nonce")
    fields = dict(zip(names, CLAIM.unpack(genuine)[:10], strict=True))
    fields |= {"run": CHALLENGE.unpack(challenged)[1]} | changes
    head = SIGNED_CLAIM.pack(*fields.values())
    head += hmac.new(secret.encode(), challenged + head, hashlib.sha512).digest()[:32]
    return head + struct.pack("<Q", xxhash.xxh3_64_intdigest(head))


class FakeHost:
    """Listens in the place of rank 0, and challenges who comes."""

    def __init__(self, run: int = 1):
        self.run = run
        self.listener = socket.create_server((HERE, 0), backlog=64)
        self.port = self.listener.getsockname()[1]
        self.connection = None

    def take_claim(self) -> bytes:
        self.listener.settimeout(60)
        self.connection = self.listener.accept()[0]
        self.connection.settimeout(60)
        self.connection.sendall(challenge(self.run))
        return receive(self.connection, CLAIM.size)

    def close(self):
        self.listener.close()
        if self.connection:
            self.connection.close()


class Strangers:
    """Connections of strangers to a port. `genuine` is a claim of rank 1, without the secret: those
    that use it know the program. Each kind says if it needs one."""

    def __init__(self, port: int, genuine: bytes):
        self.port, self.genuine, self.held = port, genuine, []

    def connect(self) -> socket.socket:
        end = time.monotonic() + 30
        while True:
            try:
                connection = socket.create_connection((HERE, self.port), timeout=5)
                break
            except OSError:
                if time.monotonic() > end:
                    raise
                time.sleep(0.01)
        self.held.append(connection)
        return connection

    def send(self, data: bytes):
        with contextlib.suppress(OSError):
            self.connect().sendall(data)

    def silent(self):
        self.connect()

    def crowd(self):
        for _ in range(300):
            self.connect()

    def garbage(self):
        self.send(random.Random(len(self.held)).randbytes(128))

    def http(self):
        self.send(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")

    def old_registration(self):
        self.send(b"boostrk\0" + bytes(120))

    def unfinished(self):
        self.send(b"boost-cl" + bytes(40))

    def flood(self):
        connection = self.connect()
        connection.settimeout(0.2)
        with contextlib.suppress(OSError):
            for _ in range(64):
                connection.sendall(bytes(1 << 16))

    def reset(self):
        for _ in range(20):
            connection = self.connect()
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.held.remove(connection)
            connection.close()

    def claim(self, **changes):
        with contextlib.suppress(OSError):
            connection = self.connect()
            challenged = receive(connection, CHALLENGE.size)
            connection.sendall(claim_on(challenged, self.genuine, **changes))
            return connection

    def other_program(self):
        self.claim(identity=b"another program")

    def impostor(self):
        """Knows the program, but not the secret."""
        for channel in (-1, 0, 1):
            self.claim(channel=channel)

    def replay(self):
        """Sends a genuine claim again, which was for another challenge."""
        with contextlib.suppress(OSError):
            connection = self.connect()
            receive(connection, CHALLENGE.size)
            connection.sendall(self.genuine)

    HARMLESS = (silent, crowd, garbage, http, old_registration, unfinished, flood, reset, other_program)
    KINDS = (*HARMLESS, impostor, replay)

    def joined(self) -> int:
        """How many were taken for ranks."""
        taken = 0
        for connection in self.held:
            with contextlib.suppress(OSError):
                connection.setblocking(False)
                while select.select([connection], [], [], 0)[0]:
                    data = connection.recv(1 << 16)
                    if not data:
                        break
                    taken += b"boost-ve" + bytes(8) in data
        return taken

    def leave(self):
        for connection in self.held:
            connection.close()
