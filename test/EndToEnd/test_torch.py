# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A PyTorch module becomes a program through torchax, as docs/HowTo/FromPyTorch.md tells."""

import re

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from harness import relative_error, run, tool
from safetensors.numpy import load_file

import boost_mlir
from boost_mlir.export import export

torch = pytest.importorskip("torch", reason="PyTorch is not installed: pip install 'torch<2.12' torchax")
torchax = pytest.importorskip("torchax", reason="torchax is not installed: pip install torchax")

VOCAB, WIDTH, RANK, HEADS = 24, 16, 4, 4


class Block(torch.nn.Module):
    """Fused attention, and an MLP of two factors."""

    def __init__(self):
        super().__init__()
        self.norm = torch.nn.RMSNorm(WIDTH)
        self.qkv = torch.nn.Linear(WIDTH, 3 * WIDTH, bias=False)
        self.down = torch.nn.Linear(WIDTH, RANK, bias=False)
        self.up = torch.nn.Linear(RANK, WIDTH, bias=False)

    def forward(self, x):
        batch, length, width = x.shape
        qkv = self.qkv(self.norm(x)).view(batch, length, 3, HEADS, width // HEADS)
        q, k, v = qkv.permute(2, 0, 3, 1, 4)
        y = torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + y.transpose(1, 2).reshape(batch, length, width)
        return x + self.up(torch.nn.functional.silu(self.down(x)))


class Decoder(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = torch.nn.Embedding(VOCAB, WIDTH)
        self.blocks = torch.nn.ModuleList([Block(), Block()])
        self.head = torch.nn.Linear(WIDTH, VOCAB, bias=False)

    def forward(self, tokens):
        x = self.embed(tokens)
        for block in self.blocks:
            x = block(x)
        return self.head(x)


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    """The loss with its parameters and batch, and the exported text."""
    torch.manual_seed(1)
    weights, forward = torchax.extract_jax(Decoder())

    def loss(params, tokens, targets):
        log_probs = jax.nn.log_softmax(forward(params, (tokens,)))
        return -jnp.mean(jnp.take_along_axis(log_probs, targets[..., None], axis=-1))

    params = {name: np.asarray(weight) for name, weight in weights.items()}
    random = np.random.default_rng(1)
    batch = [random.integers(0, VOCAB, (4, 6), dtype=np.int32) for _ in range(2)]
    text = tmp_path_factory.mktemp("torch") / "loss.mlir"
    text.write_text(export(loss, params, *batch))
    return loss, params, batch, text


def test_what_the_module_is_made_of_is_recognized(program):
    passes = ("--boost-import-pipeline", "--boost-raise-pipeline")
    raised = run(tool("boost-opt"), program[-1], *passes).stdout
    assert set(re.findall(r"boost\.[a-z_]+(?= %)", raised)) == {
        "boost.attention",
        "boost.bottleneck",
        "boost.cross_entropy",
        "boost.embedding",
        "boost.linear",
        "boost.rms_norm",
    }


@pytest.mark.parametrize("mesh, ranks", [("1", 1), ("tp=2", 2)])
def test_loss_and_gradients_are_those_of_the_module(program, tmp_path, mesh, ranks):
    loss, params, (tokens, targets), text = program
    binary, inputs, outputs = tmp_path / "program", tmp_path / "in", tmp_path / "out"
    boost_mlir.save(inputs, params, {"tokens": tokens, "targets": targets})
    run(tool("boost-compile"), text, "--mesh", mesh, "-o", binary)
    launcher = ["mpirun", "--oversubscribe", "-np", ranks] if ranks > 1 else []
    run(*launcher, binary, "eval", "--inputs", inputs, "--outputs", outputs, "--gradients")
    results = load_file(outputs)
    # torchax keeps f32 whatever the oracle asks for.
    value, gradients = jax.jit(jax.value_and_grad(loss))(params, tokens, targets)
    assert float(results["loss"]) == pytest.approx(float(value), rel=1e-5)
    for name, expected in gradients.items():
        assert relative_error(results[f"grad.{name}"], expected) < 2e-5, name
