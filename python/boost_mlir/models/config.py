# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Architecture and size of a decoder, checked when it is made."""

from __future__ import annotations

import dataclasses

KINDS = ("full", "svd", "cola", "lax")
DTYPES = ("f32", "bf16", "f16")
ROPE_SCALINGS = ("linear", "llama3")

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
class RopeScaling:
    """Lower rotary frequencies, for sequences longer than those of pre-training.

    - `linear`: all frequencies are divided by `factor`.
    - `llama3`: those with fewer than `low_freq_factor` periods in `original_length` tokens are
      divided by `factor`, those with more than `high_freq_factor` are kept, and those between are
      interpolated.
    """

    kind: str
    factor: float
    low_freq_factor: float = 1.0
    high_freq_factor: float = 4.0
    original_length: int = 8192

    def __post_init__(self):
        _one_of("rope scaling", self.kind, ROPE_SCALINGS)
        if not self.factor >= 1:
            raise ValueError(f"the factor of rope scaling must be at least 1, but is {self.factor}")
        if self.kind == "llama3" and not 0 < self.low_freq_factor < self.high_freq_factor:
            raise ValueError(
                "rope scaling 'llama3' needs 0 < low_freq_factor < high_freq_factor, but they are "
                f"{self.low_freq_factor} and {self.high_freq_factor}"
            )
        if self.original_length < 1:
            raise ValueError(f"original_length must be at least 1, but is {self.original_length}")


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

    `head_dim` is `d / heads` unless it is given. `rank` is a quarter of `d` unless it is given;
    a linear of `svd` has at most the rank of its product, see `rank_of`.
    """

    kind: str = "cola"
    d: int = 64
    layers: int = 2
    heads: int = 4
    kv_heads: int | None = None
    head_dim: int | None = None
    d_ff: int = 172
    rank: int | None = None
    vocab: int = 64
    tied: bool = False
    dtype: str = "f32"
    scan: bool = False
    host: str = "svd"
    norm_eps: float = 1e-6
    rope_theta: float = 1e4
    rope_scaling: RopeScaling | None = None

    def __post_init__(self):
        if self.kv_heads is None:
            object.__setattr__(self, "kv_heads", self.heads)
        if self.rank is None:
            object.__setattr__(self, "rank", self.d // 4)
        self._check_sizes()
        if self.head_dim is None:
            if self.d % self.heads:
                raise ValueError(
                    f"the hidden size d = {self.d} is not a multiple of heads = {self.heads}"
                )
            object.__setattr__(self, "head_dim", self.d // self.heads)
        self._check_heads()

    def _check_sizes(self):
        _one_of("kind", self.kind, KINDS)
        _one_of("dtype", self.dtype, DTYPES)
        _one_of("host", self.host, ("svd", "cola"))
        for name in ("d", "layers", "heads", "kv_heads", "head_dim", "d_ff", "rank", "vocab"):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise ValueError(f"{name} must be at least 1, but is {value}")

    def _check_heads(self):
        if self.head_dim % 2:
            raise ValueError(
                f"rotary embedding needs an even head size, but head_dim is {self.head_dim}"
            )
        if self.heads % self.kv_heads:
            raise ValueError(
                f"heads = {self.heads} is not a multiple of kv_heads = {self.kv_heads}"
            )

    def rank_of(self, d_in: int, d_out: int) -> int:
        """The rank of a linear. The product of two factors has at most the rank of the smaller
        dimension; a latent that is activated or added to another one may be wider."""
        return min(self.rank, d_in, d_out) if self.kind == "svd" else self.rank

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
