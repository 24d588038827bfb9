# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Token ids of text by a Hugging Face tokenizer file (`tokenizer.json`)."""

from __future__ import annotations

import difflib

import numpy as np

from ._errors import DataError
from ._files import open_input

# Sizes of the blocks that are read, and encoded, at a time.
_BLOCK_BYTES = 1 << 22
_BATCH_BYTES = 1 << 20


class Tokenizer:
    """Encodes the documents of text files.

    path:     a `tokenizer.json`, as `save_pretrained` of transformers and `save` of tokenizers
              write it. Its truncation and padding are not applied.
    eot:      the token to write after each document, such as "<|endoftext|>"; none by default.
    split_at: the text that ends a document within a file, which is left out; by default a file is
              one document.

    Raises `DataError` if the package `tokenizers` is missing, or the file or the token is.
    """

    def __init__(self, path, eot: str | None = None, split_at: str | None = None):
        if split_at == "":
            raise DataError("documents cannot be split at an empty text; give some, such as '\\n'")
        self._tokenizer = _open(path)
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()
        ids = self._tokenizer.get_vocab(with_added_tokens=True)
        if not ids:
            raise DataError(f"'{path}' has an empty vocabulary; train the tokenizer first")
        self.vocabulary = max(ids.values()) + 1
        #: The id that is written after each document.
        self.eod = None if eot is None else _id_of(eot, ids, path)
        self._end = [] if eot is None else [self.eod]
        self._separator = split_at.encode() if split_at else None

    def pieces(self, files):
        """Yields arrays of ids in order, each with the number of bytes that it took."""
        for path in files:
            batch, taken = [], 0
            for text, size in _documents(path, self._separator):
                taken += size
                if text:
                    batch.append(text)
                if taken >= _BATCH_BYTES:
                    yield self._encode(path, batch), taken
                    batch, taken = [], 0
            if taken:
                yield self._encode(path, batch), taken

    def _encode(self, path, texts) -> np.ndarray:
        try:
            # Special tokens that a tokenizer adds belong to single texts, not to a corpus.
            encoded = self._tokenizer.encode_batch_fast(texts, add_special_tokens=False)
        except Exception as error:  # The package raises no other class.
            raise DataError(f"{path}: the tokenizer cannot encode the text: {error}") from error
        ids = [token for each in encoded for token in (*each.ids, *self._end)]
        return np.array(ids, np.uint32)


def _open(path):
    try:
        import tokenizers
    except ImportError as error:
        raise DataError(
            "a tokenizer file needs the package 'tokenizers'; install it by: pip install 'tokenizers>=0.21'"
        ) from error
    try:
        open_input(path).close()
        return tokenizers.Tokenizer.from_file(str(path))
    except Exception as error:  # The package raises no other class.
        raise DataError(
            f"'{path}' is not a readable tokenizer.json: {error}; "
            "`save_pretrained` of a fast tokenizer of transformers writes one"
        ) from error


def _id_of(token, ids, path) -> int:
    if token in ids:
        return ids[token]
    found = difflib.get_close_matches(token, ids, n=1)
    nearest = f"; the nearest is '{found[0]}'" if found else ""
    raise DataError(f"'{path}' has no token '{token}'{nearest}")


def _documents(path, separator: bytes | None):
    """The texts of a file, each with its number of bytes and those of what ended it."""
    start = 0
    for content, size in _parts(path, separator):
        try:
            yield content.decode(), size
        except UnicodeDecodeError as error:
            raise DataError(
                f"{path}: byte {start + error.start:,} is not UTF-8; convert the file, as in "
                "`iconv -f latin1 -t utf-8`, or leave it out"
            ) from error
        start += size


def _parts(path, separator: bytes | None):
    with open_input(path) as file:
        if separator is None:
            content = file.read()
            yield content, len(content)
            return
        rest = bytearray()
        while block := file.read(_BLOCK_BYTES):
            searched = max(0, len(rest) - len(separator) + 1)
            rest += block
            if rest.find(separator, searched) < 0:
                continue
            *parts, rest = rest.split(separator)
            for part in parts:
                yield part, len(part) + len(separator)
        if rest:
            yield rest, len(rest)
