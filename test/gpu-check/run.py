# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the checks of scripts/gpu_check.sh: `values` first, then `speed`. Needs Python alone."""

import glob
import json
import os
import shutil
import site
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tensors import read, relative_error

HERE = Path(__file__).resolve().parent
# Of a call: a GPU may be at hand for a short time, the emulator always is.
LIMIT_SECONDS = 3600 if "BOOST_CUDA_EMULATOR" in os.environ else 460
# Of JAX and PyTorch each: they compile.
FRAMEWORK_SECONDS = 100
TRAINED_STEPS = 5

started = time.monotonic()


class Skipped(Exception):
    """Why a check was not made."""


class Failed(Exception):
    """What is wrong."""


def library_folders() -> list:
    """Where pip's packages and CUDA toolkits keep their libraries."""
    roots = [*site.getsitepackages(), site.getusersitepackages()]
    patterns = [f"{root}/nvidia/*/lib" for root in roots] + ["/usr/local/cuda*/lib*"]
    return [folder for pattern in patterns for folder in sorted(glob.glob(pattern))]


def environment(**variables) -> dict:
    paths = [*library_folders(), os.environ.get("LD_LIBRARY_PATH", "")]
    return os.environ | {"LD_LIBRARY_PATH": ":".join(filter(None, paths))} | variables


def execute(*command, limit=LIMIT_SECONDS, codes=(0,), **variables) -> str:
    """The standard output of a command that must end in the time that is left, with one of these
    exit codes."""
    left = LIMIT_SECONDS - (time.monotonic() - started)
    if left < 5:
        raise Skipped("no time left")
    try:
        result = subprocess.run(
            [str(part) for part in command],
            env=environment(**variables),
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
            timeout=min(left, limit),
        )
    except subprocess.TimeoutExpired as error:
        raise Failed(f"did not end within {error.timeout:.0f} s") from error
    if result.returncode not in codes:
        lines = (result.stderr or result.stdout).strip().splitlines()
        raise Failed(f"exit code {result.returncode}: {lines[-1] if lines else ''}")
    return result.stdout


def last_json(text: str):
    return json.loads([line for line in text.splitlines() if line.startswith("{")][-1])


def find_tool(name: str) -> str:
    found = shutil.which(name) or next(iter(glob.glob(f"/usr/local/cuda*/bin/{name}")), None)
    if not found:
        raise Skipped(f"{name} is not installed")
    return found


class Program:
    """A folder of programs/."""

    def __init__(self, entry: dict):
        self.entry, self.name = entry, entry["name"]
        self.folder = HERE / "programs" / self.name
        self.check, self.train = self.folder / "check", self.folder / "train"
        self.inputs = ("--inputs", self.folder / "inputs.safetensors")


