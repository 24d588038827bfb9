# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ranks over TCP where the network damages what they send, where strangers and ranks of other starts come to
their port, and where nobody answers. scripts/fault_trials.py repeats it at random places."""

import os
import signal
import threading
import time

import pytest
from launcher import free_port
from network import DAMAGES, Damage, FakeHost, Proxy, Strangers, through_proxy

USAGE, TIMED_OUT, NETWORK_FAULT = 2, 5, 7


@pytest.fixture
def training(program, tmp_path):
    """`training(steps, mesh, *options)`: a program, and its arguments; the file `saved` is written."""

    def make(steps, mesh="tp=2", *options):
        compiled = program("cola", "tiny", mesh)
        arguments = ("train", "--data", compiled.model.tokens_file, "--lr", 1e-3, "--min-lr", 1e-3, "--quiet")
        return compiled, (*arguments, "--steps", steps, "--save", tmp_path / "saved", *options)

    return make


def at_port(port, size=2, **more):
    return {rank: {"BOOST_MASTER_PORT": str(port)} | more for rank in range(size)}


def outcome(run, rank, seconds=60):
    """Exit code and errors of one rank, which nobody ends."""
    errors = run.processes[rank].communicate(timeout=seconds)[1]
    return run.processes[rank].returncode, errors


# ---------------------------------------------------------------------------------------
# Damage
# ---------------------------------------------------------------------------------------

# Bytes from rank 0 over the connection of tensors: the first are the handshake.
PLACES = {kind: 3000 + 700 * number for number, kind in enumerate(DAMAGES)}


@pytest.mark.parametrize("kind", DAMAGES)
def test_damage_of_a_tensor_is_a_network_fault(start_ranks, training, kind):
    compiled, arguments = training(50, "tp=2", "--timeout", 20)
    port = free_port() + 1
    damage = Damage(kind, connection=1, is_to_host=False, offset=PLACES[kind], length=3)
    proxy = Proxy(port, damage)
    code, _, errors = start_ranks(compiled, *arguments, variables=through_proxy(port, 2)).wait()
    proxy.close()
    assert damage.was_done
    assert code == NETWORK_FAULT, errors
    assert "error: rank 1 got from rank 0 " in errors and "the network changes" in errors


# The first connection is that by which rank 1 comes to the meeting; then that of tensors and that of notes.
@pytest.mark.parametrize("kind", DAMAGES)
@pytest.mark.parametrize("connection,is_to_host,offset", [(0, True, 60), (0, False, 70), (1, True, 3), (2, False, 20)])
def test_damage_of_a_meeting_is_a_network_fault(start_ranks, training, kind, connection, is_to_host, offset):
    compiled, arguments = training(5, "tp=2", "--timeout", 12)
    port = free_port() + 1
    damage = Damage(kind, connection, is_to_host, offset)
    proxy = Proxy(port, damage)
    run = start_ranks(compiled, *arguments, variables=through_proxy(port, 2))
    code, errors = outcome(run, 1)
    proxy.close()
    assert damage.was_done
    assert code == NETWORK_FAULT and "sent each other while they met is damaged" in errors, errors


# ---------------------------------------------------------------------------------------
# Strangers
# ---------------------------------------------------------------------------------------


@pytest.fixture
def genuine(start_ranks, training):
    """A claim of rank 1."""
    compiled, arguments = training(5)
    host = FakeHost()
    start_ranks(compiled, *arguments, ranks=[1], variables=at_port(host.port))
    yield host.take_claim()
    host.close()


@pytest.mark.parametrize("secret", ["a secret", ""])
def test_strangers_do_not_disturb(start_ranks, training, tmp_path, genuine, secret):
    """All kinds, at the same time, before rank 1 comes and while it trains."""
    compiled, arguments = training(400, "tp=2", "--timeout", 30)
    assert start_ranks(compiled, *arguments).wait()[0] == 0
    expected = (tmp_path / "saved").read_bytes()
    port = free_port() + 1
    variables = at_port(port, **({"BOOST_RUN_SECRET": secret} if secret else {}))
    strangers = Strangers(port, genuine)
    run = start_ranks(compiled, *arguments, ranks=[0], variables=variables)
    kinds = Strangers.KINDS if secret else Strangers.HARMLESS
    for kind in kinds:
        kind(strangers)
    run.processes |= start_ranks(compiled, *arguments, ranks=[1], variables=variables).processes
    for kind in kinds:
        kind(strangers)
    code, _, errors = run.wait()
    assert code == 0, errors
    assert strangers.joined() == 0
    assert (tmp_path / "saved").read_bytes() == expected
    strangers.leave()


def test_without_a_secret_whoever_knows_the_program_may_join(start_ranks, training, genuine):
    compiled, arguments = training(5, "tp=2", "--timeout", 30)
    port = free_port() + 1
    start_ranks(compiled, *arguments, ranks=[0], variables=at_port(port))
    stranger = Strangers(port, genuine)
    connection = stranger.claim()
    assert connection.recv(8) == b"boost-ve" and connection.recv(8) == bytes(8)
    stranger.leave()


def test_another_secret_is_refused(start_ranks, training):
    compiled, arguments = training(5, "tp=2", "--timeout", 60)
    variables = at_port(free_port() + 1)
    variables[0]["BOOST_RUN_SECRET"] = "a secret"
    for other in ("another", None):
        variables[1]["BOOST_RUN_SECRET"] = other
        code, _, errors = start_ranks(compiled, *arguments, variables=variables).wait()
        assert code == USAGE
        assert "rank 1 does not have the secret of rank 0; set BOOST_RUN_SECRET" in errors


def test_a_secret_from_a_file(start_ranks, training, tmp_path):
    compiled, arguments = training(5, "tp=2", "--timeout", 60)
    file = tmp_path / "secret"
    file.write_text("a secret\n")
    file.chmod(0o640)
    variables = at_port(free_port() + 1, BOOST_RUN_SECRET_FILE=str(file))
    code, _, errors = start_ranks(compiled, *arguments, variables=variables).wait()
    assert code == USAGE and "others than its owner may read; run `chmod 600 " in errors
    file.chmod(0o600)
    assert start_ranks(compiled, *arguments, variables=variables).wait()[0] == 0


def test_listening_beyond_the_loopback_interface_is_told(start_ranks, training):
    compiled, arguments = training(5, "tp=2", "--timeout", 60)
    told = "warning: ranks meet at 0.0.0.0:"
    variables = at_port(free_port() + 1, LOCAL_WORLD_SIZE="1")
    code, _, errors = start_ranks(compiled, *arguments, variables=variables).wait()
    assert code == 0 and errors.count(told) == 1 and "without a secret" in errors
    variables = at_port(free_port() + 1, LOCAL_WORLD_SIZE="1", BOOST_RUN_SECRET="a secret")
    code, _, errors = start_ranks(compiled, *arguments, variables=variables).wait()
    assert code == 0 and "warning" not in errors
    variables = at_port(free_port() + 1)
    code, _, errors = start_ranks(compiled, *arguments, variables=variables).wait()
    assert code == 0 and "warning" not in errors


# ---------------------------------------------------------------------------------------
# Other starts
# ---------------------------------------------------------------------------------------


def test_a_rank_of_an_earlier_start_does_not_join(start_ranks, training):
    """It has met a rank 0 that was killed; then the run is started again at the same port."""
    compiled, arguments = training(50, "tp=2", "--timeout", 60)
    host = FakeHost()
    stale = start_ranks(compiled, *arguments, ranks=[1], variables=at_port(host.port))
    host.take_claim()
    host.close()
    again = start_ranks(compiled, *arguments, variables=at_port(host.port))
    code, errors = outcome(stale, 1)
    assert code == USAGE, errors
    assert "rank 1 belongs to another start of the program than rank 0" in errors
    assert again.wait()[0] == 0


def test_a_place_is_taken_once(start_ranks, training, tmp_path):
    """Another rank 1 comes while the run is under way: it is told so, and the run goes on."""
    log = tmp_path / "log"
    compiled, arguments = training(2000, "tp=2", "--timeout", 60, "--log", log)
    variables = at_port(free_port() + 1)
    run = start_ranks(compiled, *arguments, variables=variables)
    while not log.exists():
        time.sleep(0.01)
    code, errors = outcome(start_ranks(compiled, *arguments, ranks=[1], variables=variables), 1)
    assert code == USAGE and "two processes say that they are rank 1" in errors, errors
    code, _, errors = run.wait()
    assert code == 0
    assert errors.startswith("warning: refused a process at 127.0.0.1:")


def test_runs_of_two_torchruns_do_not_mix(start_ranks, training):
    compiled, arguments = training(5, "tp=2", "--timeout", 60)
    variables = at_port(free_port() + 1, TORCHELASTIC_RUN_ID="one")
    host = start_ranks(compiled, *arguments, ranks=[0], variables=variables)
    other = {1: variables[1] | {"TORCHELASTIC_RUN_ID": "two"}}
    code, errors = outcome(start_ranks(compiled, *arguments, ranks=[1], variables=other), 1)
    assert code == USAGE and "rank 1 was started by another torchrun than rank 0" in errors, errors
    host.processes |= start_ranks(compiled, *arguments, ranks=[1], variables=variables).processes
    assert host.wait()[0] == 0


# ---------------------------------------------------------------------------------------
# Nobody answers
# ---------------------------------------------------------------------------------------

SECONDS = 3


def assert_all_end(run, ranks, begin):
    """Within twice the limit, and what is missing is told; where ranks have met rank 0, by that one."""
    told = ""
    for rank in ranks:
        code, errors = outcome(run, rank)
        assert code == TIMED_OUT, (rank, errors)
        # A process takes a moment to start and to end.
        assert time.monotonic() - begin < 2 * SECONDS + 1.5, rank
        told += errors
    assert "missing: " in told, told


def test_closed_connections_do_not_renew_the_limit(start_ranks, training):
    host = FakeHost()

    def close_all():
        try:
            while True:
                host.listener.accept()[0].close()
        except OSError:
            pass

    threading.Thread(target=close_all, daemon=True).start()
    compiled, arguments = training(5, "tp=2", "--timeout", SECONDS)
    begin = time.monotonic()
    run = start_ranks(compiled, *arguments, ranks=[1], variables=at_port(host.port))
    assert_all_end(run, [1], begin)
    host.listener.shutdown(2)


@pytest.mark.parametrize("victim", [0, 3])
def test_ranks_whose_peer_is_killed_in_the_meeting_end(start_ranks, training, victim):
    compiled, arguments = training(5, "dp=2,tp=2", "--timeout", SECONDS)
    ranks = [0, 1, 3]
    run = start_ranks(compiled, *arguments, ranks=ranks)
    begin = time.monotonic()
    time.sleep(0.7)
    run.processes[victim].kill()
    ranks.remove(victim)
    assert_all_end(run, ranks, begin)


def test_ranks_whose_peers_are_killed_end_without_a_launcher(start_ranks, training, tmp_path):
    log = tmp_path / "log"
    compiled, arguments = training(10**8, "dp=2,tp=2", "--timeout", SECONDS, "--log", log)
    run = start_ranks(compiled, *arguments)
    while not log.exists() or log.read_text().count("\n") < 3:
        time.sleep(0.01)
    begin = time.monotonic()
    for rank in (0, 3):
        os.kill(run.processes[rank].pid, signal.SIGKILL)
    assert_all_end(run, [1, 2], begin)
