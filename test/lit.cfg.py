# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The lit suite: one behavior per .mlir file, unit test binaries beside it.
import os
import sys

sys.path.insert(0, os.path.dirname(__file__))

from quoted_paths import QuotedPathsTest

config.name = "boost-mlir"
config.test_format = QuotedPathsTest(
    {
        "%boost_src": config.boost_src_root,
        # Its programs exist where the compiler has libFuzzer.
        "%boost_fuzz": os.path.join(config.boost_obj_root, "test", "Fuzz"),
    }
)
config.suffixes = [".mlir", ".test"]
config.excludes = ["Inputs", "corpus", "EndToEnd", "lib", "python", "unit"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.boost_obj_root, "test")

config.environment["PATH"] = os.pathsep.join(
    [
        os.path.join(config.boost_obj_root, "bin"),
        config.llvm_tools_dir,
        os.environ["PATH"],
    ]
)
# Test failures print captured values, not whole files.
config.environment["FILECHECK_OPTS"] = "-enable-var-scope --dump-input-filter=error"
config.environment["OMPI_ALLOW_RUN_AS_ROOT"] = "1"
config.environment["OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"] = "1"
config.available_features.add("mpi")
if config.have_libfuzzer:
    config.available_features.add("libfuzzer")