class Checks:
    """The lines of one call and their JSON."""

    def __init__(self, kind: str):
        self.manifest = json.loads((HERE / "manifest.json").read_text())
        self.kind, self.results = kind, []
        self.machine = {}
        self.emulated = False

    def make(self, name: str, check, *arguments):
        """Runs a check, which returns a text for the line and details for the file."""
        begin, details = time.monotonic(), None
        try:
            text, details = check(*arguments)
            verdict = "pass"
        except Skipped as reason:
            verdict, text = "skip", str(reason)
        except Failed as reason:
            verdict, text = "fail", str(reason)
        except Exception as error:  # Whatever goes wrong is a line, and the next check is made.
            verdict, text = "fail", f"{type(error).__name__}: {error}"
        print(f"{verdict} {name}: {text}", flush=True)
        seconds = round(time.monotonic() - begin, 3)
        result = {"check": name, "verdict": verdict, "text": text}
        self.results.append(result | {"seconds": seconds, "details": details})
        return details

    def finish(self) -> int:
        failed = sum(result["verdict"] == "fail" for result in self.results)
        skipped = sum(result["verdict"] == "skip" for result in self.results)
        report = {"machine": self.machine, "failed": failed, "checks": self.results}
        (HERE / f"{self.kind}.json").write_text(json.dumps(report, indent=1))
        print(f"{len(self.results) - failed - skipped} pass, {failed} fail, {skipped} skip")
        return 1 if failed or not self.machine else 0

    def measure_machine(self):
        any_program = Program(self.manifest["small"][0])
        found = last_json(execute(any_program.check, "machine"))
        self.machine, self.emulated = found, found["emulated"]
        text = f"{found['name']}, driver for CUDA {found['driver_for_cuda']}"
        if not self.emulated:
            text += f", {found['cube_tflops']:.0f} TFLOP/s bf16, {found['copy_gbps']:.0f} GB/s copied"
        return text, found

    # Values

    def replay(self, program: Program):
        report = last_json(execute(program.check, "replay", program.folder / "trace"))
        if report["launches"] == 0:
            raise Failed("nothing was launched")
        different = [name for name, k in report["kernels"].items() if k["different_bytes"]]
        text = f"{report['bit_equal']} of {report['launches']} launches make the emulator's bits"
        if different:
            share = report["different_bytes"] / report["bytes"]
            text += f"; {share:.1e} of the bytes differ, of {', '.join(different)}"
        # Approximate instructions of a GPU are not those of the emulator; their errors are bounded
        # by `verify`. The emulator is itself.
        if different and self.emulated:
            raise Failed(text)
        return text, report

    def verify(self, program: Program):
        known = ("--reference", program.folder / "reference")
        command = (program.train, "eval", *program.inputs, "--verify", *known, "--json")
        report = last_json(execute(*command, codes=(0, 1)))

        def ratio(tensor):
            parts = [("error", "bound"), ("gain", "gain_bound")]
            return max(abs(tensor[e]) / tensor[b] for e, b in parts if tensor[b])

        worst = max(report["tensors"], key=ratio)
        where = f"'{worst['name']}' at {worst['location']}"
        if not report["verified"]:
            raise Failed(f"{ratio(worst):.2g} times the bound: {where}; {report['findings']}")
        return f"{len(report['tensors'])} tensors, worst {ratio(worst):.2f} of its bound: {where}", report

    def gradients(self, program: Program, launcher=(), variables=None, factor=1):
        with tempfile.TemporaryDirectory() as folder:
            outputs = Path(folder) / "outputs.safetensors"
            command = (*launcher, program.train, "eval", *program.inputs, "--outputs", outputs)
            execute(*command, "--gradients", **(variables or {}))
            actual = read(outputs)
        expected = read(program.folder / "expected.safetensors")
        loss_bound, gradient_bound = (factor * bound for bound in program.entry["tolerances"])
        errors = {name: relative_error(actual.get(name, ()), value) for name, value in expected.items()}
        loss = errors.pop("loss")
        worst = max(errors, key=errors.get)
        text = f"loss {loss:.1e} of {loss_bound:.1e}, worst gradient {errors[worst]:.1e} of {gradient_bound:.1e} ({worst})"
        if not (loss <= loss_bound and errors[worst] <= gradient_bound):
            raise Failed(text)
        return text, {"loss": loss, **errors}

    def graph_is_eager(self, program: Program):
        with tempfile.TemporaryDirectory() as folder:
            saved = [Path(folder) / name for name in ("graph", "eager", "again")]
            for file, options in zip(saved, ((), ("--no-graph",), ())):
                data = ("--data", program.folder / "tokens.bin", "--steps", TRAINED_STEPS, "--quiet")
                execute(program.train, "train", *data, "--save", file, *options)
            graph, eager, again = (file.read_bytes() for file in saved)
        if graph != eager or graph != again:
            raise Failed("parameters differ " + ("with --no-graph" if graph != eager else "between two runs"))
        return f"{TRAINED_STEPS} steps three times, the same bytes", None

    def sanitize(self, program: Program, which: str):
        if self.emulated:
            raise Skipped("for GPUs only")
        sanitizer = find_tool("compute-sanitizer")
        options = ("--tool", which, "--error-exitcode", "9")
        execute(sanitizer, *options, program.check, "replay", program.folder / "trace")
        return "no error", None

    def share_gpu(self, program: Program):
        """Two ranks that find each other over TCP."""
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        variables = {
            "WORLD_SIZE": "2",
            "MASTER_ADDR": "127.0.0.1",
            "BOOST_MASTER_PORT": str(port),
            "BOOST_CUDA_COLLECTIVES": "staged",
        }
        launcher = ("sh", "-c", 'RANK=1 "$@" & RANK=0 "$@" && wait $!', "sh")
        return self.gradients(program, launcher, variables)

    def check_values(self):
        self.make("machine", self.measure_machine)
        if not self.machine:
            return
        programs = [Program(entry) for entry in self.manifest["small"]]
        single = [program for program in programs if program.entry["mesh"] == "1"]
        for check, method in (
            ("kernels", self.replay),
            ("verify", self.verify),
            ("gradients", self.gradients),
            ("graph", self.graph_is_eager),
        ):
            for program in single:
                if check != "verify" or (program.folder / "reference").exists():
                    self.make(f"{check} {program.name}", method, program)
        for program in programs:
            if program not in single:
                self.make(f"one GPU {program.name}", self.share_gpu, program)
        for which in ("memcheck", "racecheck"):
            for program in single[:1]:
                self.make(f"{which} {program.name}", self.sanitize, program, which)

    # Speed

    def step(self, program: Program):
        report = last_json(execute(program.check, "step"))
        if not report["calls"]:
            raise Failed("nothing was called")
        kernels = json.loads((program.folder / "kernels.json").read_text())
        for call in report["calls"]:
            if call["call"] == "launch":
                call |= kernels[call["form"]]
        if self.emulated:
            return f"{len(report['calls'])} different calls", report
        cube, copy = self.machine["cube_tflops"] * 1e12, self.machine["copy_gbps"] * 1e9
        ideal = 0.0
        for call in report["calls"]:
            flops = (call["tflops"] or 0) * 1e12 * call["seconds"]
            ideal += call["count"] * max(flops / cube, call["bytes"] / copy)
        step = report["seconds_graph"]
        report["roofline"] = ideal / step
        text = f"{1e3 * step:.2f} ms as a graph, {1e3 * report['seconds_eager']:.2f} ms without"
        return f"{text}, {100 * ideal / step:.0f} % of the roofline", report

    def summarize(self, calls: list, which):
        """The rates of some calls, weighted by their times."""
        if self.emulated:
            raise Skipped("the emulator has no speed")
        chosen = [call for call in calls if which(call)]
        if not chosen:
            raise Skipped("there are none")
        seconds = sum(call["count"] * call["seconds"] for call in chosen)
        flops = sum(call["count"] * (call["tflops"] or 0) * 1e12 * call["seconds"] for call in chosen)
        moved = sum(call["count"] * call["bytes"] for call in chosen)
        text = f"{1e3 * seconds:.3f} ms"
        if flops:
            rate = flops / seconds / 1e12
            text += f", {rate:.1f} TFLOP/s, {100 * rate / self.machine['cube_tflops']:.0f} % of the cube"
        else:
            rate = moved / seconds / 1e9
            text += f", {rate:.0f} GB/s, {100 * rate / self.machine['copy_gbps']:.0f} % of a copy"
        return text, chosen

    def framework(self, entry: dict, which: str):
        if self.emulated:
            raise Skipped("the emulator has no speed")
        size = [entry[key] for key in ("kind", "size", "batch", "seq")]
        command = (sys.executable, HERE / "frameworks.py", which, *size)
        report = last_json(execute(*command, limit=FRAMEWORK_SECONDS))
        if "skipped" in report:
            raise Skipped(report["skipped"])
        return f"{1e3 * report['seconds']:.2f} ms, version {report['version']}", report

    def check_speed(self):
        self.make("machine", self.measure_machine)
        if not self.machine:
            return
        entries = self.manifest["large"]
        if self.emulated:
            entries = [{"name": self.manifest["stand_in"]}]
        for entry in entries:
            name = entry["name"]
            report = self.make(f"step {name}", self.step, Program(entry))
            calls = report["calls"] if report else []
            for product in [call for call in calls if call["call"] == "gemm"]:
                self.make(f"product {name} {product['form']}", self.summarize, [product], bool)
            for call in ("attention_forward", "attention_backward", "adamw", "sum_of_squares"):
                self.make(f"{call} {name}", self.summarize, calls, lambda c, n=call: c["call"] == n)
            for kernel in sorted({call["class"] for call in calls if "class" in call}):
                chosen = lambda c, k=kernel: c.get("class") == k  # noqa: E731
                self.make(f"{kernel} kernels {name}", self.summarize, calls, chosen)
        for entry in entries[:1]:
            for which in ("jax", "torch", "torch-compile"):
                self.make(f"{which} {entry['name']}", self.framework, entry, which)


def main() -> int:
    checks = Checks(sys.argv[1])
    checks.check_values() if checks.kind == "values" else checks.check_speed()
    return checks.finish()


if __name__ == "__main__":
    sys.exit(main())
