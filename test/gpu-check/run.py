# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the parts of scripts/gpu_check.sh that are named, the most important checks first. Needs Python
alone."""

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
# Limit of a call: a GPU may be available for a short time, the emulator always is.
LIMIT_SECONDS = 3600 if "BOOST_CUDA_EMULATOR" in os.environ else 460
# Limit of JAX and PyTorch each, which compile.
FRAMEWORK_SECONDS = 100
TRAINED_STEPS = 5
# Attention that is timed: batch, rows, heads, key heads, head size, causal.
ATTENTIONS = [(8, 1024, 32, 32, 64, 1), (1, 4096, 8, 8, 128, 1), (1, 4096, 8, 2, 128, 1), (2, 1000, 4, 4, 96, 0)]
EMULATED_ATTENTIONS = [(1, 64, 4, 2, 16, 1), (2, 70, 2, 2, 24, 0)]
# Relative to the largest number of a tensor: cuDNN and the kernels round at different points.
ATTENTION_TOLERANCE = 2e-2
# Losses of the first steps on the GPU and on the CPU, in f32.
LOSS_TOLERANCE = 1e-3

started = time.monotonic()


class Skipped(Exception):
    """Why a check was not made."""


class Failed(Exception):
    """An error that was found."""


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

    def __init__(self):
        self.manifest = json.loads((HERE / "manifest.json").read_text())
        self.results, self.steps, self.machine = [], {}, {}
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
        # After every check: the call may be cut short.
        report = {"machine": self.machine, "failed": self.count("fail"), "checks": self.results}
        (HERE / "results.json").write_text(json.dumps(report, indent=1))
        return details

    def count(self, verdict: str) -> int:
        return sum(result["verdict"] == verdict for result in self.results)

    def finish(self) -> int:
        print(", ".join(f"{self.count(verdict)} {verdict}" for verdict in ("pass", "fail", "skip")))
        return 1 if self.count("fail") or not self.machine else 0

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
        # The replay looks a kernel up in one module after another: not finding it is no error.
        options = ("--tool", which, "--error-exitcode", "9", *(("--report-api-errors", "no") if which == "memcheck" else ()))
        execute(sanitizer, *options, program.check, "replay", program.folder / "trace")
        return "no error", None

    def share_gpu(self, program: Program, collectives: str, *options):
        """All ranks on one GPU; they find each other over TCP."""
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        ranks = program.entry["ranks"]
        variables = {
            "WORLD_SIZE": str(ranks),
            "MASTER_ADDR": "127.0.0.1",
            "BOOST_MASTER_PORT": str(port),
            "BOOST_CUDA_COLLECTIVES": collectives,
            # Since NCCL 2.30.
            "NCCL_MULTI_RANK_GPU_ENABLE": "1",
        }
        others = "".join(f'RANK={rank} "$@" & ' for rank in range(1, ranks))
        launcher = ("sh", "-c", f'{others}RANK=0 "$@"; code=$?; wait; exit $code', "sh")
        try:
            return self.gradients(program, launcher, variables)
        except Failed as reason:
            if collectives == "nccl" and "NCCL returned 5" in str(reason):
                raise Skipped("NCCL before 2.30 has one rank for each GPU") from reason
            raise

    def losses(self, entry: dict):
        """Those of a training run, against the CPU's."""
        program = Program(entry)
        with tempfile.TemporaryDirectory() as folder:
            log = Path(folder) / "log.jsonl"
            data = ("--data", program.folder / "tokens.bin", "--steps", entry["steps"])
            execute(program.train, "train", *data, "--lr", "2e-3", "--quiet", "--log", log)
            lines = list(map(json.loads, log.read_text().splitlines()))
        losses = [line["loss"] for line in lines if "step" in line]
        worst = max(abs(a - b) / abs(b) for a, b in zip(losses, entry["losses"], strict=True))
        text = f"{len(losses)} steps, loss {losses[0]:.4f} to {losses[-1]:.4f}, {worst:.1e} of {LOSS_TOLERANCE:.1e} from the CPU's"
        if not worst <= LOSS_TOLERANCE:
            raise Failed(text)
        return text, {"losses": losses}

    def attention(self, program: Program, shape):
        """cuDNN's results against those of the kernels; and the times of both."""
        report = last_json(execute(program.check, "attention", *shape))
        forward, backward = report["forward"], report["backward"]
        fixed = backward.get("cudnn")
        if "cudnn" not in forward or fixed is None:
            reasons = {served["reason"] for served in report["served"] if served["reason"]}
            raise Skipped("; ".join(sorted(reasons)))
        free = backward.get("cudnn_nondeterministic", fixed)
        worst = max(error for each in (forward, fixed, free) for error in each["errors"].values())
        again = forward["same_bytes_again"] and fixed["same_bytes_again"]
        by = ", ".join(sorted({served["by"] for served in report["served"]}))
        text = f"{by}: {worst:.1e} of {ATTENTION_TOLERANCE:.1e} from the kernels"
        if not self.emulated:
            times = [forward["cudnn"], fixed["seconds"], free["seconds"]]
            ours = [forward["kernels"], backward["kernels"]]
            text += ", ms forward, backward, in any order: " + ", ".join(f"{1e3 * t:.3f}" for t in times)
            text += "; by kernels: " + ", ".join(f"{1e3 * t:.3f}" for t in ours)
        if not worst <= ATTENTION_TOLERANCE:
            raise Failed(text)
        if not again:
            raise Failed(text + "; two runs make different bytes")
        return text, report

    def torch_attention(self, shapes):
        """The backends of PyTorch, in one process."""
        if self.emulated:
            raise Skipped("the emulator has no speed")
        command = (sys.executable, HERE / "frameworks.py", "attention", json.dumps(shapes))
        report = last_json(execute(*command, limit=FRAMEWORK_SECONDS))
        if "skipped" in report:
            raise Skipped(report["skipped"])
        parts = []
        for shape, times in zip(shapes, report["shapes"]):
            for name, found in times.items():
                what = "refuses"
                if "forward" in found:
                    what = f"{1e3 * found['forward']:.3f}, {1e3 * found['backward']:.3f}"
                parts.append(f"{name} {' x '.join(map(str, shape[:5]))} {what}")
        return f"version {report['version']}, ms forward, backward: " + "; ".join(parts), report

    def check_values(self):
        programs = [Program(entry) for entry in self.manifest["small"]]
        single = [program for program in programs if program.entry["mesh"] == "1"]
        for check, method in (
            ("verify", self.verify),
            ("gradients", self.gradients),
            ("graph", self.graph_is_eager),
        ):
            for program in single:
                if check != "verify" or (program.folder / "reference").exists():
                    self.make(f"{check} {program.name}", method, program)
        for program in programs:
            if program not in single:
                for collectives in ("nccl", "staged"):
                    self.make(f"one GPU {program.name} {collectives}", self.share_gpu, program, collectives)
        if self.manifest["trained"]:
            self.make("losses", self.losses, self.manifest["trained"])
        for program in single:
            self.make(f"kernels {program.name}", self.replay, program)
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

    def framework(self, entry: dict, which: str, ours):
        """Another framework's step, and ours as a part of it."""
        if self.emulated:
            raise Skipped("the emulator has no speed")
        command = (sys.executable, HERE / "frameworks.py", which, json.dumps(entry["model"]))
        report = last_json(execute(*command, limit=FRAMEWORK_SECONDS))
        if "skipped" in report:
            raise Skipped(report["skipped"])
        text = f"{1e3 * report['seconds']:.2f} ms, version {report['version']}"
        if ours:
            report["ratio"] = ours["seconds_graph"] / report["seconds"]
            text += f"; our step takes {report['ratio']:.2f} of it"
        return text, report

    def check_attention(self):
        program = Program(self.manifest["small"][0])
        for shape in EMULATED_ATTENTIONS if self.emulated else ATTENTIONS:
            name = " x ".join(map(str, shape[:5])) + (" causal" if shape[5] else "")
            self.make(f"attention {name}", self.attention, program, shape)

    def check_steps(self):
        """Steps of large models."""
        entries = self.manifest["large"]
        if self.emulated:
            entries = [{"name": self.manifest["stand_in"], "mesh": "1"}]
        for entry in entries:
            name = entry["name"]
            self.steps[name] = self.make(f"step {name}", self.step, Program(entry))

    def check_calls(self):
        """The parts of these steps."""
        for name, report in self.steps.items():
            calls = report["calls"] if report else []
            for call in ("attention_forward", "attention_backward", "adamw", "sum_of_squares"):
                self.make(f"{call} {name}", self.summarize, calls, lambda c, n=call: c["call"] == n)
            for kernel in sorted({call["class"] for call in calls if "class" in call}):
                chosen = lambda c, k=kernel: c.get("class") == k  # noqa: E731
                self.make(f"{kernel} kernels {name}", self.summarize, calls, chosen)
            for product in [call for call in calls if call["call"] == "gemm"]:
                self.make(f"product {name} {product['form']}", self.summarize, [product], bool)

    def check_frameworks(self):
        """Those that make the same steps, the fastest first."""
        for which in ("torch-compile", "torch", "jax"):
            for entry in self.manifest["large"]:
                if entry["mesh"] == "1":
                    ours = self.steps.get(entry["name"])
                    self.make(f"{which} {entry['name']}", self.framework, entry, which, ours)
        self.make("torch attention", self.torch_attention, ATTENTIONS)

    def run(self, parts):
        self.make("machine", self.measure_machine)
        if not self.machine:
            return
        for part, check in (
            ("attention", self.check_attention),
            ("steps", self.check_steps),
            ("values", self.check_values),
            ("frameworks", self.check_frameworks),
            ("calls", self.check_calls),
        ):
            if part in parts:
                check()


def main() -> int:
    checks = Checks()
    checks.run(sys.argv[1:])
    return checks.finish()


if __name__ == "__main__":
    sys.exit(main())
