# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Files that are read to their end, and files that appear under their name when they are complete, or
not at all."""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import stat
from pathlib import Path


class NotRegularError(OSError):
    """A folder, a device or a pipe in place of a file."""

    def __init__(self, path):
        super().__init__(errno.EINVAL, "not a regular file; give the path of a file", str(path))


def open_input(path):
    """A binary file that is open for reading. A device may have no end, and opening a pipe waits for
    who writes it: what is no regular file is refused with `NotRegularError`."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise NotRegularError(path)
    return open(descriptor, "rb")


def read_input(path) -> bytes:
    """The bytes of a regular file."""
    with open_input(path) as file:
        return file.read()


def _is_device(path) -> bool:
    """Returns True if `path` is not a regular file: a pipe, or a name of a file that is already
    open."""
    folder = os.path.dirname(os.path.abspath(path))
    if folder in ("/dev", "/dev/fd") or folder.startswith("/proc"):
        return True
    return os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path)


@contextlib.contextmanager
def replacing(path):
    """The path of a new file that becomes `path` at the end, or is removed on an error.

    Until then it has a name that nobody can foresee: whoever may write to the
    folder cannot put a link to another file there. Devices and pipes are not
    replaced, since others need them: that is an OSError."""
    if _is_device(path):
        raise OSError(errno.EEXIST, "not a regular file, so it is not replaced", str(path))
    partial = Path(f"{path}.{secrets.token_hex(8)}.partial")
    try:
        yield partial
        os.replace(partial, path)
    finally:
        partial.unlink(missing_ok=True)


@contextlib.contextmanager
def writing(path):
    """A binary file that is written from the beginning to the end and replaces `path` then.
    Pipes and devices, such as /dev/stdout, are written as they are."""
    if _is_device(path):
        with open(path, "wb") as file:
            yield file
        return
    with replacing(path) as partial, open(partial, "xb") as file:
        yield file
