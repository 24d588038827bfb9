# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Token files: byte-level tokens of text files, and the two formats people own.

    python -m boost_mlir.data --input corpus/ notes.txt --format llmc -o tokens.bin

`llmc` is llm.c's format: 256 little-endian int32 (magic 20240520, version 1,
number of tokens, zeros), then one uint16 per token. `nanogpt` is the tokens
alone. A byte-level token is the value of a byte: a vocabulary of 256.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import secrets
import sys
import time
from pathlib import Path

import numpy as np

LLMC_MAGIC = 20240520
LLMC_VERSION = 1
_HEADER_INTS = 256
_HEADER_BYTES = 4 * _HEADER_INTS
_CHUNK_BYTES = 1 << 22
FORMATS = ("llmc", "nanogpt")


class DataError(ValueError):
    """The input cannot be made into a token file, or is none."""


def llmc_header(count: int) -> bytes:
    if count > np.iinfo(np.int32).max:
        raise DataError(
            f"{count:,} tokens do not fit the llmc header, which counts to {np.iinfo(np.int32).max:,}; "
            "use --format nanogpt or --max-tokens"
        )
    header = np.zeros(_HEADER_INTS, "<i4")
    header[:3] = LLMC_MAGIC, LLMC_VERSION, count
    return header.tobytes()


def write_tokens(path, tokens, format="llmc"):
    """Writes a one-dimensional array of token ids in one of `FORMATS`."""
    _check_format(format)
    tokens = np.asarray(tokens)
    if tokens.ndim != 1 or not np.issubdtype(tokens.dtype, np.integer):
        raise DataError(
            f"tokens must be a one-dimensional array of integers, not {tokens.dtype}{list(tokens.shape)}"
        )
    if tokens.size and not 0 <= tokens.min() <= tokens.max() <= np.iinfo(np.uint16).max:
        raise DataError(
            f"token ids must lie in 0..65535, but reach from {tokens.min()} to {tokens.max()}"
        )
    with _replacing(path) as file:
        if format == "llmc":
            file.write(llmc_header(tokens.size))
        file.write(tokens.astype("<u2").tobytes())


def read_tokens(path) -> np.ndarray:
    """The tokens of a file in either format; llm.c's is known by its magic number."""
    size = os.path.getsize(path)
    head = np.fromfile(path, "<i4", 3)
    if head.size and head[0] == LLMC_MAGIC:
        if size < _HEADER_BYTES or head[1] != LLMC_VERSION:
            raise DataError(
                f"{path}: llm.c token file with a bad header (version 1 with uint16 tokens is read)"
            )
        tokens = np.fromfile(path, "<u2", offset=_HEADER_BYTES)
        if tokens.size != head[2]:
            raise DataError(
                f"{path}: the header promises {head[2]:,} tokens, but {tokens.size:,} follow"
            )
        return tokens
    if size % 2:
        raise DataError(f"{path}: {size:,} bytes are not a whole number of uint16 tokens")
    return np.fromfile(path, "<u2")


def find_files(inputs, pattern="*") -> list[Path]:
    """The files named, and those below the directories named, in a fixed order."""
    files = []
    for entry in map(Path, inputs):
        if entry.is_dir():
            below = sorted(path for path in entry.rglob(pattern) if path.is_file())
            if not below:
                raise DataError(f"no file below '{entry}' matches '{pattern}'")
            files += below
        elif entry.is_file():
            files.append(entry)
        else:
            raise DataError(f"'{entry}' is neither a file nor a directory")
    return files


def make_token_file(files, output, format="llmc", max_tokens=None, progress=None) -> int:
    """Joins the bytes of `files` to a token file; returns the number of tokens.

    `progress(done, total)` is called after every piece that was written.
    """
    _check_format(format)
    total = sum(path.stat().st_size for path in files)
    total = total if max_tokens is None else min(total, max_tokens)
    if total == 0:
        raise DataError("the input has no bytes: there would be no token")
    done = 0
    with _replacing(output) as file:
        if format == "llmc":
            file.write(llmc_header(total))
        for piece in _pieces(files, total):
            file.write(np.frombuffer(piece, np.uint8).astype("<u2").tobytes())
            done += len(piece)
            if progress:
                progress(done, total)
        if done != total:
            raise DataError(f"a file became shorter while it was read: {done:,} of {total:,} bytes")
    return done


def _pieces(files, limit):
    for path in files:
        with open(path, "rb") as file:
            while limit and (piece := file.read(min(_CHUNK_BYTES, limit))):
                limit -= len(piece)
                yield piece


def _check_format(format):
    if format not in FORMATS:
        raise DataError(f"unknown format '{format}'; choose one of {', '.join(FORMATS)}")


@contextlib.contextmanager
def _replacing(path):
    """A file that takes its name only when it is complete.

    Until then it has a name that nobody can foresee: whoever may write to the
    folder cannot put a link to another file there."""
    partial = Path(f"{path}.{secrets.token_hex(8)}.partial")
    file = open(partial, "xb")
    try:
        with file:
            yield file
        os.replace(partial, path)
    except BaseException:
        partial.unlink(missing_ok=True)
        raise


class _Progress:
    """One line on a terminal, rewritten at most ten times a second."""

    def __init__(self, stream):
        self.stream, self.start, self.shown = stream, time.monotonic(), 0.0

    def __call__(self, done, total):
        now = time.monotonic()
        if done < total and now - self.shown < 0.1:
            return
        self.shown = now
        rate = done / max(now - self.start, 1e-9)
        self.stream.write(
            f"\r{100 * done // total:3d}%  {done:,} of {total:,} tokens  "
            f"{rate / 1e6:.1f} M/s  {(total - done) / rate:.0f} s left "
        )
        if done == total:
            self.stream.write("\n")
        self.stream.flush()


def _parser():
    parser = argparse.ArgumentParser(
        prog="python -m boost_mlir.data", description="Make a file of byte-level tokens from text."
    )
    parser.add_argument(
        "--input", nargs="+", required=True, metavar="PATH", help="files and directories"
    )
    parser.add_argument(
        "--include", default="*", metavar="GLOB", help="files to take from directories"
    )
    parser.add_argument("--format", choices=FORMATS, default="llmc")
    parser.add_argument("--max-tokens", type=int, help="stop after so many tokens")
    parser.add_argument("-o", "--output", required=True)
    return parser


def main(argv=None) -> int:
    options = _parser().parse_args(argv)
    if options.max_tokens is not None and options.max_tokens < 1:
        print(
            f"error: --max-tokens must be at least 1, but is {options.max_tokens}", file=sys.stderr
        )
        return 2
    try:
        output = Path(options.output).resolve()
        files = [
            path for path in find_files(options.input, options.include) if path.resolve() != output
        ]
        progress = _Progress(sys.stderr) if sys.stderr.isatty() else None
        count = make_token_file(files, options.output, options.format, options.max_tokens, progress)
    except (DataError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 3
    print(
        f"{options.output}: {count:,} tokens of {len(files)} files, vocabulary 256", file=sys.stderr
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
