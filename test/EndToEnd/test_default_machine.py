# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The machine of a program whose command line names none: a CPU, or a GPU for a GPU program."""

import json
import os
import subprocess

import pytest
from harness import emulator, tool

from boost_mlir import models
from boost_mlir.export import export_model

CUDA = "--target=cuda"


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    """A model whose fastest program on four ranks is not the same for a CPU and for a GPU."""
    path = tmp_path_factory.mktemp("default") / "model.mlir"
    config = models.ModelConfig.of_size("7b", "cola", layers=2, dtype="bf16")
    path.write_text(export_model(config, 4, 512))
    return path


@pytest.fixture
def compile_here(source, tmp_path):
    """`compile_here(*options, gpu=NAME)`: a plan and the messages, on a machine with this GPU or none."""

    def run(*options, gpu=None, emit="plan"):
        # A GPU of the machine that runs this test is not meant.
        environment = os.environ | {"CUDA_VISIBLE_DEVICES": "", "LD_LIBRARY_PATH": str(tmp_path)}
        if gpu:
            driver = tmp_path / "libcuda.so.1"
            driver.unlink(missing_ok=True)
            driver.symlink_to(emulator())
            environment["BOOST_EMULATOR_NAME"] = gpu
        command = (tool("boost-compile"), source, *options, f"--emit={emit}")
        result = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        return json.loads(result.stdout) if emit == "plan" else result.stdout, result.stderr

    return run


def test_without_a_gpu_programs_for_gpus_are_those_for_an_h100(compile_here):
    assumed, messages = compile_here(CUDA, "--ranks=4")
    assert messages == ""
    assert assumed["predicted"]["machine"] == "h100"
    named, _ = compile_here(CUDA, "--ranks=4", "--machine=h100")
    assert assumed == named
    other, _ = compile_here(CUDA, "--ranks=4", "--machine=host")
    assert other["choice"] != assumed["choice"]


def test_the_summary_names_the_machine(compile_here):
    summary, _ = compile_here(CUDA, emit="summary")
    assert "predicted on 'h100'" in summary
    summary, _ = compile_here(emit="summary")
    assert "predicted on 'host'" in summary


@pytest.mark.parametrize(
    "gpu, machine",
    [
        ("NVIDIA H200", "h200"),
        ("NVIDIA H100 80GB HBM3", "h100"),
        ("NVIDIA A100-SXM4-80GB", "a100-80gb"),
    ],
)
def test_the_gpu_of_this_machine_is_taken(compile_here, gpu, machine):
    plan, messages = compile_here(CUDA, gpu=gpu)
    assert plan["predicted"]["machine"] == machine
    assert messages == ""


def test_programs_for_cpus_do_not_ask_for_a_gpu(compile_here):
    plan, _ = compile_here(gpu="NVIDIA H200")
    assert plan["predicted"]["machine"] == "host"


def test_a_named_machine_counts_whatever_the_gpu(compile_here):
    plan, _ = compile_here(CUDA, "--machine=a100-80gb", gpu="NVIDIA H200")
    assert plan["predicted"]["machine"] == "a100-80gb"


def test_an_unknown_gpu_is_told(compile_here):
    plan, messages = compile_here(CUDA, gpu="NVIDIA L4")
    assert plan["predicted"]["machine"] == "h100"
    assert "remark: no machine file lists the device 'NVIDIA L4'" in messages
    assert "name another with --machine" in messages
    _, messages = compile_here(CUDA, "--quiet", gpu="NVIDIA L4")
    assert messages == ""
