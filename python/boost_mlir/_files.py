# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Files that take their name only when they are complete."""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
from pathlib import Path


@contextlib.contextmanager
def replacing(path):
    """The path of a new file that becomes `path` at the end, or is removed on an error.

    Until then it has a name that nobody can foresee: whoever may write to the
    folder cannot put a link to another file there. A device or a folder is not replaced:
    that is an OSError."""
    if os.path.exists(path) and not os.path.isfile(path):
        raise OSError(errno.EEXIST, "not a regular file, so it is not replaced", str(path))
    partial = Path(f"{path}.{secrets.token_hex(8)}.partial")
    try:
        yield partial
        os.replace(partial, path)
    finally:
        partial.unlink(missing_ok=True)
