# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Token files: both formats, their bytes, and what is refused."""

import os

import numpy as np
import pytest

from boost_mlir import data

TOKENS = np.array([0, 1, 255, 256, 65535], np.uint16)


@pytest.mark.parametrize("format", data.FORMATS)
def test_tokens_survive_a_round_trip(tmp_path, format):
    data.write_tokens(tmp_path / "t.bin", TOKENS, format)
    assert np.array_equal(data.read_tokens(tmp_path / "t.bin"), TOKENS)


def test_llmc_bytes_are_those_of_the_format(tmp_path):
    data.write_tokens(tmp_path / "t.bin", TOKENS, "llmc")
    raw = (tmp_path / "t.bin").read_bytes()
    header = np.frombuffer(raw[:1024], "<i4")
    assert header[:4].tolist() == [20240520, 1, 5, 0]
    assert raw[1024:] == bytes([0, 0, 1, 0, 255, 0, 0, 1, 255, 255])


def test_nanogpt_bytes_are_the_tokens(tmp_path):
    data.write_tokens(tmp_path / "t.bin", TOKENS, "nanogpt")
    assert (tmp_path / "t.bin").read_bytes() == TOKENS.astype("<u2").tobytes()


@pytest.mark.parametrize("format", data.FORMATS)
def test_command_joins_files_in_order(tmp_path, format, capsys):
    corpus = tmp_path / "corpus"
    (corpus / "sub").mkdir(parents=True)
    (corpus / "b.txt").write_bytes(b"second")
    (corpus / "a.txt").write_bytes("fïrst".encode())
    (corpus / "sub" / "c.txt").write_bytes(b"\x00third")
    (corpus / "ignored.png").write_bytes(b"picture")
    (tmp_path / "last").write_bytes(b"!")
    options = [
        "--input",
        str(corpus),
        str(tmp_path / "last"),
        "--include",
        "*.txt",
        "--format",
        format,
    ]
    assert data.main([*options, "-o", str(tmp_path / "t.bin")]) == 0
    assert (
        bytes(data.read_tokens(tmp_path / "t.bin").astype(np.uint8))
        == "fïrstsecond\0third!".encode()
    )
    assert "19 tokens of 4 files" in capsys.readouterr().err
    assert not list(tmp_path.glob("*.partial"))


def test_a_planted_link_is_not_written_through(tmp_path):
    """Others may write to the folder, but cannot know the name of the unfinished file."""
    (tmp_path / "a.txt").write_bytes(b"text")
    (tmp_path / "precious").write_bytes(b"precious")
    (tmp_path / "t.bin.partial").symlink_to(tmp_path / "precious")
    assert data.main(["--input", str(tmp_path / "a.txt"), "-o", str(tmp_path / "t.bin")]) == 0
    assert (tmp_path / "precious").read_bytes() == b"precious"
    assert len(data.read_tokens(tmp_path / "t.bin")) == 4


def test_what_is_no_regular_file_is_not_replaced(tmp_path, capsys):
    """As root, a rename onto a device would take it from everybody."""
    (tmp_path / "a.txt").write_bytes(b"text")
    os.mkfifo(tmp_path / "pipe")
    arguments = ["--input", str(tmp_path / "a.txt"), "-o", str(tmp_path / "pipe")]
    assert data.main(arguments) == 3
    assert "not a regular file, so it is not replaced" in capsys.readouterr().err
    assert (tmp_path / "pipe").is_fifo()
    assert sorted(each.name for each in tmp_path.iterdir()) == ["a.txt", "pipe"]
    # A name such as /dev/stdout, which may be a link to a file.
    with open(tmp_path / "out", "wb") as out:
        arguments[-1] = f"/proc/self/fd/{out.fileno()}"
        assert data.main(arguments) == 3


def test_command_does_not_read_its_own_output(tmp_path):
    (tmp_path / "a.txt").write_bytes(b"text")
    for _ in range(2):
        assert data.main(["--input", str(tmp_path), "-o", str(tmp_path / "t.bin")]) == 0
        assert data.read_tokens(tmp_path / "t.bin").size == 4


def test_max_tokens_cuts_the_input(tmp_path):
    (tmp_path / "a").write_bytes(b"0123456789")
    assert data.make_token_file([tmp_path / "a"] * 2, tmp_path / "t.bin", max_tokens=12) == 12
    assert bytes(data.read_tokens(tmp_path / "t.bin").astype(np.uint8)) == b"012345678901"


def test_progress_reaches_the_total(tmp_path):
    (tmp_path / "a").write_bytes(b"x" * (data._CHUNK_BYTES + 1))
    seen = []
    data.make_token_file(
        [tmp_path / "a"], tmp_path / "t.bin", progress=lambda *pair: seen.append(pair)
    )
    total = data._CHUNK_BYTES + 1
    assert seen == [(data._CHUNK_BYTES, total), (total, total)]


@pytest.mark.parametrize(
    "options, message",
    [
        (["--input", "{tmp}/none"], "/none' is neither a file nor a directory"),
        (["--input", "{tmp}", "--include", "*.rs"], "matches '*.rs'"),
        (["--input", "{tmp}/empty"], "the input has no bytes"),
    ],
)
def test_command_refuses_with_a_message(tmp_path, options, message, capsys):
    (tmp_path / "empty").write_bytes(b"")
    options = [option.format(tmp=tmp_path) for option in options]
    assert data.main([*options, "-o", str(tmp_path / "out.bin")]) == 3
    assert message in capsys.readouterr().err
    assert not (tmp_path / "out.bin").exists()


