# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A copy of the checkout that holds all mutations at once, and its build."""

from __future__ import annotations

import json
import os
import pickle
import re
import subprocess
from concurrent.futures import ProcessPoolExecutor
from hashlib import sha256
from pathlib import Path

from .sites import Site, find_sites

# Targets that the suites run.
TARGETS = ("all", "boost-unittests", "boost-fuzzers")

# Lit hands tests a clean environment; the switch of the mutations must reach them.
LIT_ENVIRONMENT = """
for name in ("BOOST_MUTANT", "BOOST_MUTANT_REACHED"):
    if name in os.environ:
        config.environment[name] = os.environ[name]
"""


class Tree:
    def __init__(self, checkout: Path, folder: Path):
        self.checkout, self.folder = checkout, folder
        self.build = folder / "build"
        self.switch = folder / "scripts" / "mutation" / "switch.h"
        self.originals: dict[str, bytes] = {}

    def prepare(self):
        """Copies all files that git does not ignore, without touching what is the same, and builds it unchanged."""
        listing = subprocess.check_output(["git", "ls-files", "-coz", "--exclude-standard"], cwd=self.checkout)
        for name in filter(None, listing.decode().split("\0")):
            if not (self.checkout / name).is_file():
                continue
            content = (self.checkout / name).read_bytes()
            if name == "test/lit.cfg.py":
                content += LIT_ENVIRONMENT.encode()
            self.originals[name] = content
            self.write(name, content)
            (self.folder / name).chmod((self.checkout / name).stat().st_mode)
        python = self.folder / ".venv"
        if not python.exists():
            python.symlink_to((self.checkout / ".venv").resolve())
        subprocess.run(
            ["cmake", "--preset", "ci", f"-DBOOST_MLIR_PYTHON={python}/bin/python"],
            cwd=self.folder,
            check=True,
            stdout=subprocess.DEVNULL,
        )
        if errors := self.compile():
            raise SystemExit("mutate.py: error: the tree does not build:\n" + "\n".join(errors))

    def write(self, name: str, content: bytes):
        path = self.folder / name
        if path.is_file() and path.read_bytes() == content:
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)

    def compile(self) -> list[str]:
        """Builds everything; the lines of the compiler's errors, none if it succeeded."""
        environment = os.environ | {
            "CCACHE_BASEDIR": str(self.folder),
            "CCACHE_NOHASHDIR": "1",
            "CCACHE_SLOPPINESS": "pch_defines,time_macros",
        }
        result = subprocess.run(
            ["cmake", "--build", "build", "--target", *TARGETS, "--", "-k", "0"],
            cwd=self.folder,
            env=environment,
            capture_output=True,
            text=True,
        )
        if result.returncode == 0:
            return []
        errors = [line for line in result.stdout.splitlines() if re.search(r"error[: ]", line)]
        return errors or [result.stdout[-2000:] + result.stderr[-2000:]]

    def sources(self) -> dict[str, str]:
        """The compile command of each source of the compiler and the runtime."""
        commands = json.loads((self.build / "compile_commands.json").read_text())
        found = {}
        for entry in commands:
            name = os.path.relpath(entry["file"], self.folder)
            if name.startswith(("lib/", "runtime/lib/")) and name in self.originals:
                found.setdefault(name, entry["command"])
        return dict(sorted(found.items()))

    def sites(self, name: str, command: str) -> list[Site]:
        """The sites of a source; kept between runs while its text stays the same."""
        key = sha256(self.originals[name] + Path(__file__).with_name("sites.py").read_bytes())
        cache = self.folder.parent / "sites" / f"{key.hexdigest()[:24]}.pickle"
        if cache.is_file():
            return pickle.loads(cache.read_bytes())
        sites = find_sites(self.folder / name, name, command)
        cache.parent.mkdir(parents=True, exist_ok=True)
        cache.write_bytes(pickle.dumps(sites))
        return sites

    def find_all(self, names) -> dict[str, list[Site]]:
        commands = self.sources()
        with ProcessPoolExecutor(os.cpu_count()) as pool:
            return dict(zip(names, pool.map(self.sites, names, map(commands.get, names))))

    def apply(self, mutants: dict[int, Site]):
        """Writes all mutations, each with its number, and restores every other source."""
        by_file: dict[str, list[tuple[int, Site]]] = {}
        for number, site in mutants.items():
            by_file.setdefault(site.file, []).append((number, site))
        for name, content in self.originals.items():
            for number, site in sorted(by_file.get(name, []), key=lambda m: -m[1].start):
                switched = site.replacement.replace("(K)", f"({number})", 1).encode()
                content = content[: site.start] + switched + content[site.end :]
            if name in by_file:
                content = f'#include "{self.switch}"\n#line 1\n'.encode() + content
            self.write(name, content)

    def drop_broken(self, mutants: dict[int, Site], errors: list[str]) -> list[int]:
        """The mutations that the compiler refuses: those on the lines of its errors."""
        broken = set()
        for error in errors:
            match = re.match(r"(.*?):(\d+):", error)
            name = os.path.relpath(match[1], self.folder) if match else ""
            if match and not Path(match[1]).is_absolute():
                name = os.path.relpath(self.build / match[1], self.folder)
            at_line = {n for n, s in mutants.items() if s.file == name and s.line == int(match[2])}
            broken |= at_line or {n for n, s in mutants.items() if s.file == name}
        return sorted(broken)
