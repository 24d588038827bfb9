# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Architecture and size of a decoder, checked when it is made."""

from __future__ import annotations

import dataclasses

KINDS = ("full", "svd", "cola", "lax")
DTYPES = ("f32", "bf16", "f16")

# Hidden size, layers, heads, d_ff, vocabulary; the rank is a quarter of the
# hidden size everywhere. `tiny` is for tests and `demo` reads bytes; the others
# are the LLaMA shapes that GaLore and CoLA published.
_SHAPES = {
    "tiny": (64, 2, 4, 172, 64),
    "demo": (512, 8, 8, 1376, 256),
    "60m": (512, 8, 8, 1376, 32000),
    "130m": (768, 12, 12, 2048, 32000),
    "350m": (1024, 24, 16, 2736, 32000),
    "1b": (2048, 24, 32, 5461, 32000),
    "3b": (2560, 32, 32, 6848, 32000),
    "7b": (4096, 32, 32, 11008, 32000),
    "13b": (5120, 40, 40, 13824, 32000),
    "30b": (6656, 60, 52, 17920, 32000),
}
SIZES = tuple(_SHAPES)


@dataclasses.dataclass(frozen=True)
class ModelConfig:
    """One decoder.

    `kind` chooses what a linear of a block is:

    - `full`: one dense weight.
    - `svd`:  two factors, `y = (x A) B`; the MLP is `silu(gate) * up`.
    - `cola`: two factors with an activation between them,
      `y = silu(x A) B`; the MLP is `gate * up`.
    - `lax`:  as its `host` (`svd` or `cola`), and the latent `x A` of the same
      linear in the previous block is added to the latent before the activation.
    """

    kind: str = "cola"
    d: int = 64
    layers: int = 2
    heads: int = 4
    kv_heads: int | None = None
    d_ff: int = 172
    rank: int | None = None
    vocab: int = 64
    tied: bool = False
    dtype: str = "f32"
    scan: bool = False
    host: str = "svd"
    norm_eps: float = 1e-6
    rope_theta: float = 1e4

    def __post_init__(self):
        if self.kv_heads is None:
            object.__setattr__(self, "kv_heads", self.heads)
        if self.rank is None:
            object.__setattr__(self, "rank", self.d // 4)
        self._check()

    def _check(self):
        _one_of("kind", self.kind, KINDS)
        _one_of("dtype", self.dtype, DTYPES)
        _one_of("host", self.host, ("svd", "cola"))
        for name in ("d", "layers", "heads", "kv_heads", "d_ff", "rank", "vocab"):
            value = getattr(self, name)
            if value < 1:
                raise ValueError(f"{name} must be at least 1, but is {value}")
        if self.d % self.heads:
            raise ValueError(
                f"the hidden size d = {self.d} is not a multiple of heads = {self.heads}"
            )
        if self.head_dim % 2:
            raise ValueError(
                f"rotary embedding needs an even head size, but d / heads = {self.head_dim}"
            )
        if self.heads % self.kv_heads:
            raise ValueError(
                f"heads = {self.heads} is not a multiple of kv_heads = {self.kv_heads}"
            )

    @property
    def head_dim(self) -> int:
        return self.d // self.heads

    @property
    def low_rank(self) -> bool:
        return self.kind != "full"

    @property
    def adds_previous_latent(self) -> bool:
        return self.kind == "lax"

    @property
    def activates_latent(self) -> bool:
        return self._host == "cola"

    @property
    def activates_gate(self) -> bool:
        return self._host != "cola"

    @property
    def _host(self) -> str:
        return self.host if self.kind == "lax" else self.kind

    @staticmethod
    def of_size(size: str, kind: str = "cola", **overrides) -> ModelConfig:
        """A published size by name, such as `7b`; overrides replace fields."""
        _one_of("size", size.lower(), SIZES)
        d, layers, heads, d_ff, vocab = _SHAPES[size.lower()]
        fields = dict(d=d, layers=layers, heads=heads, d_ff=d_ff, vocab=vocab)
        fields.update({k: v for k, v in overrides.items() if v is not None})
        return ModelConfig(kind=kind, **fields)


def _one_of(what: str, value: str, choices):
    if value not in choices:
        raise ValueError(f"unknown {what} '{value}'; choose one of {', '.join(choices)}")
