# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""LLaMA in NumPy and f64, written from its definition: an oracle that shares no code with the package.

It reads and writes folders as `transformers` does, so that those are tested where it is not installed."""

import json

import numpy as np
from safetensors.numpy import load_file, save_file

LINEARS = [f"self_attn.{name}_proj" for name in "qkvo"] + [f"mlp.{name}_proj" for name in ("gate", "up", "down")]

CONFIG = dict(
    **dict(architectures=["LlamaForCausalLM"], model_type="llama", hidden_act="silu", rms_norm_eps=1e-5),
    **dict(vocab_size=64, hidden_size=32, intermediate_size=48, num_hidden_layers=2, num_attention_heads=4),
    **dict(num_key_value_heads=2, max_position_embeddings=64, rope_theta=500.0, rope_scaling=None),
    **dict(tie_word_embeddings=False, torch_dtype="float32", bos_token_id=1),
)

LLAMA3 = dict(
    **dict(rope_type="llama3", factor=8.0, low_freq_factor=1.0, high_freq_factor=4.0),
    **dict(original_max_position_embeddings=16),
)


def random_tensors(config, seed=1):
    """Weights by the names of Hugging Face, one row for each output."""
    random = np.random.default_rng(seed)
    d, d_ff, vocab = (config[name] for name in ("hidden_size", "intermediate_size", "vocab_size"))
    head = config.get("head_dim") or d // config["num_attention_heads"]
    q, kv = (head * config[f"num_{name}_heads"] for name in ("attention", "key_value"))
    shapes = dict(zip(LINEARS, [(q, d), (kv, d), (kv, d), (d, q), (d_ff, d), (d_ff, d), (d, d_ff)]))
    normal = lambda *shape: (0.3 * random.standard_normal(shape)).astype(np.float32)
    tensors = {"model.embed_tokens.weight": normal(vocab, d), "model.norm.weight": 1 + normal(d)}
    if not config["tie_word_embeddings"]:
        tensors["lm_head.weight"] = normal(vocab, d)
    for layer in range(config["num_hidden_layers"]):
        for name in ("input_layernorm", "post_attention_layernorm"):
            tensors[f"model.layers.{layer}.{name}.weight"] = 1 + normal(d)
        for name, shape in shapes.items():
            tensors[f"model.layers.{layer}.{name}.weight"] = normal(*shape)
    return tensors


def write_folder(folder, config, tensors, shards=1):
    """Writes a folder with weights in one file, or in several with an index."""
    folder.mkdir(exist_ok=True)
    (folder / "config.json").write_text(json.dumps(config))
    if shards == 1:
        save_file(tensors, folder / "model.safetensors", metadata={"format": "pt"})
        return
    where = {}
    for shard in range(shards):
        name = f"model-{shard + 1:05}-of-{shards:05}.safetensors"
        part = {key: tensors[key] for key in sorted(tensors)[shard::shards]}
        save_file(part, folder / name, metadata={"format": "pt"})
        where |= dict.fromkeys(part, name)
    (folder / "model.safetensors.index.json").write_text(json.dumps({"metadata": {}, "weight_map": where}))


def read_folder(folder):
    """The content of `config.json` and the tensors of all files."""
    tensors = {}
    for path in folder.glob("*.safetensors"):
        tensors |= load_file(path)
    return json.loads((folder / "config.json").read_text()), tensors


def _norm(x, scale, eps):
    return x / np.sqrt(np.mean(x * x, axis=-1, keepdims=True) + eps) * scale


def _silu(x):
    return x / (1 + np.exp(-x))


def _frequencies(config, head):
    plain = config["rope_theta"] ** (-2.0 * np.arange(head // 2) / head)
    scaling = config.get("rope_scaling")
    if not scaling:
        return plain
    if scaling["rope_type"] == "linear":
        return plain / scaling["factor"]
    result = []
    for frequency in plain:
        length = 2 * np.pi / frequency
        longest = scaling["original_max_position_embeddings"] / scaling["low_freq_factor"]
        shortest = scaling["original_max_position_embeddings"] / scaling["high_freq_factor"]
        if length < shortest:
            result.append(frequency)
        elif length > longest:
            result.append(frequency / scaling["factor"])
        else:
            smooth = scaling["original_max_position_embeddings"] / length - scaling["low_freq_factor"]
            smooth /= scaling["high_freq_factor"] - scaling["low_freq_factor"]
            result.append((1 - smooth) * frequency / scaling["factor"] + smooth * frequency)
    return np.array(result)


def loss(config, tensors, tokens, targets):
    """The mean cross entropy of all tokens."""
    tensors = {name: np.asarray(value, np.float64) for name, value in tensors.items()}
    heads, kv_heads = config["num_attention_heads"], config["num_key_value_heads"]
    head = config.get("head_dim") or config["hidden_size"] // heads
    count, length = tokens.shape
    angles = np.arange(length)[:, None] * _frequencies(config, head)
    turn = np.exp(1j * angles)[None, :, None, :]
    kind = config.get("low_rank_kind")

    def linear(x, name):
        if kind is None:
            return x @ tensors[f"{name}.weight"].T
        latent = x @ tensors[f"{name}.down.weight"].T
        return (_silu(latent) if kind == "cola" else latent) @ tensors[f"{name}.up.weight"].T

    def rotated(x):
        first, second = np.split(x.reshape(count, length, -1, head), 2, axis=-1)
        pairs = (first + 1j * second) * turn
        return np.concatenate([pairs.real, pairs.imag], axis=-1)

    x = tensors["model.embed_tokens.weight"][tokens]
    for layer in range(config["num_hidden_layers"]):
        part = f"model.layers.{layer}."
        y = _norm(x, tensors[f"{part}input_layernorm.weight"], config["rms_norm_eps"])
        q, k, v = (linear(y, f"{part}self_attn.{name}_proj") for name in "qkv")
        q, k, v = rotated(q), rotated(k), v.reshape(count, length, -1, head)
        out = np.zeros((count, length, heads, head))
        for h in range(heads):
            group = h // (heads // kv_heads)
            scores = q[:, :, h] @ k[:, :, group].transpose(0, 2, 1) / np.sqrt(head)
            scores = np.where(np.tri(length, dtype=bool), scores, -np.inf)
            weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
            out[:, :, h] = weights / weights.sum(axis=-1, keepdims=True) @ v[:, :, group]
        x = x + linear(out.reshape(count, length, -1), f"{part}self_attn.o_proj")
        y = _norm(x, tensors[f"{part}post_attention_layernorm.weight"], config["rms_norm_eps"])
        gate = linear(y, f"{part}mlp.gate_proj")
        gate = gate if kind == "cola" else _silu(gate)
        x = x + linear(gate * linear(y, f"{part}mlp.up_proj"), f"{part}mlp.down_proj")
    x = _norm(x, tensors["model.norm.weight"], config["rms_norm_eps"])
    head_weight = "model.embed_tokens.weight" if config["tie_word_embeddings"] else "lm_head.weight"
    logits = x @ tensors[head_weight].T
    logits -= logits.max(axis=-1, keepdims=True)
    picked = np.take_along_axis(logits, targets[..., None], axis=-1)[..., 0]
    return float(np.mean(np.log(np.sum(np.exp(logits), axis=-1)) - picked))
