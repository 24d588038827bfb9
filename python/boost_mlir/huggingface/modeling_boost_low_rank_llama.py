# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A LLaMA whose linears are two factors, for `AutoModelForCausalLM` with `trust_remote_code=True`.

boost-mlir writes this file into the folders of low-rank models."""

import torch
from transformers import LlamaConfig, LlamaForCausalLM

_LINEARS = {
    "self_attn": ("q_proj", "k_proj", "v_proj", "o_proj"),
    "mlp": ("gate_proj", "up_proj", "down_proj"),
}


class BoostLowRankLlamaConfig(LlamaConfig):
    """That of a LLaMA, with

    low_rank:      the width of the latents; that of a linear of `svd` is at most its smaller dimension.
    low_rank_kind: `svd`, `cola` (the latent is activated, the gate of the MLP is not), or `lax` (the
                   latent of the same linear of the previous block is added).
    low_rank_host: of `lax`, whether the rest is that of `svd` or of `cola`.
    """

    model_type = "boost_low_rank_llama"
    base_model_tp_plan = None
    base_model_pp_plan = None


class LowRankLinear(torch.nn.Module):
    """`up(activation(down(x)))`, where the latent of `previous` is added before the activation."""

    def __init__(self, linear, rank, activation, previous, keeps_latent):
        super().__init__()
        self.down = torch.nn.Linear(linear.in_features, rank, bias=False)
        self.up = torch.nn.Linear(rank, linear.out_features, bias=False)
        self.activation = activation
        # In a tuple, so that it does not become a submodule of this one too.
        self.previous = (previous,)
        self.keeps_latent, self.latent = keeps_latent, None

    def forward(self, x):
        latent = self.down(x)
        if self.keeps_latent:
            self.latent = latent
        if self.previous[0] is not None:
            latent = latent + self.previous[0].latent
        return self.up(self.activation(latent))


class BoostLowRankLlamaForCausalLM(LlamaForCausalLM):
    config_class = BoostLowRankLlamaConfig

    def __init__(self, config):
        super().__init__(config)
        kind, adds = config.low_rank_kind, config.low_rank_kind == "lax"
        activates = (config.low_rank_host if adds else kind) == "cola"
        activation = torch.nn.functional.silu if activates else torch.nn.Identity()
        previous = {}
        for layer in self.model.layers:
            for part, names in _LINEARS.items():
                module = getattr(layer, part)
                for name in names:
                    linear = getattr(module, name)
                    smaller = min(linear.in_features, linear.out_features)
                    rank = min(config.low_rank, smaller) if kind == "svd" else config.low_rank
                    low_rank = LowRankLinear(linear, rank, activation, previous.get(name), adds)
                    setattr(module, name, low_rank)
                    if adds:
                        previous[name] = low_rank
            if activates:
                layer.mlp.act_fn = torch.nn.Identity()
        # A recomputed block would read latents of a later one.
        self.supports_gradient_checkpointing = not adds
        self.post_init()
