# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checkpoints as docs/HowTo/RunAProgram.md describes them, written without the package."""

import json
import struct

import xxhash

TYPES = {"float32": "F32", "float16": "F16", "bfloat16": "BF16", "int32": "I32", "float64": "F64"}
ZEROS = "0" * 16


def sealed(text: str) -> bytes:
    """A JSON text that holds `"xxh3": "000..."`, with its checksum there."""
    assert text.count(f'"xxh3": "{ZEROS}"') == 1
    checksum = xxhash.xxh3_64_hexdigest(text.encode())
    return text.replace(f'"xxh3": "{ZEROS}"', f'"xxh3": "{checksum}"').encode()


def write_tensors(path, tensors, states=None):
    """A safetensors file with all checksums; returns that of the header."""
    metadata, header, end = {"format": "pt", "xxh3": ZEROS}, {}, 0
    for name, (kind, parameter) in (states or {}).items():
        metadata |= {f"kind:{name}": kind, f"of:{name}": parameter}
    for name, value in tensors.items():
        content = value.tobytes()
        metadata[f"xxh3:{name}"] = xxhash.xxh3_64_hexdigest(content)
        header[name] = {
            "dtype": TYPES[value.dtype.name],
            "shape": list(value.shape),
            "data_offsets": [end, end + len(content)],
        }
        end += len(content)
    text = sealed(json.dumps({**header, "__metadata__": metadata}))
    body = b"".join(value.tobytes() for value in tensors.values())
    path.write_bytes(struct.pack("<Q", len(text)) + text + body)
    return json.loads(text)["__metadata__"]["xxh3"]


def write_checkpoint(folder, step, tensors, states=None):
    """`folder/step-N`, with the tensors and the state of the run; returns its path.

    `states` has the kind and the parameter of each tensor that is a state of the optimizer.
    """
    path = folder / f"step-{step}"
    path.mkdir(parents=True)
    state = {
        "format": 2,
        "step": step,
        "run": {"seed": 0},
        "tensors": write_tensors(path / "tensors.safetensors", tensors, states),
        "xxh3": ZEROS,
    }
    (path / "state.json").write_bytes(sealed(json.dumps(state, indent=2) + "\n"))
    return path
