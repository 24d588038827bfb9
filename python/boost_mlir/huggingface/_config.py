# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`config.json` of Hugging Face as a `ModelConfig`, and back."""

from __future__ import annotations

import json
import math
from pathlib import Path

from .. import models
from .._errors import HuggingFaceError
from .._files import NotRegularError, read_input

#: The type of factored folders, and the file that `transformers` loads them with.
LOW_RANK = "boost_low_rank_llama"
MODELLING_FILE = "modeling_boost_low_rank_llama.py"
_DENSE = ("llama", "mistral")
_TORCH_TYPES = {"f32": "float32", "bf16": "bfloat16", "f16": "float16"}
#: What changes the loss in a way that the models do not have, by the values that do not.
_PLAIN = {
    "attention_bias": (False, None),
    "mlp_bias": (False, None),
    "attention_dropout": (0, None),
    "hidden_act": ("silu", "swish"),
    "partial_rotary_factor": (1, None),
    "sliding_window": (None,),
    "quantization_config": (None,),
}
#: Fields of the low-rank type, with those of `ModelConfig`.
_LOW_RANK_FIELDS = {"low_rank_kind": "kind", "low_rank_host": "host", "low_rank": "rank"}
#: Sizes that a folder and a `ModelConfig` have in common.
_SIZES = {
    "hidden_size": "d",
    "num_hidden_layers": "layers",
    "num_attention_heads": "heads",
    "num_key_value_heads": "kv_heads",
    "head_dim": "head_dim",
    "intermediate_size": "d_ff",
    "vocab_size": "vocab",
}
_OPTIONAL = ("num_key_value_heads", "head_dim")


class Fields:
    """The fields of a `config.json`, which are read by their types."""

    def __init__(self, path: Path, values: dict):
        self.path, self.values = path, values

    def read(self, name, kind, default=None, required=False, values=None, where=""):
        """A field, or `default` if it is missing or null. `where` names the object that `values` is."""
        value = (self.values if values is None else values).get(name)
        if value is None:
            if required:
                raise self.error(f"has no '{where}{name}'")
            return default
        wrong = isinstance(value, bool) != (kind is bool)
        if wrong or not isinstance(value, (int, float) if kind is float else kind):
            raise self.error(f"expects {kind.__name__} as '{where}{name}', but has {json.dumps(value)}")
        if kind is float and not math.isfinite(value):
            raise self.error(f"expects a finite number as '{where}{name}', but has {value}")
        return value

    def error(self, problem: str) -> HuggingFaceError:
        return HuggingFaceError(f"{self.path} {problem}")


def read_fields(folder) -> Fields:
    path = Path(folder) / "config.json"
    try:
        values = json.loads(read_input(path))
    except (FileNotFoundError, NotADirectoryError) as error:
        raise HuggingFaceError(
            f"'{folder}' has no config.json; give the folder that save_pretrained wrote"
        ) from error
    except NotRegularError as error:
        raise HuggingFaceError(f"{path} is not a regular file") from error
    except (ValueError, RecursionError) as error:
        raise HuggingFaceError(f"{path} is not JSON: {error}") from error
    if not isinstance(values, dict):
        raise HuggingFaceError(f"{path} is not an object")
    return Fields(path, values)


def model_config(fields: Fields, dtype="f32", scan=False) -> models.ModelConfig:
    """The model of a folder, factored or not. Refuses what `boost_mlir.models` does not have by
    name."""
    kind = fields.read("model_type", str, required=True)
    if kind not in (*_DENSE, LOW_RANK):
        raise fields.error(
            f"has the model_type '{kind}'; llama, mistral and what boost-mlir wrote are read"
        )
    for name, plain in _PLAIN.items():
        value = fields.values.get(name, plain[0])
        if value not in plain:
            raise fields.error(
                f"has {name} = {json.dumps(value)}, which boost_mlir.models does not compute; "
                f"{json.dumps(plain[0])} is read"
            )
    sizes = {
        ours: fields.read(name, int, required=name not in _OPTIONAL) for name, ours in _SIZES.items()
    }
    low_rank = dict(kind="full")
    if kind == LOW_RANK:
        low_rank = {
            ours: fields.read(name, int if ours == "rank" else str, required=True)
            for name, ours in _LOW_RANK_FIELDS.items()
        }
    try:
        return models.ModelConfig(
            **sizes,
            **low_rank,
            **_rope(fields),
            norm_eps=fields.read("rms_norm_eps", float, 1e-6),
            tied=fields.read("tie_word_embeddings", bool, False),
            dtype=dtype,
            scan=scan,
        )
    except ValueError as error:
        if isinstance(error, HuggingFaceError):
            raise
        raise fields.error(f"describes no model: {error}") from error


