# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The plans that real cuDNN makes for attention, without a GPU.

BOOST_CUDNN=1 installs the newest cuDNN from PyPI into a temporary folder (400 MB);
BOOST_CUDNN=9.19.1.2 installs that one."""

import json
import os
import subprocess
import sys
from typing import NamedTuple

import pytest
from harness import REPOSITORY, build_directory

from boost_mlir import models

VERSION = os.environ.get("BOOST_CUDNN")
if not VERSION:
    pytest.skip("set BOOST_CUDNN=1", allow_module_level=True)

# Architecture and description.
GPUS = {80: "a100", 90: "h200", 100: "b200"}
SIZES = ("1b", "3b", "7b", "13b", "30b")


class Call(NamedTuple):
    type: str
    b: int
    sq: int
    sk: int
    h: int
    kvh: int
    dh: int
    causal: bool
    backward: bool = False
    deterministic: bool = True

    def __str__(self):
        return " ".join(str(int(v)) if isinstance(v, bool) else str(v) for v in self)

    def directions(self):
        yield self
        for deterministic in (True, False):
            yield self._replace(backward=True, deterministic=deterministic)


def of_models():
    """Attention of the models on tp ranks, of the batches of docs/benchmarks."""
    heads = set()
    for size in SIZES:
        config = models.ModelConfig.of_size(size)
        heads |= {
            (config.heads // tp, config.head_dim) for tp in (1, 2, 4, 8) if config.heads % tp == 0
        }
    for h, dh in sorted(heads):
        for b, s in ((8, 1024), (1, 4096)):
            yield from Call("bf16", b, s, s, h, h, dh, causal=True).directions()


def of_others():
    """Grouped queries, sequences and sizes of heads that no tile divides, full attention."""
    for sq, sk, h, kvh, dh in (
        (64, 64, 4, 4, 64),
        (100, 100, 6, 2, 80),
        (193, 193, 6, 2, 96),
        (1000, 1000, 4, 1, 64),
        (1280, 1280, 4, 4, 72),
        (4096, 4096, 8, 2, 128),
        (300, 200, 4, 2, 64),
        (200, 300, 4, 4, 128),
        (7, 7, 3, 3, 16),
    ):
        for causal in (True, False):
            type = "bf16" if causal else "f16"
            yield from Call(type, 2, sq, sk, h, kvh, dh, causal).directions()


def round_up(number, multiple):
    return -number // multiple * -multiple


# Engines made for Ampere, which newer GPUs fall back to.
AMPERE = (1, 7)


def needed(call, architecture, engine):
    """Returns the workspace that cuDNN needs, as far as its engines can be seen from outside, and
    the tensors that the runtime keeps for it."""
    heads = call.b * call.h
    generation = 80 if engine in AMPERE else architecture
    rest = {80: 128, 90: 256, 100: 128}[generation]
    if not call.backward:
        return rest if generation == 90 else 0
    own = round_up(4 * heads * call.sq, 256)
    groups = 4 * heads * call.sk * call.dh if call.h != call.kvh else 0
    sums = 4 * heads * call.sq * call.dh
    if not call.deterministic:
        own += round_up(sums, 256)
    if generation == 100:
        return own + (rest + groups + call.deterministic * sums if groups else 0)
    if call.deterministic:
        columns = round_up(call.sk, 128 if generation == 90 else 64)
        return own + rest + groups + 2 * heads * round_up(call.sq, 64) * columns
    again = 4 * heads * round_up(call.sq, 8) * call.dh if generation == 80 else 0
    return own + rest + groups + again


@pytest.fixture(scope="module")
def libraries(tmp_path_factory):
    folder = tmp_path_factory.mktemp("cudnn")
    version = "" if VERSION == "1" else f"=={VERSION}"
    packages = (f"nvidia-cudnn-cu13{version}", "nvidia-cuda-nvrtc")
    install = (sys.executable, "-m", "pip", "install", "--quiet", "--no-deps")
    subprocess.run([*install, "--target", folder, *packages], check=True)
    stub = build_directory() / "test" / "lib" / "driver-stub"
    return ":".join(map(str, (folder / "nvidia/cudnn/lib", folder / "nvidia/cu13/lib", stub)))


@pytest.mark.parametrize("architecture", GPUS)
def test_workspace_is_what_programs_are_given(libraries, architecture):
    """Every plan is made, and needs what its formula says, which is at most what the memory plan
    has. `pytest -s` prints the largest of them."""
    calls = [*of_models(), *of_others()]
    gpu = REPOSITORY / "test" / "cudnn-plans" / f"{GPUS[architecture]}.json"
    result = subprocess.run(
        [build_directory() / "test" / "bin" / "boost_cudnn_plans", gpu, str(architecture)],
        input="\n".join(map(str, calls)),
        env=os.environ | {"LD_LIBRARY_PATH": libraries},
        capture_output=True,
        text=True,
    )
    assert result.returncode == 0, result.stderr
    version, *plans = map(json.loads, result.stdout.splitlines())
    assert len(plans) == len(calls)
    largest = {}
    for call, plan in zip(calls, plans):
        reason = unserved(call, architecture, version["version"])
        if reason:
            assert reason in plan["problem"], (call, plan)
            continue
        assert not plan["problem"], (call, plan)
        assert plan["needed"] == needed(call, architecture, plan["engine"]), (call, plan)
        assert plan["needed"] <= plan["given"], (call, plan)
        largest[call[7:]] = max(largest.get(call[7:], (0,)), (plan["needed"], plan["given"], call))
    print(f"\ncuDNN {version['version']}, sm_{architecture}: {len(plans)} plans")
    for row in largest.values():
        print(*row)


def unserved(call, architecture, version):
    """Why a version must not make a plan, or nothing."""
    is_odd = call.sq % 128 or call.sk % 128
    if call.backward and is_odd and version <= 91500:
        return "cuDNN up to 9.15 computes gradients of attention for multiples of 128"
    if call.backward and call.deterministic and architecture >= 100 and version < 91800:
        return "cuDNN before 9.18 has no deterministic gradient"
    return None
