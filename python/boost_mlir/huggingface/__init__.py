# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""LLaMA-shaped folders of Hugging Face to models of `boost_mlir.models`, and back.

    llama = huggingface.load("llama/", rank=128)        # or without a rank: as it is
    export(llama.loss, llama.params, ids, ids).save("llama.mlir")
    huggingface.save("trained/", llama.config, trained, like="llama/")

`python -m boost_mlir.convert` does the same as a command. Neither needs PyTorch or `transformers`.
"""

from .._errors import HuggingFaceError
from ._load import Loaded, load, read_config
from ._save import save

__all__ = ["HuggingFaceError", "Loaded", "load", "read_config", "save"]
