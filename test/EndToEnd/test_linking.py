# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs are linked where there is no compiler and no linker, and refuse to run without their code."""

import os
import shutil
import subprocess

import pytest
from harness import build_directory, run, tool
from program_file import code_of

REFUSED = 3
# In a mount namespace of its own, a shell hides the programs of the system and becomes a command.
WITHOUT_PROGRAMS = """
set -e
empty=$1; shift
for folder in /usr/lib/llvm-*/bin /usr/local/bin /usr/bin; do
  [ ! -d "$folder" ] || mount --bind "$empty" "$folder"
done
exec "$@"
"""


@pytest.fixture(scope="module")
def linked(model, tmp_path_factory):
    """A program that was compiled where there are no other programs."""
    folder = tmp_path_factory.mktemp("linked")
    binary, empty = folder / "train", folder / "empty"
    empty.mkdir()
    namespace = ["unshare", "--map-root-user", "--mount", "sh", "-c"]
    if subprocess.run([*namespace, f"mount --bind {empty} {empty}"], capture_output=True).returncode:
        pytest.skip("unprivileged mount namespaces are not allowed here")
    hiding = [*namespace, WITHOUT_PROGRAMS, "sh", empty]
    hidden = subprocess.run([*map(str, hiding), "cc", "--version"], capture_output=True)
    assert hidden.returncode == 127, hidden.stderr
    run(*hiding, tool("boost-compile"), model("cola").text_file, "-o", binary)
    return binary


def test_neither_a_compiler_nor_a_linker_is_needed(linked, model):
    result = run(linked, "eval", "--inputs", model("cola").inputs_file, "--gradients", "--json")
    assert '"loss"' in result.stdout


def test_code_meets_the_runtime_alone(linked):
    """Nothing but the runtime exports what code calls, and the runtime exports nothing else."""
    lines = run("nm", "--dynamic", "--defined-only", build_directory() / "lib" / "boost-runtime-cpu")
    names = {line.split()[-1] for line in lines.stdout.splitlines()}
    assert "boost_rt_gemm" in names
    assert not [name for name in names if name.startswith(("boost_program", "_ZN8boost_rt"))]


def refused(*command):
    """The message of a program that cannot load its code."""
    result = run(*command, check=False)
    assert result.returncode == REFUSED, result.stderr
    assert result.stderr.startswith("error: cannot load the code of this program: ")
    assert result.stderr.count("\n") == 1
    return result.stderr


@pytest.mark.parametrize("lost", ["end", "all code", "stripped"])
def test_programs_without_all_of_their_code_are_refused(linked, tmp_path, lost):
    damaged = tmp_path / "train"
    shutil.copy(linked, damaged)
    code = code_of(linked.read_bytes())
    if lost == "stripped":
        run("strip", damaged)
    else:
        with open(damaged, "r+b") as file:
            file.truncate(code.start if lost == "all code" else code.stop - 1)
    size = damaged.stat().st_size
    where = f"the code is in {code.stop - code.start} bytes from byte {code.start} on"
    assert f"its file has {size} bytes, but {where}; the file was stripped or" in refused(damaged, "info")


def test_bytes_behind_the_code_are_allowed(linked, tmp_path):
    """As behind any executable."""
    longer = tmp_path / "train"
    shutil.copy(linked, longer)
    with open(longer, "ab") as file:
        file.write(b"signature")
    assert run(longer, "info").stdout == run(linked, "info").stdout


def test_code_that_is_no_library_is_refused(linked, tmp_path):
    contents = bytearray(linked.read_bytes())
    contents[code_of(contents)] = b"\0" * len(contents[code_of(contents)])
    damaged = tmp_path / "train"
    damaged.write_bytes(contents)
    damaged.chmod(0o755)
    assert "invalid ELF header; compile it again" in refused(damaged, "info")


def test_a_runtime_is_not_a_program():
    assert "this is the runtime alone" in refused(build_directory() / "lib" / "boost-runtime-cpu", "info")