def test_command_refuses_a_limit_of_zero(tmp_path, capsys):
    assert data.main(["--input", str(tmp_path), "--max-tokens", "0", "-o", "x"]) == 2
    assert "--max-tokens must be at least 1" in capsys.readouterr().err


@pytest.mark.parametrize(
    "tokens, message",
    [
        ([2**32], "must lie in 0..4294967295"),
        ([-1], "must lie in 0..4294967295"),
        ([[1]], "one-dimensional"),
        ([0.5], "integers"),
    ],
)
def test_tokens_that_do_not_fit_are_refused(tmp_path, tokens, message):
    with pytest.raises(data.DataError, match=message):
        data.write_tokens(tmp_path / "t.bin", tokens)


def test_ids_beyond_16_bits_are_written_with_32(tmp_path):
    tokens = np.array([7, 65536, 2**32 - 1], np.uint32)
    data.write_tokens(tmp_path / "t.bin", tokens)
    raw = (tmp_path / "t.bin").read_bytes()
    assert np.frombuffer(raw[:1024], "<i4")[:4].tolist() == [20240801, 7, 3, 0]
    assert raw[1024:] == bytes([7, 0, 0, 0, 0, 0, 1, 0, 255, 255, 255, 255])
    again = data.read_tokens(tmp_path / "t.bin")
    assert again.dtype == np.uint32 and np.array_equal(again, tokens)


def test_nanogpt_has_no_ids_beyond_16_bits(tmp_path):
    with pytest.raises(data.DataError, match="reach to 65536.* use llmc"):
        data.write_tokens(tmp_path / "t.bin", [65536], "nanogpt")
    assert not list(tmp_path.iterdir())


def test_input_that_is_too_large_is_refused_before_it_is_read(tmp_path):
    with open(tmp_path / "large", "wb") as file:
        file.truncate(2**31)
    reads = lambda done, total: pytest.fail("it is read")
    with pytest.raises(data.DataError, match="--format nanogpt"):
        data.make_token_file([tmp_path / "large"], tmp_path / "t.bin", progress=reads)


def test_too_many_tokens_for_the_header_are_refused():
    with pytest.raises(data.DataError, match="--format nanogpt"):
        data.llmc_header(2**31)


@pytest.mark.parametrize(
    "content, message",
    [
        (data.llmc_header(5) + b"\0\0", "the header promises 5 tokens, but 1 follow"),
        (data.llmc_header(5)[:100], "bad header"),
        (np.array([20240520, 2] + [0] * 254, "<i4").tobytes(), "bad header"),
        (np.array([20240801, 1] + [0] * 254, "<i4").tobytes(), "bad header"),
        (data.llmc_header(1) + b"\0" * 4, "promises 1 tokens, but 2 follow"),
        (data.llmc_header(2, 4) + b"\0" * 6, "the header promises 2 tokens, but 1 follow"),
        (b"\0\0\0", "not a whole number of uint16 tokens"),
    ],
)
def test_a_damaged_token_file_is_refused(tmp_path, content, message):
    (tmp_path / "t.bin").write_bytes(content)
    with pytest.raises(data.DataError, match=message):
        data.read_tokens(tmp_path / "t.bin")


@pytest.mark.parametrize("dtype", ["u1", "i2", "<u4", "i8", ">u8"])
def test_arrays_of_numpy_are_read(tmp_path, dtype):
    ids = np.array([3, 0, 127], dtype)
    np.save(tmp_path / "ids.npy", ids)
    assert data.read_tokens(tmp_path / "ids.npy").tolist() == [3, 0, 127]


@pytest.mark.parametrize(
    "array, message",
    [
        (np.zeros(3, np.float32), "float32\\[3\\] is not a one-dimensional array of integers"),
        (np.zeros((2, 3), np.int32), "int32\\[2, 3\\] is not a one-dimensional"),
        (np.array([1, None]), "not a whole array of NumPy"),
    ],
)
def test_arrays_that_are_no_ids_are_refused(tmp_path, array, message):
    np.save(tmp_path / "ids.npy", array, allow_pickle=True)
    with pytest.raises(data.DataError, match=message):
        data.read_tokens(tmp_path / "ids.npy")
    np.save(tmp_path / "ids.npy", np.arange(5))
    with open(tmp_path / "ids.npy", "ab") as file:
        file.write(b"more")
    with pytest.raises(data.DataError, match="more follows the 5 elements"):
        data.read_tokens(tmp_path / "ids.npy")


def test_the_header_notes_what_ends_documents(tmp_path):
    path = tmp_path / "tokens.bin"
    for eod, number in ((None, 0), (0, 1), (50256, 50257)):
        data.write_tokens(path, np.array([1, 2, 3]), eod=eod)
        assert np.fromfile(path, "<i4", 5).tolist() == [20240520, 1, 3, number, 0]
        assert data.read_tokens(path).tolist() == [1, 2, 3]
    with pytest.raises(data.DataError, match="nanogpt has no header for 'eod'.*--eod 3"):
        data.write_tokens(path, np.array([1]), "nanogpt", eod=3)
    with pytest.raises(data.DataError, match="'eod' must be a token id, but is -1"):
        data.write_tokens(path, np.array([1]), eod=-1)


def test_a_mask_is_a_byte_for_each_token(tmp_path):
    path = tmp_path / "tokens.mask"
    for mask in ([True, False, True], [1, 0, 1], [1.0, 0.0, 1.0]):
        data.write_mask(path, mask)
        assert path.read_bytes() == b"\1\0\1"
    with pytest.raises(data.DataError, match=r"one dimension, but has the shape \[2, 1\]"):
        data.write_mask(path, [[1], [0]])
    with pytest.raises(data.DataError, match="no other numbers"):
        data.write_mask(path, [0, 1, 2])
