# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The lit format of this suite. A module of its own, so that lit's workers can import it."""

import os

import lit.formats
import lit.TestRunner


class QuotedPathsTest(lit.formats.ShTest):
    """A test with RUN lines whose paths are quoted: that of a checkout may have a space."""

    def __init__(self, paths):
        """`paths`: further substitutions that are paths, by their names."""
        super().__init__(execute_external=False)
        self.paths = paths

    def execute(self, test, litConfig):
        source = test.getSourcePath()
        paths = self.paths | {
            "%s": source,
            "%S": os.path.dirname(source),
            "%t": lit.TestRunner.getTempPaths(test)[1] + ".tmp",
        }
        quoted = [(name, f'"{path}"') for name, path in paths.items()]
        return lit.TestRunner.executeShTest(test, litConfig, self.execute_external, quoted)