def shell(line, *words):
    return "bash", "-c", f'{line}; exec "$@"', "bash", *words


def test_limits_on_files_count_if_they_cannot_be_raised(linked, model, tmp_path):
    """A file in memory has the code. Its limit is the hard one; other files keep theirs."""
    evaluate = (linked, "eval", "--inputs", model("cola").inputs_file, "--gradients")
    assert "loss" in run(*shell("ulimit -S -f 1", *evaluate)).stdout
    outputs = ("--outputs", tmp_path / "outputs")
    kept = run(*shell("ulimit -S -f 1", *evaluate, *outputs), check=False)
    assert kept.returncode == REFUSED and "raise" in kept.stderr and "ulimit -f" in kept.stderr
    assert "file in memory: File too large; raise the limit on the size of files (ulimit -f)" in refused(
        *shell("ulimit -f 1", *evaluate)
    )


def in_namespace(line, *words, kinds=("--mount",)):
    """A command that runs after a shell's line in namespaces of its own."""
    if subprocess.run(["unshare", "--map-root-user", *kinds, "true"], capture_output=True).returncode:
        pytest.skip("unprivileged namespaces are not allowed here")
    return "unshare", "--map-root-user", *kinds, "sh", "-ec", f'{line}; exec "$@"', "sh", *words


def test_a_system_without_proc_is_told(linked, tmp_path):
    hidden = in_namespace(f"mount --bind {tmp_path} /proc", linked, "info")
    assert "cannot be read: No such file or directory; mount /proc" in refused(*hidden)


def test_a_program_that_may_only_be_started_is_told(linked, tmp_path):
    program = tmp_path / "train"
    shutil.copy(linked, program)
    program.chmod(0o111)
    # Root reads everything, unless it is without capabilities.
    without = ("setpriv", "--bounding-set=-all", "--inh-caps=-all") if os.geteuid() == 0 else ()
    assert "cannot be read: Permission denied; allow its user to read it" in refused(*without, program, "info")


def test_systems_that_forbid_starting_files_in_memory(linked):
    """Such a file is only mapped. The setting is one of a namespace of processes."""
    forbid = "echo 2 > /proc/sys/vm/memfd_noexec"
    command = ("unshare", "--pid", "--fork", "--mount-proc", *shell(forbid, linked, "info"))
    result = run(*command, check=False)
    if "memfd_noexec" in result.stderr or "unshare" in result.stderr:
        pytest.skip("this needs root and Linux 6.3")
    assert result.returncode == 0, result.stderr


def test_code_is_kept_in_a_folder_for_profilers(linked, tmp_path):
    """Profilers read the symbols of the file that was mapped, after the end of the process."""
    run("env", f"BOOST_CODE_FOLDER={tmp_path}", linked, "info")
    (library,) = tmp_path.glob("boost-program-*.so")
    assert "boost_fn_step" in run("nm", library).stdout
    absent = tmp_path / "absent"
    refusal = refused("env", f"BOOST_CODE_FOLDER={absent}", linked, "info")
    assert f"cannot write {absent}/boost-program-" in refusal and "create its folder" in refusal


def test_a_folder_that_code_may_not_be_mapped_from_is_told(linked, tmp_path):
    mount = f"mount -t tmpfs -o noexec none {tmp_path}; export BOOST_CODE_FOLDER={tmp_path}"
    assert "BOOST_CODE_FOLDER name a folder where they may" in refused(*in_namespace(mount, linked, "info"))


@pytest.mark.skipif(not shutil.which("gdb"), reason="gdb is not installed")
def test_debuggers_find_the_functions_of_a_program(linked, model):
    words = ("-batch", "-ex", "set breakpoint pending on", "-ex", "break boost_fn_gradient", "-ex", "run", "-ex", "bt 1")
    evaluate = (linked, "eval", "--inputs", model("cola").inputs_file, "--gradients")
    output = run("gdb", "-nx", *words, "--args", *evaluate).stdout
    assert "Breakpoint 1, 0x" in output and "in boost_fn_gradient" in output
