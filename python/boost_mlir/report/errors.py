# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Errors about files that cannot be used."""


class ReportError(ValueError):
    """A plan or a log is not one; the message names the file and the remedy."""