def _rope(fields: Fields) -> dict:
    """Rotary embedding: `rope_parameters` since transformers 5, before that `rope_theta` and
    `rope_scaling`."""
    name = "rope_parameters" if fields.values.get("rope_parameters") else "rope_scaling"
    values = fields.read(name, dict, {})
    read = lambda field, **options: fields.read(
        field, float, values=values, where=f"{name}.", **options
    )
    theta = read("rope_theta", default=fields.read("rope_theta", float, 1e4))
    if read("partial_rotary_factor", default=1) != 1:
        raise fields.error(f"has {name}.partial_rotary_factor, and heads are rotated completely here")
    kind = values.get("rope_type", values.get("type", "default"))
    if kind in (None, "default"):
        return dict(rope_theta=theta)
    if kind not in models.ROPE_SCALINGS:
        raise fields.error(
            f"has the rope scaling {json.dumps(kind)}, which boost_mlir.models does not compute; "
            f"{' and '.join(models.ROPE_SCALINGS)} are read"
        )
    scaling = dict(kind=kind, factor=read("factor", required=True))
    if kind == "llama3":
        scaling["low_freq_factor"] = read("low_freq_factor", required=True)
        scaling["high_freq_factor"] = read("high_freq_factor", required=True)
        scaling["original_length"] = fields.read(
            "original_max_position_embeddings", int, required=True, values=values, where=f"{name}."
        )
    return dict(rope_theta=theta, rope_scaling=models.RopeScaling(**scaling))


def difference(fields: Fields, config: models.ModelConfig) -> str | None:
    """Names the first field in which a folder and a model differ; None if it is that of the model."""
    theirs = model_config(fields)
    names = [*_SIZES.values(), "tied", "norm_eps", "rope_theta", "rope_scaling"]
    if theirs.low_rank:
        names += _LOW_RANK_FIELDS.values()
    for name in names:
        if getattr(theirs, name) != getattr(config, name):
            return f"{name} is {getattr(theirs, name)}, but {getattr(config, name)} in the model"
    return None


def config_values(config: models.ModelConfig, original: dict | None, dtype: str, length: int) -> dict:
    """The content of `config.json` for a model.

    original: that of the folder that the model came from, of which everything else is kept.
    length:   `max_position_embeddings` if there is no original.
    """
    values = dict(original) if original else _from_nothing(config, length)
    # transformers 4 reads `torch_dtype`, 5 reads both.
    values.pop("dtype", None)
    values["torch_dtype"] = _TORCH_TYPES[dtype]
    if config.low_rank:
        module = Path(MODELLING_FILE).stem
        values |= {name: getattr(config, ours) for name, ours in _LOW_RANK_FIELDS.items()}
        values |= {
            "model_type": LOW_RANK,
            "architectures": ["BoostLowRankLlamaForCausalLM"],
            "auto_map": {
                "AutoConfig": f"{module}.BoostLowRankLlamaConfig",
                "AutoModelForCausalLM": f"{module}.BoostLowRankLlamaForCausalLM",
            },
        }
    return values


def _from_nothing(config: models.ModelConfig, length: int) -> dict:
    values = {name: getattr(config, ours) for name, ours in _SIZES.items()}
    scaling = None
    if config.rope_scaling:
        scaling = {"rope_type": config.rope_scaling.kind, "factor": config.rope_scaling.factor}
        if config.rope_scaling.kind == "llama3":
            scaling |= {
                "low_freq_factor": config.rope_scaling.low_freq_factor,
                "high_freq_factor": config.rope_scaling.high_freq_factor,
                "original_max_position_embeddings": config.rope_scaling.original_length,
            }
    return {
        "architectures": ["LlamaForCausalLM"],
        "model_type": "llama",
        **values,
        "hidden_act": "silu",
        "rms_norm_eps": config.norm_eps,
        "rope_theta": config.rope_theta,
        "rope_scaling": scaling,
        "max_position_embeddings": length,
        "tie_word_embeddings": config.tied,
        "bos_token_id": None,
        "eos_token_id": None,
    }
