# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The tests of a mutated tree one by one: what each reaches, how long it takes, whether it passes."""

from __future__ import annotations

import dataclasses
import json
import os
import re
import resource
import subprocess
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

# A mutation may allocate without end. Addresses are not counted: the emulator of GPUs reserves
# terabytes of them.
MEMORY_BYTES = 32 << 30


@dataclasses.dataclass
class Test:
    """One test: a file of lit, a case of GoogleTest or an item of pytest."""

    suite: str
    name: str
    seconds: float = 0.0
    passes: bool = True
    reached: frozenset = frozenset()


class Suites:
    def __init__(self, tree):
        self.folder, self.build = tree.folder, tree.build
        self.python = tree.folder / ".venv" / "bin" / "python"
        cache = (tree.build / "CMakeCache.txt").read_text()
        self.lit = re.search(r"^BOOST_MLIR_LIT:\w+=(.*)$", cache, re.M)[1]
        # Several lit processes run at once: they would garble each other's times.
        times = tree.build / "test" / ".lit_test_times.txt"
        times.unlink(missing_ok=True)
        times.symlink_to("/dev/null")

    # Listing

    def lit_tests(self) -> list[Test]:
        output = subprocess.check_output([self.lit, "--show-tests", self.build / "test"], text=True)
        names = re.findall(r"^\s+boost-mlir :: (\S+)$", output, re.M)
        return [Test("lit", name) for name in names]

    def unit_tests(self) -> list[Test]:
        tests = []
        for binary in sorted((self.build / "test" / "unit").rglob("*Tests")):
            if not os.access(binary, os.X_OK) or binary.is_dir():
                continue
            relative = str(binary.relative_to(self.build))
            group = ""
            for line in subprocess.check_output([binary, "--gtest_list_tests"], text=True).split("\n"):
                case = line.split("#")[0].rstrip()
                if case and not case.startswith(" "):
                    group = case
                elif case:
                    tests.append(Test("unit", f"{relative}:{group}{case.strip()}"))
        return tests

    # Running

    def environment(self, mutant=None, reached=None):
        environment = os.environ | {
            "BOOST_BUILD_DIR": str(self.build),
            "PYTHONPATH": str(self.folder / "python"),
            "OMPI_ALLOW_RUN_AS_ROOT": "1",
            "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
        }
        for name, value in (("BOOST_MUTANT", mutant), ("BOOST_MUTANT_REACHED", reached)):
            environment.pop(name, None)
            if value is not None:
                environment[name] = str(value)
        return environment

    def command(self, suite, names) -> list:
        if suite == "lit":
            return [self.lit, "-q", "-j1", "--max-failures=1", *(self.build / "test" / n for n in names)]
        if suite == "unit":
            binary, cases = names[0].split(":")[0], ":".join(n.split(":")[1] for n in names)
            return [self.build / binary, f"--gtest_filter={cases}", "--gtest_fail_fast"]
        return [self.python, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *names]

    def run(self, command, environment, timeout) -> bool:
        """Returns True if the test passed; a test that outlasts `timeout` seconds has failed."""
        limit = lambda: resource.setrlimit(resource.RLIMIT_DATA, (MEMORY_BYTES, MEMORY_BYTES))
        process = subprocess.Popen(
            [str(part) for part in command],
            env=environment,
            cwd=self.folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            preexec_fn=limit,
        )
        try:
            return process.wait(timeout) == 0
        except subprocess.TimeoutExpired:
            return False
        finally:
            kill_session(process)

    # Reach

    def reach(self, suites, progress) -> list[Test]:
        """Runs every test of these suites once and notes which mutations it reaches."""
        tests = self.lit_tests() if "lit" in suites else []
        tests += self.unit_tests() if "unit" in suites else []
        with tempfile.TemporaryDirectory() as scratch, ThreadPoolExecutor(os.cpu_count()) as pool:
            marks = [Path(scratch) / str(i) for i in range(len(tests))]

            def one(test, file):
                start = time.monotonic()
                command = self.command(test.suite, [test.name])
                test.passes = self.run(command, self.environment(reached=file), 1200)
                test.seconds = time.monotonic() - start
                test.reached = read_marks(file)
                progress(test.name)

            list(pool.map(one, tests, marks))
            if "python" in suites:
                tests += self.reach_python(Path(scratch), progress)
            return tests

    def reach_python(self, scratch: Path, progress) -> list[Test]:
        report = scratch / "report.json"
        environment = self.environment() | {
            "BOOST_MUTATION_REPORT": str(report),
            "PYTHONPATH": f"{self.folder / 'python'}:{self.folder / 'scripts'}",
        }
        command = [self.python, "-m", "pytest", "-q", "-p", "mutation.pytest_reach"]
        self.run([*command, "-p", "no:cacheprovider", "test/python", "test/EndToEnd"], environment, 7200)
        progress("pytest")
        return [
            Test("python", name, seconds, passes, read_marks(Path(marks)))
            for name, seconds, passes, marks in json.loads(report.read_text())
        ]

    # Judging

    def judge(self, mutant: int, tests: list[Test], budget: float) -> str | None:
        """The first test that fails with the mutation on; None if all pass, or all that fit into
        `budget` seconds."""
        deadline = time.monotonic() + budget
        for suite, names, seconds in chunks(tests):
            left = deadline - time.monotonic()
            if left < 0:
                return None
            timeout = 30 + 10 * seconds
            passed = self.run(self.command(suite, names), self.environment(mutant), timeout)
            if not passed:
                return names[0] if len(names) == 1 else f"one of {len(names)} from {names[0]}"
        return None


def chunks(tests: list[Test]):
    """Tests to run by one command, the quickest first."""
    for suite, size in (("unit", 200), ("lit", 8)):
        chosen = sorted((t for t in tests if t.suite == suite), key=lambda t: t.seconds)
        groups: dict[str, list[Test]] = {}
        for test in chosen:
            groups.setdefault(test.name.split(":")[0] if suite == "unit" else "", []).append(test)
        for group in groups.values():
            for i in range(0, len(group), size):
                part = group[i : i + size]
                yield suite, [t.name for t in part], sum(t.seconds for t in part)
    items = sorted((t for t in tests if t.suite == "python"), key=lambda t: t.seconds)
    for part in (items[:12], items[12:60], items[60:]):
        if part:
            yield "python", [t.name for t in part], sum(t.seconds for t in part)


def read_marks(file: Path) -> frozenset:
    if not file.is_file():
        return frozenset()
    return frozenset(i for i, mark in enumerate(file.read_bytes()) if mark)


def kill_session(process):
    """Ends what a test left running: compiled programs and their launcher."""
    try:
        os.killpg(process.pid, 9)
    except ProcessLookupError:
        pass
    process.wait()
