# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Token files: the tokens of text files, and the two formats people own.

    python -m boost_mlir.data --input corpus/ notes.txt --format llmc -o tokens.bin
    python -m boost_mlir.data --input corpus/ --tokenizer tokenizer.json --eot '<|endoftext|>' -o tokens.bin

`llmc` is llm.c's format: 256 little-endian int32 (magic, version, number of
tokens, one more than the id that ends documents or 0, zeros), then the tokens:
uint16 with the magic 20240520 and version 1, or uint32 with 20240801 and 7. `nanogpt` is the tokens alone, as uint16. Without
a tokenizer a token is the value of a byte: a vocabulary of 256.
"""

from __future__ import annotations

import argparse
import io
import sys
import time
from pathlib import Path

import numpy as np

from ._errors import DataError
from ._files import open_input, read_input, replacing

# Magic number and version of llm.c's files, by the bytes of a token.
LLMC_KINDS = {2: (20240520, 1), 4: (20240801, 7)}
_HEADER_INTS = 256
_HEADER_BYTES = 4 * _HEADER_INTS
_CHUNK_BYTES = 1 << 22
_NUMPY_MAGIC = b"\x93NUMPY"
FORMATS = ("llmc", "nanogpt")


def llmc_header(count: int, token_bytes: int = 2, eod: int | None = None) -> bytes:
    """The 1024 bytes before `count` tokens of 2 or 4 bytes. `eod` is the id that ends a document:
    readers of llm.c skip it, `train` takes it for positions and segments."""
    if count > np.iinfo(np.int32).max:
        raise DataError(
            f"{count:,} tokens do not fit the llmc header, which counts to {np.iinfo(np.int32).max:,}; "
            "use --format nanogpt or --max-tokens"
        )
    header = np.zeros(_HEADER_INTS, "<i4")
    header[:3] = *LLMC_KINDS[token_bytes], count
    if eod is not None:
        header[3:4] = np.array([eod + 1], "<u4").view("<i4")
    return header.tobytes()


def write_tokens(path, tokens, format="llmc", eod=None):
    """Writes a one-dimensional array of token ids in one of `FORMATS`.

    In `llmc` they are uint16 if all ids are below 65,536, and else uint32.

    eod: the id that ends a document, which `llmc` notes in its header."""
    tokens = np.asarray(tokens)
    if tokens.ndim != 1 or not np.issubdtype(tokens.dtype, np.integer):
        raise DataError(
            f"tokens must be a one-dimensional array of integers, not {tokens.dtype}{list(tokens.shape)}"
        )
    largest = int(tokens.max()) if tokens.size else 0
    if tokens.size and (tokens.min() < 0 or largest > np.iinfo(np.uint32).max):
        raise DataError(
            f"token ids must lie in 0..{np.iinfo(np.uint32).max}, but reach from {tokens.min()} to {largest}"
        )
    dtype = _token_type(format, largest)
    if eod is not None and format != "llmc":
        raise DataError(f"{format} has no header for 'eod'; use llmc, or `train --eod {eod}`")
    if eod is not None and not 0 <= eod < np.iinfo(np.uint32).max:
        raise DataError(f"'eod' must be a token id, but is {eod}")
    with replacing(path) as partial, open(partial, "xb") as file:
        if format == "llmc":
            file.write(llmc_header(tokens.size, dtype.itemsize, eod))
        file.write(tokens.astype(dtype).tobytes())


def write_mask(path, mask):
    """Writes which tokens of a token file count as targets, for `train --mask`: an array of as many
    truth values, or numbers 0 and 1, as the file has tokens."""
    mask = np.asarray(mask)
    if mask.ndim != 1:
        raise DataError(f"a mask must have one dimension, but has the shape {list(mask.shape)}")
    if not np.isin(mask, (0, 1)).all():
        raise DataError("a mask has 1 for tokens that count and 0 for others, and no other numbers")
    with replacing(path) as partial, open(partial, "xb") as file:
        file.write(mask.astype(np.uint8).tobytes())


def _token_type(format, largest: int) -> np.dtype:
    """The type of tokens up to an id in a format."""
    if format not in FORMATS:
        raise DataError(f"unknown format '{format}'; choose one of {', '.join(FORMATS)}")
    if largest <= np.iinfo(np.uint16).max:
        return np.dtype("<u2")
    if format == "nanogpt":
        raise DataError(
            f"token ids reach to {largest}, but those of nanogpt to {np.iinfo(np.uint16).max}; use llmc"
        )
    return np.dtype("<u4")


def read_tokens(path) -> np.ndarray:
    """The tokens of a file: of llm.c, which is known by its magic number, of NumPy (.npy), or of nanoGPT."""
    content = read_input(path)
    if content.startswith(_NUMPY_MAGIC):
        return _read_array(path, content)
    size = len(content)
    head = np.frombuffer(content[: min(size, 12) // 4 * 4], "<i4")
    for token_bytes, (magic, version) in LLMC_KINDS.items():
        if not head.size or head[0] != magic:
            continue
        if size < _HEADER_BYTES or head[1] != version:
            raise DataError(
                f"{path}: llm.c token file with a bad header (with magic {magic}, version {version} is read)"
            )
        if size - _HEADER_BYTES != token_bytes * head[2]:
            raise DataError(
                f"{path}: the header promises {head[2]:,} tokens, but {(size - _HEADER_BYTES) // token_bytes:,} "
                f"follow in {size - _HEADER_BYTES:,} bytes"
            )
        return np.frombuffer(content, f"<u{token_bytes}", offset=_HEADER_BYTES).copy()
    if size % 2:
        raise DataError(f"{path}: {size:,} bytes are not a whole number of uint16 tokens")
    return np.frombuffer(content, "<u2").copy()


def _read_array(path, content) -> np.ndarray:
    file = io.BytesIO(content)
    try:
        tokens = np.load(file, allow_pickle=False)
    except ValueError as error:
        raise DataError(f"{path}: not a whole array of NumPy: {error}") from error
    if tokens.ndim != 1 or tokens.dtype.kind not in "iu":
        raise DataError(
            f"{path}: {tokens.dtype}{list(tokens.shape)} is not a one-dimensional array of integers"
        )
    if file.read(1):
        raise DataError(f"{path}: more follows the {tokens.size:,} elements of the array")
    return tokens


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


def make_token_file(files, output, format="llmc", max_tokens=None, progress=None, tokenizer=None) -> int:
    """Joins the tokens of `files` to a token file; returns the number of tokens.

    tokenizer: a `boost_mlir.tokenizer.Tokenizer`; by default each byte is a token. The type of the
               tokens depends on its vocabulary alone, so that shards of a corpus are alike.
    progress:  called as `progress(done, total)` with bytes of the input, after every piece.
    """
    total = sum(path.stat().st_size for path in files)
    dtype = _token_type(format, tokenizer.vocabulary - 1 if tokenizer else 255)
    if total == 0:
        raise DataError("the input has no bytes: there would be no token")
    limit = sys.maxsize if max_tokens is None else max_tokens
    if format == "llmc" and not tokenizer:
        # Known before the first byte is written.
        llmc_header(min(total, limit))
    count = read = 0
    with replacing(output) as partial, open(partial, "xb") as file:
        if format == "llmc":
            file.write(llmc_header(0, dtype.itemsize))
        eod = tokenizer.eod if tokenizer else None
        for ids, size in tokenizer.pieces(files) if tokenizer else _bytes(files):
            ids = ids[: limit - count]
            file.write(ids.astype(dtype).tobytes())
            count, read = count + ids.size, read + size
            if progress:
                progress(total if count == limit else read, total)
            if count == limit:
                break
        if count == 0:
            raise DataError("the tokenizer makes no token of the input")
        if format == "llmc":
            file.seek(0)
            file.write(llmc_header(count, dtype.itemsize, eod))
    return count


def _bytes(files):
    for path in files:
        with open_input(path) as file:
            while piece := file.read(_CHUNK_BYTES):
                yield np.frombuffer(piece, np.uint8), len(piece)


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
            f"\r{100 * done // total:3d}%  {done:,} of {total:,} bytes  "
            f"{rate / 1e6:.1f} MB/s  {(total - done) / rate:.0f} s left "
        )
        if done == total:
            self.stream.write("\n")
        self.stream.flush()


def _parser():
    parser = argparse.ArgumentParser(
        prog="python -m boost_mlir.data", description="Make a file of tokens from text."
    )
    parser.add_argument(
        "--input", nargs="+", required=True, metavar="PATH", help="files and directories"
    )
    parser.add_argument(
        "--include", default="*", metavar="GLOB", help="files to take from directories"
    )
    parser.add_argument(
        "--tokenizer", metavar="FILE", help="tokenizer.json of Hugging Face; without it bytes are tokens"
    )
    parser.add_argument(
        "--eot",
        metavar="TOKEN",
        help="write this token of --tokenizer after each document, and note it in the llmc header",
    )
    parser.add_argument(
        "--split-at",
        metavar="TEXT",
        help="where documents end within a file, \\n for the end of a line; by default a file is one",
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
    if not options.tokenizer and (options.eot is not None or options.split_at is not None):
        print("error: --eot and --split-at are of --tokenizer; give one", file=sys.stderr)
        return 2
    try:
        output = Path(options.output).resolve()
        files = [
            path for path in find_files(options.input, options.include) if path.resolve() != output
        ]
        progress = _Progress(sys.stderr) if sys.stderr.isatty() else None
        tokenizer = _tokenizer(options)
        count = make_token_file(
            files, options.output, options.format, options.max_tokens, progress, tokenizer
        )
    except (DataError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 3
    vocabulary = tokenizer.vocabulary if tokenizer else 256
    print(
        f"{options.output}: {count:,} tokens of {len(files)} files, vocabulary {vocabulary}",
        file=sys.stderr,
    )
    return 0


def _tokenizer(options):
    if not options.tokenizer:
        return None
    from .tokenizer import Tokenizer

    split_at = options.split_at
    return Tokenizer(
        options.tokenizer, options.eot, split_at.replace("\\n", "\n") if split_at else split_at
    )


if __name__ == "__main__":
    sys.exit(main())
