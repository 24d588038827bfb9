# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Errors of modules that run as commands too: as one they would be another class."""


class DataError(ValueError):
    """The input cannot be made into a token file, or is none."""


class ArtifactError(ValueError):
    """The file cannot be imported; the message says why and what to do."""


class HuggingFaceError(ValueError):
    """A folder of Hugging Face cannot be read or written; the message says why and what to do."""
