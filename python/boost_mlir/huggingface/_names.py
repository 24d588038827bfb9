# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Names of parameters in `boost_mlir.models` and in files of Hugging Face."""

from __future__ import annotations

import re

#: The linears of a block.
LINEARS = {
    "attn.q": "self_attn.q_proj",
    "attn.k": "self_attn.k_proj",
    "attn.v": "self_attn.v_proj",
    "attn.o": "self_attn.o_proj",
    "mlp.gate": "mlp.gate_proj",
    "mlp.up": "mlp.up_proj",
    "mlp.down": "mlp.down_proj",
}
_NORMS = {"attn.norm": "input_layernorm", "mlp.norm": "post_attention_layernorm"}
_OUTSIDE = {"embed": "model.embed_tokens", "norm": "model.norm", "head": "lm_head"}
_LAYER = re.compile(r"layers\.(\d+)\.(\w+\.\w+)(\.down|\.up)?")


def linear_of(name: str) -> tuple[int, str] | None:
    """The layer and the linear that a dense weight is of; None for other parameters."""
    found = _LAYER.fullmatch(name)
    return (int(found[1]), found[2]) if found and found[2] in LINEARS else None


def foreign_name(name: str) -> str:
    """The name of a parameter of unstacked layers in files of Hugging Face."""
    if name in _OUTSIDE:
        return f"{_OUTSIDE[name]}.weight"
    layer, part, factor = _LAYER.fullmatch(name).groups()
    return f"model.layers.{layer}.{(LINEARS | _NORMS)[part]}{factor or ''}.weight"


def is_transposed(name: str) -> bool:
    """Returns True for weights, of which PyTorch stores one row per output."""
    return name != "embed" and not name.endswith("norm")
