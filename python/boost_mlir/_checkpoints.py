# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The checkpoints in the folder of a run, as `train --resume` finds them.

A checkpoint is a folder `step-N` with the tensors (`tensors.safetensors`) and a record of the
run (`state.json`), which has the checksum of the tensors' header.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

from ._files import NotRegularError, read_input
from ._tensor_file import DamagedError, TensorFile, find_seal

_STEP = re.compile(r"step-([1-9][0-9]*)")
# Prefixes of checkpoints of a run that diverged, and of unfinished ones.
_SET_ASIDE = ("diverged-", ".step-")
_FORMAT = 2


def checkpoints_of(folder: Path) -> list[Path]:
    """The newest first; `folder` itself if it is one."""
    if (folder / "state.json").exists():
        return [folder]
    steps = {}
    for entry in folder.iterdir():
        if found := _STEP.fullmatch(entry.name):
            steps[int(found[1])] = entry
    return [steps[step] for step in sorted(steps, reverse=True)]


def renamed_in(folder: Path) -> list[Path]:
    """Folders that hold a checkpoint under another name than a run gives it, and are passed over."""
    return sorted(
        entry
        for entry in folder.iterdir()
        if (entry / "state.json").is_file()
        and not entry.is_symlink()
        and not _STEP.fullmatch(entry.name)
        and not entry.name.startswith(_SET_ASIDE)
    )


def open_checkpoint(folder: Path) -> TensorFile:
    """The tensors of a checkpoint. Raises `DamagedError` if its files are not those of one."""
    try:
        seal = _seal_of_tensors(folder)
        tensors = TensorFile(folder / "tensors.safetensors")
    except (FileNotFoundError, NotADirectoryError) as error:
        raise DamagedError(f"{error.filename} is missing") from error
    except NotRegularError as error:
        raise DamagedError(f"{error.filename} is not a regular file") from error
    if tensors.seal != seal:
        raise DamagedError(f"{tensors.path} is not the file that state.json was written with")
    return tensors


def _seal_of_tensors(folder: Path) -> str | None:
    path = folder / "state.json"
    text = read_input(path)
    try:
        own = find_seal(text)
    except DamagedError as error:
        raise DamagedError(f"{path} is damaged: {error}") from error
    try:
        state = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise DamagedError(f"{path} is damaged: {error}") from error
    if not isinstance(state, dict) or not own or state.get("format") != _FORMAT:
        raise DamagedError(f"{path} is damaged, or of another version")
    step = _STEP.fullmatch(folder.name)
    if step and state.get("step") != int(step[1]):
        raise DamagedError(f"{path} is of another step, {state.get('step')}")
    return state.get("tensors")
