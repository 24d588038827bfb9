# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times a training step of a LLaMA in JAX or PyTorch, in bf16 with AdamW in f32, or attention by
PyTorch's backends: `frameworks.py jax|torch|torch-compile MODEL`, where MODEL is JSON with kind, size,
batch, seq and overrides, or `frameworks.py attention SHAPES`, a list of lists of batch, rows,
heads, key heads, head size and whether it is causal. Prints one object of JSON."""

import json
import sys
import time

REPEATS = 5
RATE, BETAS, EPSILON, DECAY = 1e-4, (0.9, 0.95), 1e-8, 0.1


def measure(step, wait) -> float:
    """Seconds of a step, after two that compile and warm up."""
    for _ in range(2):
        step()
    wait()
    begin = time.perf_counter()
    for _ in range(REPEATS):
        step()
    wait()
    return (time.perf_counter() - begin) / REPEATS


def run_jax(config, batch, seq) -> dict:
    try:
        import jax
        import jax.numpy as jnp
    except ImportError:
        return {"skipped": "JAX is not installed"}
    from boost_mlir import models

    loss = models.make_loss(config)
    shapes = models.abstract_params(config)
    keys = iter(jax.random.split(jax.random.key(1), len(jax.tree.leaves(shapes))))

    def normal(leaf):
        return (0.02 * jax.random.normal(next(keys), leaf.shape)).astype(leaf.dtype)

    params = jax.tree.map(normal, shapes)
    first = jax.tree.map(lambda leaf: jnp.zeros(leaf.shape, jnp.float32), params)
    second = jax.tree.map(jnp.zeros_like, first)
    tokens = jax.random.randint(jax.random.key(2), (batch, seq), 0, config.vocab)

    def update(p, m, v, g):
        g = g.astype(jnp.float32)
        m, v = BETAS[0] * m + (1 - BETAS[0]) * g, BETAS[1] * v + (1 - BETAS[1]) * g * g
        moved = m / (jnp.sqrt(v) + EPSILON) + DECAY * p.astype(jnp.float32)
        return (p - RATE * moved).astype(p.dtype), m, v

    @jax.jit
    def step(params, first, second):
        value, gradients = jax.value_and_grad(loss)(params, tokens, tokens)
        parts = jax.tree.map(update, params, first, second, gradients)
        kept = [jax.tree.map(lambda _, part, i=i: part[i], params, parts) for i in range(3)]
        return value, *kept

    state = (None, params, first, second)

    def advance():
        nonlocal state
        state = step(*state[1:])

    seconds = measure(advance, lambda: jax.block_until_ready(state))
    return {"seconds": seconds, "version": jax.__version__, "device": str(jax.devices()[0])}


def make_torch_model(torch, config):
    """The decoder of boost_mlir.models for the kinds `full`, `svd` and `cola`."""
    functional, nn = torch.nn.functional, torch.nn

    class Linear(nn.Module):
        def __init__(self, inputs, outputs):
            super().__init__()
            self.down = None
            if config.low_rank:
                self.down = nn.Linear(inputs, config.rank, bias=False)
                inputs = config.rank
            self.up = nn.Linear(inputs, outputs, bias=False)

        def forward(self, x):
            if self.down is None:
                return self.up(x)
            latent = self.down(x)
            return self.up(functional.silu(latent) if config.activates_latent else latent)

    class Block(nn.Module):
        def __init__(self):
            super().__init__()
            kv = config.kv_heads * config.head_dim
            self.norms = nn.ModuleList(nn.RMSNorm(config.d, eps=config.norm_eps) for _ in range(2))
            self.q, self.k = Linear(config.d, config.d), Linear(config.d, kv)
            self.v, self.o = Linear(config.d, kv), Linear(config.d, config.d)
            self.gate, self.up = Linear(config.d, config.d_ff), Linear(config.d, config.d_ff)
            self.down = Linear(config.d_ff, config.d)

        def forward(self, x, cos, sin):
            def heads(value):
                return value.unflatten(-1, (-1, config.head_dim)).transpose(1, 2)

            def rotate(value):
                a, b = value.float().chunk(2, -1)
                return torch.cat([a * cos - b * sin, b * cos + a * sin], -1).to(value.dtype)

            y = self.norms[0](x)
            q, k, v = rotate(heads(self.q(y))), rotate(heads(self.k(y))), heads(self.v(y))
            attended = functional.scaled_dot_product_attention(
                q, k, v, is_causal=True, enable_gqa=config.kv_heads != config.heads
            )
            x = x + self.o(attended.transpose(1, 2).flatten(2))
            y = self.norms[1](x)
            gate = self.gate(y)
            gate = functional.silu(gate) if config.activates_gate else gate
            return x + self.down(gate * self.up(y))

    class Decoder(nn.Module):
        def __init__(self):
            super().__init__()
            self.embed = nn.Embedding(config.vocab, config.d)
            self.blocks = nn.ModuleList(Block() for _ in range(config.layers))
            self.norm = nn.RMSNorm(config.d, eps=config.norm_eps)
            self.head = nn.Linear(config.d, config.vocab, bias=False)

        def forward(self, tokens):
            half = config.head_dim // 2
            frequencies = config.rope_theta ** (-torch.arange(half, device=tokens.device) / half)
            angles = torch.arange(tokens.shape[1], device=tokens.device)[:, None] * frequencies
            cos, sin = angles.cos(), angles.sin()
            x = self.embed(tokens)
            for block in self.blocks:
                x = block(x, cos, sin)
            return self.head(self.norm(x)).float()

    return Decoder()


def run_torch(config, batch, seq, compiled) -> dict:
    try:
        import torch
    except ImportError:
        return {"skipped": "PyTorch is not installed"}
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model = make_torch_model(torch, config).to(device, torch.bfloat16)
    if compiled:
        model = torch.compile(model)
    options = dict(lr=RATE, betas=BETAS, eps=EPSILON, weight_decay=DECAY, fused=True)
    optimizer = torch.optim.AdamW(model.parameters(), **options)
    tokens = torch.randint(config.vocab, (batch, seq), device=device)

    def step():
        optimizer.zero_grad(set_to_none=True)
        logits = model(tokens)
        torch.nn.functional.cross_entropy(logits.flatten(0, 1), tokens.flatten()).backward()
        optimizer.step()

    seconds = measure(step, torch.cuda.synchronize if device == "cuda" else lambda: None)
    return {"seconds": seconds, "version": torch.__version__, "device": device}


def time_attention(shapes) -> dict:
    """Seconds of the forward and of the backward pass by each backend, for each shape."""
    try:
        import torch
        from torch.nn.attention import SDPBackend, sdpa_kernel
    except ImportError:
        return {"skipped": "PyTorch is not installed"}
    if not torch.cuda.is_available():
        return {"skipped": "PyTorch sees no GPU"}
    wait = torch.cuda.synchronize

    def measure_backend(backend, shape):
        b, s, h, kvh, d, causal = shape

        def heads(count):
            options = {"device": "cuda", "dtype": torch.bfloat16, "requires_grad": True}
            return torch.randn(b, s, count, d, **options).transpose(1, 2)

        q, k, v = heads(h), heads(kvh), heads(kvh)
        options = {"is_causal": bool(causal), "enable_gqa": h != kvh}
        attend = torch.nn.functional.scaled_dot_product_attention
        with sdpa_kernel(backend):
            try:
                out = attend(q, k, v, **options)
            except RuntimeError as error:
                return {"refused": str(error).splitlines()[0]}
            gradient = torch.randn_like(out)
            forward = measure(lambda: attend(q, k, v, **options), wait)
            inputs = (q, k, v)
            backward = measure(lambda: torch.autograd.grad(out, inputs, gradient, retain_graph=True), wait)
        return {"forward": forward, "backward": backward}

    backends = {"flash": SDPBackend.FLASH_ATTENTION, "cudnn": SDPBackend.CUDNN_ATTENTION}
    times = [{name: measure_backend(b, shape) for name, b in backends.items()} for shape in shapes]
    return {"version": torch.__version__, "shapes": times}


def load_config(kind: str, size: str, overrides: dict):
    """Loads a configuration of the package without its other modules, which need JAX."""
    import importlib.util
    from pathlib import Path

    path = Path(__file__).resolve().parent / "boost_mlir" / "models" / "config.py"
    spec = importlib.util.spec_from_file_location("config", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules["config"] = module
    spec.loader.exec_module(module)
    return module.ModelConfig.of_size(size, kind, dtype="bf16", **overrides)


def main() -> None:
    which, argument = sys.argv[1], json.loads(sys.argv[2])
    if which == "attention":
        print(json.dumps(time_attention(argument)))
        return
    config = load_config(argument["kind"], argument["size"], argument["overrides"])
    shape = argument["batch"], argument["seq"]
    if which == "jax":
        report = run_jax(config, *shape)
    else:
        report = run_torch(config, *shape, which == "torch-compile")
    print(json.dumps(report))


if __name__ == "__main__":
    main()
