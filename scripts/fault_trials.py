#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Does to compiled programs what happens to long runs, and counts what they lose.

    scripts/fault_trials.py kill    --count 200   kills ranks, also inside checkpoints
    scripts/fault_trials.py damage  --count 300   truncates checkpoints and flips their bits
    scripts/fault_trials.py stop    --count 50    stops ranks (SIGSTOP), also at the start
    scripts/fault_trials.py power   --count 20    cuts the power of a disk (as root)
    scripts/fault_trials.py flip    --count 170   flips bits of the generated code
    scripts/fault_trials.py wire    --count 200   damages what ranks send over TCP
    scripts/fault_trials.py door    --count 200   sends strangers to the port of the ranks

Needs the build (BOOST_BUILD_DIR, else build/) and the environment .venv. Works in a
temporary folder. Exit code 1 if a trial failed, 2 if it cannot be made here.
"""

from __future__ import annotations

import argparse
import collections
import contextlib
import fcntl
import hashlib
import math
import os
import random
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(REPOSITORY / "python"), str(REPOSITORY / "test" / "EndToEnd")]

import launcher  # noqa: E402
import network  # noqa: E402

import boost_mlir  # noqa: E402

HANG_SECONDS = 120
# Open MPI 4.1.4's launcher crashes or waits for ever in PMIx_server_finalize if a rank that is ended
# was still connecting. All ranks have ended and the run has said why: such ends are counted apart.
LAUNCHER_SECONDS = 20
LAUNCHER_HUNG = "mpirun hung"
ENVIRONMENT = os.environ | {
    "PYTHONPATH": str(REPOSITORY / "python"),
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
}
# Of programs whose ranks are killed and stopped.
MESHES = ["1", "tp=2", "dp=2,tp=2", "pp=2,tp=2"]
RATES = ("--lr", "1e-3", "--min-lr", "1e-3")


class CannotTry(Exception):
    """This machine does not allow the trial."""


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def newest_step(folder: Path) -> int:
    return max((int(path.name[5:]) for path in folder.glob("step-*")), default=0)


def losses(log: Path) -> list:
    records = boost_mlir.read_log(log) if log.exists() else []
    return [(r["step"], r["loss"], r["grad_norm"]) for r in records]


class Run:
    """A program on its ranks."""

    def __init__(self, program: Program, *arguments):
        self.program = program
        launcher = ["mpirun", "-np", program.ranks, "--oversubscribe"] if program.ranks > 1 else []
        command = [*launcher, program.binary, *arguments]
        self.process = subprocess.Popen(
            ["nice", *map(str, command)],
            env=ENVIRONMENT,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
        )
        self.output = ""

    def ranks(self) -> dict[int, int]:
        """Processes that run the program by now, by rank."""
        found, pending = {}, [self.process.pid]
        while pending:
            pid = pending.pop()
            with contextlib.suppress(OSError):
                pending += map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split())
                if Path(os.readlink(f"/proc/{pid}/exe")) == self.program.binary:
                    entries = Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
                    ranks = [int(e[10:]) for e in entries if e.startswith(b"PMIX_RANK=")]
                    found[ranks[0] if ranks else 0] = pid
        return found

    def is_over(self) -> bool:
        return self.process.poll() is not None

    def wait(self, seconds: float, condition=lambda: False) -> bool:
        """Waits so long, or for the end, or for the condition; whether this came."""
        end = time.monotonic() + seconds
        while time.monotonic() < end and not self.is_over():
            if condition():
                return True
            time.sleep(0.001)
        return False

    def finish(self, seconds: float = HANG_SECONDS) -> int | str | None:
        """The exit code; LAUNCHER_HUNG if only mpirun is left, None if a rank is."""
        processes, end = self.ranks().values(), time.monotonic() + seconds
        reader = threading.Thread(target=self.read, daemon=True)
        reader.start()
        outcome, alone = None, None
        while not self.is_over() and time.monotonic() < end and outcome is None:
            alone = None if self.ranks() else alone or time.monotonic()
            if alone and time.monotonic() - alone > LAUNCHER_SECONDS:
                outcome = LAUNCHER_HUNG
            time.sleep(0.01)
        if not self.is_over():
            for pid in [*self.ranks().values(), self.process.pid]:
                with contextlib.suppress(OSError):
                    os.kill(pid, signal.SIGKILL)
            self.process.wait()
            reader.join(10)
            return outcome
        end = time.monotonic() + 10
        while any(Path(f"/proc/{pid}").exists() for pid in processes):
            if time.monotonic() > end:
                return None
            time.sleep(0.01)
        reader.join(10)
        return self.process.returncode

    def read(self):
        self.output = self.process.stdout.read()


class Program:
    """The tiny CoLA model, compiled."""

    def __init__(self, workplace: Workplace, mesh: str, *options: str):
        options += ("--micro-batches", "4") if "pp=" in mesh else ()
        sizes = [int(axis.split("=")[-1]) for axis in mesh.split(",")]
        self.mesh, self.ranks = mesh, math.prod(sizes)
        name = "-".join([mesh, *options]).replace("=", "").replace(",", "-")
        self.binary = (workplace.folder / f"train-{name}").resolve()
        tool = workplace.build / "bin" / "boost-compile"
        workplace.call(tool, workplace.model, "--mesh", mesh, *options, "-o", self.binary)


class Workplace:
    """A temporary folder with a model, data and programs."""

    def __init__(self, folder: Path, meshes: list[str]):
        self.folder, self.meshes = folder, meshes
        self.build = Path(os.environ.get("BOOST_BUILD_DIR", REPOSITORY / "build")).resolve()
        self.model, self.data = folder / "cola.mlir", folder / "tokens.bin"
        options = ("--model", "cola", "--size", "tiny", "--batch", 4, "--seq", 16)
        self.call(sys.executable, "-m", "boost_mlir.export", *options, "-o", self.model)
        tokens, token, rng = bytearray(), 0, random.Random(0)
        for _ in range(20000):
            token = (token + rng.randint(1, 3)) % 64
            tokens += struct.pack("<H", token)
        self.data.write_bytes(tokens)

    def call(self, *command):
        result = subprocess.run(
            list(map(str, command)), env=ENVIRONMENT, capture_output=True, text=True
        )
        if result.returncode:
            raise SystemExit(f"{' '.join(map(str, command))}\n{result.stdout}{result.stderr}")

    def train(self, program: Program, steps: int, *options) -> Run:
        return Run(program, "train", "--data", self.data, "--steps", steps, *RATES, *options)


class Tally:
    """Outcomes of trials, which are told as they come."""

    def __init__(self, name: str, count: int):
        self.name, self.count, self.start = name, count, time.monotonic()
        self.outcomes, self.failures = collections.Counter(), []

    def add(self, outcome: str, failure: str = ""):
        self.outcomes[outcome] += 1
        if failure:
            self.failures.append(failure)
            print(f"FAILED: {failure}", flush=True)
        done = sum(self.outcomes.values())
        if done % 10 == 0 or done == self.count:
            seconds = time.monotonic() - self.start
            print(f"{self.name} {done}/{self.count} in {seconds:.0f} s: {self}", flush=True)

    def __str__(self):
        return ", ".join(f"{count} {what}" for what, count in sorted(self.outcomes.items()))

    def conclude(self, seed: int) -> int:
        done = sum(self.outcomes.values())
        print(f"{self.name}: {done} trials, seed {seed}: {self}; {len(self.failures)} failed")
        return 1 if self.failures else 0


# ---------------------------------------------------------------------------------------
# Kills
# ---------------------------------------------------------------------------------------


class KillTrials:
    """Runs with a checkpoint after each step lose a rank again and again, and are resumed; in
    the end, parameters, checkpoint and log are those of the run that was left alone."""

    STEPS = 40

    def __init__(self, place: Workplace, tally: Tally, rng: random.Random, mesh: str):
        self.place, self.tally, self.rng = place, tally, rng
        self.program = Program(place, mesh)
        self.folder = place.folder / f"kills-{mesh.replace('=', '').replace(',', '-')}"
        self.folder.mkdir()
        start = time.monotonic()
        run = self.start("whole")
        if run.finish() != 0:
            raise SystemExit(run.output)
        self.seconds = time.monotonic() - start
        self.expected = self.results("whole")

    def start(self, name: str) -> Run:
        folder = self.folder / name
        folder.mkdir(exist_ok=True)
        files = ("--checkpoint", folder / "ck", "--save", folder / "saved")
        options = ("--checkpoint-every", 1, "--resume", "--log", folder / "log", "--timeout", 20)
        return self.place.train(self.program, self.STEPS, *files, *options)

    def results(self, name: str):
        folder = self.folder / name
        last = folder / "ck" / f"step-{self.STEPS}" / "tensors.safetensors"
        return digest(folder / "saved"), digest(last), losses(folder / "log")

    def kill(self, run: Run) -> str:
        """Kills a random rank at a random time, half of the times while a checkpoint is being
        written; says when, or nothing if the run was faster."""
        checkpoints = self.folder / "broken" / "ck"
        if self.rng.random() < 0.5:
            run.wait(self.rng.uniform(0, self.seconds))
            run.wait(self.seconds, lambda: any(checkpoints.glob(".step-*")))
            run.wait(self.rng.uniform(0, 0.01))
        else:
            run.wait(self.rng.uniform(0, self.seconds))
        ranks = run.ranks()
        if run.is_over() or not ranks:
            return ""
        with contextlib.suppress(ProcessLookupError):
            os.kill(ranks[self.rng.choice(sorted(ranks))], signal.SIGKILL)
            if any(checkpoints.glob(".step-*")):
                return "inside a checkpoint"
            return "between" if newest_step(checkpoints) else "before the first checkpoint"
        return ""

    def chain(self, kills: int) -> int:
        """A run with up to so many kills."""
        shutil.rmtree(self.folder / "broken", ignore_errors=True)
        killed = 0
        while True:
            run = self.start("broken")
            when = self.kill(run) if killed < kills else ""
            code = run.finish()
            if code is None:
                self.tally.add(when or "end", f"hangs after {killed} kills: {run.output[-500:]}")
                return killed
            if not when:
                break
            killed += 1
            hung = ", after which mpirun hung" if code == LAUNCHER_HUNG else ""
            self.tally.add(when + hung)
        if code != 0:
            self.tally.failures.append(f"exit code {code} after {killed} kills: {run.output[-500:]}")
        elif self.results("broken") != self.expected:
            self.tally.failures.append(f"other results after {killed} kills")
        elif left := list((self.folder / "broken").glob("**/.*")) + list(
            (self.folder / "broken").glob("**/*.tmp")
        ):
            self.tally.failures.append(f"left behind: {left}")
        return killed


def kill(place: Workplace, tally: Tally, rng: random.Random):
    configurations = [KillTrials(place, tally, rng, mesh) for mesh in place.meshes]
    done = 0
    while done < tally.count and not tally.failures:
        trials = rng.choice(configurations)
        done += trials.chain(min(rng.choice([1, 2, 3, 5, 8]), tally.count - done))


# ---------------------------------------------------------------------------------------
# Damage
# ---------------------------------------------------------------------------------------


def truncate(data: bytearray, rng: random.Random):
    del data[rng.randrange(len(data)) :]


def flip_bit(data: bytearray, rng: random.Random):
    data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)


def flip_header_bit(data: bytearray, rng: random.Random):
    (length,) = struct.unpack_from("<Q", data)
    data[rng.randrange(8 + length)] ^= 1 << rng.randrange(8)


def clear_page(data: bytearray, rng: random.Random):
    at = rng.randrange(len(data)) // 4096 * 4096
    data[at : at + 4096] = bytes(len(data[at : at + 4096]))


def clear_rest(data: bytearray, rng: random.Random):
    at = rng.randrange(len(data))
    data[at:] = bytes(len(data) - at)


DAMAGES = [
    ("tensors.safetensors", truncate),
    ("tensors.safetensors", flip_bit),
    ("tensors.safetensors", flip_bit),
    ("tensors.safetensors", flip_header_bit),
    ("tensors.safetensors", clear_page),
    ("tensors.safetensors", clear_rest),
    ("state.json", truncate),
    ("state.json", flip_bit),
]


def damage(place: Workplace, tally: Tally, rng: random.Random):
    """The newest of two checkpoints is damaged: --resume takes the other one and comes to the
    same parameters, or refuses; it never loads what is damaged."""
    program, good, tried = Program(place, "1"), place.folder / "good", place.folder / "tried"
    options = ("--checkpoint-every", 10, "--save", place.folder / "saved")
    whole = place.train(program, 30, "--checkpoint", good, *options)
    if whole.finish() != 0:
        raise SystemExit(whole.output)
    expected = digest(place.folder / "saved")
    shutil.rmtree(good / "step-30")
    while sum(tally.outcomes.values()) < tally.count:
        name, harm = DAMAGES[sum(tally.outcomes.values()) % len(DAMAGES)]
        shutil.rmtree(tried, ignore_errors=True)
        shutil.copytree(good, tried)
        file = tried / "step-20" / name
        data = bytearray(file.read_bytes())
        harm(data, rng)
        if data == file.read_bytes():
            continue
        file.write_bytes(data)
        (place.folder / "saved").unlink(missing_ok=True)
        run = place.train(program, 30, "--checkpoint", tried, *options, "--resume")
        code, what = run.finish(), f"{harm.__name__} of {name}"
        if code == 0 and "resumed after step 10" in run.output:
            same = digest(place.folder / "saved") == expected
            tally.add("skipped", "" if same else f"{what}: other parameters")
        elif code is not None and 0 < code < 128 and "error: " in run.output:
            tally.add("refused")
        else:
            tally.add("LOADED", f"{what}: exit code {code}: {run.output[-500:]}")


# ---------------------------------------------------------------------------------------
# Stops
# ---------------------------------------------------------------------------------------


def stop(place: Workplace, tally: Tally, rng: random.Random):
    """A rank that is stopped at any time ends the run with exit code 5 and its name. Open MPI's
    launcher may crash when ranks end before they have connected; that is counted by itself."""
    timeout = 5
    programs = [Program(place, mesh) for mesh in place.meshes if mesh != "1"]
    for _ in range(tally.count):
        program, checkpoints = rng.choice(programs), place.folder / "stopped"
        shutil.rmtree(checkpoints, ignore_errors=True)
        every = rng.choice([1, 20, 10**6])
        files = ("--checkpoint", checkpoints, "--checkpoint-every", every)
        run = place.train(program, 10**8, "--timeout", timeout, *files)
        victim = rng.randrange(program.ranks)
        run.wait(HANG_SECONDS, lambda: victim in run.ranks())
        run.wait(rng.choice([0, 1, 6]) * rng.random())
        if every == 1 and rng.random() < 0.5:
            run.wait(10, lambda: any(checkpoints.glob(".step-*")))
        with contextlib.suppress(KeyError):
            os.kill(run.ranks()[victim], signal.SIGSTOP)
        when = "inside a checkpoint" if any(checkpoints.glob(".step-*")) else "between"
        when = when if checkpoints.exists() else "at the start"
        code, named = run.finish(), f"rank {victim} is "
        errors = [line for line in run.output.splitlines() if line.startswith("error: ")]
        is_named = len(errors) == 1 and named in errors[0]
        if code in (-signal.SIGSEGV, LAUNCHER_HUNG) and is_named:
            tally.add(f"{when}, after which mpirun {'hung' if code == LAUNCHER_HUNG else 'crashed'}")
        elif code != 5 or not is_named:
            what = "hangs" if code is None else f"exit code {code}"
            seen = "\n".join(errors) or run.output[-500:]
            tally.add(when, f"rank {victim} of {program.mesh} {when}: {what}: {seen}")
        else:
            tally.add(when)


# ---------------------------------------------------------------------------------------
# Power cuts
# ---------------------------------------------------------------------------------------

# EXT4_IOC_SHUTDOWN: from now on nothing reaches the disk, not even the journal.
SHUTDOWN, WITHOUT_JOURNAL = 0x8004587D, 2


class Disk:
    """A file system of its own, whose power can be cut."""

    def __init__(self, place: Workplace):
        self.place, self.image = place, place.folder / "disk.img"
        self.path = place.folder / "disk"
        self.path.mkdir()

    def make(self):
        with self.image.open("wb") as image:
            image.truncate(256 << 20)
        self.place.call("mkfs.ext4", "-q", "-F", self.image)
        self.mount()

    def mount(self):
        self.place.call("mount", "-o", "loop", self.image, self.path)

    def unmount(self):
        subprocess.run(["umount", str(self.path)], capture_output=True)

    def cut(self):
        folder = os.open(self.path, os.O_RDONLY)
        try:
            fcntl.ioctl(folder, SHUTDOWN, struct.pack("I", WITHOUT_JOURNAL))
        finally:
            os.close(folder)


def power(place: Workplace, tally: Tally, rng: random.Random):
    """The disk loses power at a random time: the run goes on from a checkpoint at most one
    interval before the newest, with the losses of the run that was left alone."""
    if os.geteuid() != 0:
        raise CannotTry("power cuts mount an ext4 image through a loop device; run as root")
    program, disk, interval = Program(place, "1"), Disk(place), 3
    log, checkpoints = disk.path / "log", disk.path / "ck"
    files = ("--checkpoint", checkpoints, "--checkpoint-every", interval, "--log", log, "--resume")
    whole = place.train(program, 10**8, "--log", place.folder / "whole")
    whole.wait(HANG_SECONDS, lambda: len(losses(place.folder / "whole")) >= 3000)
    os.kill(whole.ranks()[0], signal.SIGKILL)
    whole.finish()
    expected = losses(place.folder / "whole")
    for _ in range(tally.count):
        disk.make()
        try:
            run = place.train(program, 10**8, *files)
            run.wait(HANG_SECONDS, lambda: newest_step(checkpoints) > 0)
            run.wait(rng.uniform(0, 2))
            before = newest_step(checkpoints)
            disk.cut()
            run.finish()
            disk.unmount()
            disk.mount()
            again = place.train(program, 10**8, *files)
            again.wait(HANG_SECONDS, lambda: newest_step(checkpoints) >= before + 2 * interval)
            for pid in again.ranks().values():
                os.kill(pid, signal.SIGTERM)
            code = again.finish()
            start = again.output.partition("resumed after step ")[2].split("\n")[0]
            resumed = int(start) if start else 0
            seen = losses(log)
        finally:
            disk.unmount()
        lost = max(0, before - resumed)
        failure = ""
        if code != 75 or resumed == 0:
            failure = f"exit code {code} after step {before}: {again.output[-500:]}"
        elif lost > interval:
            failure = f"resumed after step {resumed} of {before}"
        elif seen[: len(expected)] != expected[: len(seen)]:
            failure = f"other losses after a power failure near step {before}"
        tally.add(f"resumed, {lost} steps lost", failure)


# ---------------------------------------------------------------------------------------
# Flips in code
# ---------------------------------------------------------------------------------------


def flip(place: Workplace, tally: Tally, rng: random.Random):
    """Every bit that changes a result of `eval` or `train` by more than rounding, makes it hang
    or fail, is noticed by `eval --verify`."""
    import machine_code
    import numpy as np
    from safetensors.numpy import load_file, save_file

    import boost_mlir
    from boost_mlir import models

    config = models.ModelConfig.of_size("tiny", "cola")
    inputs, flipped = place.folder / "inputs.safetensors", place.folder / "flipped"
    draw = np.random.default_rng(rng.randrange(2**32))
    batch = {n: draw.integers(0, config.vocab, (4, 16), np.int32) for n in ("tokens", "targets")}
    boost_mlir.save(inputs, models.init_params(config, seed=1), batch)

    def results(program: Program):
        found = {}
        for name, arguments in {
            "eval": ("eval", "--inputs", inputs, "--gradients", "--outputs"),
            "train": ("train", "--data", place.data, "--steps", 3, *RATES, "--save"),
        }.items():
            file = place.folder / f"{name}.safetensors"
            file.unlink(missing_ok=True)
            if Run(program, *arguments, file).finish(30) != 0:
                return None
            found |= {f"{name}.{key}": value for key, value in load_file(file).items()}
        return found

    def change(actual, expected) -> float:
        worst = 0.0
        for name, value in expected.items():
            if not np.isfinite(actual[name]).all():
                return float("inf")
            scale = np.max(np.abs(value)) + 1e-30
            worst = max(worst, float(np.max(np.abs(actual[name] - value)) / scale))
        return worst

    programs = [Program(place, "1", "--verify"), Program(place, "1", "--verify", "--accumulate=2")]
    correct = {program: results(program) for program in programs}
    flips = {
        program: machine_code.random_flips(
            machine_code.functions(program.binary), rng.randrange(2**32)
        )
        for program in programs
    }
    for number in range(tally.count):
        program = programs[number % len(programs)]
        original, one = program.binary, next(flips[program])
        one.write(original, flipped)
        program.binary = flipped
        try:
            found = results(program)
            size = None if found is None else change(found, correct[program])
            if size == 0:
                tally.add("without effect")
                continue
            run = Run(program, "eval", "--inputs", inputs, "--verify", "--timeout", 30)
            noticed = run.finish() != 0
        finally:
            program.binary = original
        if size is None:
            tally.add("failing" if noticed else "failing, verified all the same")
        elif size < 1e-5:
            tally.add("rounding")
        else:
            missed = f"{one} of {original.name} changes results by {size:.1e}"
            tally.add("wrong and noticed" if noticed else "MISSED", "" if noticed else missed)


# ---------------------------------------------------------------------------------------
# Ranks over TCP
# ---------------------------------------------------------------------------------------


class TCPTrials:
    """The tiny CoLA model on two ranks without a launcher, at a new port each time."""

    TIMEOUT = 3

    def __init__(self, place: Workplace, steps: int):
        self.program, self.saved = Program(place, "tp=2"), place.folder / "saved"
        options = (*RATES, "--quiet", "--timeout", self.TIMEOUT, "--save", self.saved)
        self.arguments = ("train", "--data", place.data, "--steps", steps, *options)

    def start(self, port: int, ranks, variables) -> launcher.Ranks:
        at_port = {rank: {"BOOST_MASTER_PORT": str(port)} | variables.get(rank, {}) for rank in ranks}
        return launcher.Ranks(self.program, *self.arguments, ranks=ranks, variables=at_port)

    def finish(self, run: launcher.Ranks) -> tuple[int | None, str]:
        """The first exit code that is not 0, upon which the other rank is ended, or 0; None for ranks
        that do not end. And what they have printed."""
        try:
            code, _, errors = run.wait(seconds=20 * self.TIMEOUT)
        except AssertionError:
            run.end()
            return None, ""
        return code, errors


def wire(place: Workplace, tally: Tally, rng: random.Random):
    """Bytes that are changed, lost, added or repeated anywhere in a connection end the run, with a
    message that names the network or the rank that cannot be reached."""
    trials = TCPTrials(place, 30)

    def run(damage=None):
        port = launcher.free_port() + 1
        proxy = network.Proxy(port, damage)
        code, printed = trials.finish(trials.start(port, (0, 1), network.through_proxy(port, 2)))
        proxy.close()
        return code, printed, proxy.sizes

    code, printed, sizes = run()
    if code != 0:
        raise SystemExit(printed)
    sizes = {key: size for key, size in sizes.items() if size}
    while sum(tally.outcomes.values()) < tally.count:
        kind = network.DAMAGES[sum(tally.outcomes.values()) % len(network.DAMAGES)]
        damage = network.random_damage(rng, kind, sizes)
        code, printed, _ = run(damage)
        if not damage.was_done:
            continue
        errors = [line for line in printed.splitlines() if line.startswith("error: ")]
        what = f"{damage}: exit code {code}: {printed[-600:]}"
        if code is None:
            tally.add("HANGS", what)
        elif code == 0:
            tally.add("TRAINS ON", what)
        elif not errors or code not in (5, 7):
            tally.add("WITHOUT A MESSAGE", what)
        else:
            tally.add("a network fault" if code == 7 else "a rank that is missing")


def door(place: Workplace, tally: Tally, rng: random.Random):
    """Strangers come before the ranks have met or while they train: the run ends as if they had not.
    With a secret none of them is taken for a rank, whatever it knows of the program."""
    trials = TCPTrials(place, 300)
    host = network.FakeHost()
    newcomer = trials.start(host.port, (1,), {})
    genuine = host.take_claim()
    newcomer.end()
    host.close()
    code, printed = trials.finish(trials.start(launcher.free_port() + 1, (0, 1), {}))
    if code != 0:
        raise SystemExit(printed)
    expected = digest(trials.saved)
    for number in range(tally.count):
        trials.saved.unlink(missing_ok=True)
        has_secret, in_meeting = rng.random() < 0.5, rng.random() < 0.5
        kinds = network.Strangers.KINDS if has_secret else network.Strangers.HARMLESS
        kind, port = kinds[number % len(kinds)], launcher.free_port() + 1
        variables = dict.fromkeys((0, 1), {"BOOST_RUN_SECRET": "a secret"} if has_secret else {})
        strangers = network.Strangers(port, genuine)
        run = trials.start(port, (0,), variables)
        if in_meeting:
            kind(strangers)
            time.sleep(rng.uniform(0, 0.3))
        run.processes |= trials.start(port, (1,), variables).processes
        if not in_meeting:
            time.sleep(rng.uniform(0.05, 0.4))
            kind(strangers)
        (code, printed), joined = trials.finish(run), strangers.joined()
        strangers.leave()
        when = "in the meeting" if in_meeting else "in the run"
        is_same = trials.saved.exists() and digest(trials.saved) == expected
        failure = f"{kind.__name__}: {code}, {joined} joined: {printed[-500:]}"
        fails = code != 0 or joined or not is_same
        tally.add(when + ", with a secret" * has_secret, failure if fails else "")


TRIALS = {"kill": (kill, 200), "damage": (damage, 300), "stop": (stop, 50)}
TRIALS |= {"power": (power, 20), "flip": (flip, 170), "wire": (wire, 200), "door": (door, 200)}


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("trial", choices=TRIALS)
    parser.add_argument("--count", type=int, help="how many; default as above")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--mesh", action="append", help="of kill and stop: only this; may be repeated")
    arguments = parser.parse_args()
    trial, count = TRIALS[arguments.trial]
    tally = Tally(arguments.trial, arguments.count or count)
    with tempfile.TemporaryDirectory(prefix="boost-trials-") as folder:
        try:
            place = Workplace(Path(folder).resolve(), arguments.mesh or MESHES)
            trial(place, tally, random.Random(arguments.seed))
        except CannotTry as error:
            print(f"cannot try: {error}", file=sys.stderr)
            return 2
    return tally.conclude(arguments.seed)


if __name__ == "__main__":
    sys.exit(main())
