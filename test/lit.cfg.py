# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The lit suite: one behaviour per .mlir file, unit test binaries beside it.
import os

import lit.formats

config.name = "boost-mlir"
config.test_format = lit.formats.ShTest(execute_external=False)
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
config.substitutions.append(("%boost_src", config.boost_src_root))
config.substitutions.append(("%boost_obj", config.boost_obj_root))
config.available_features.add("mpi")

# The fuzz targets exist where the compiler has libFuzzer.
fuzzers = os.path.join(config.boost_obj_root, "test", "Fuzz", "fuzz-")
config.substitutions.append(("%fuzz-", fuzzers))
if config.have_libfuzzer:
    config.available_features.add("libfuzzer")
