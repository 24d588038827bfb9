# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Event files of `train --tensorboard`, read by a reader of their own format and, with BOOST_TENSORBOARD=1,
by TensorBoard's."""

import os
import struct

import pytest
from harness import run

import boost_mlir

STEPS = 6


def checksum(data):
    """The masked CRC-32C of TFRecord, bit by bit."""
    value = 0xFFFFFFFF
    for byte in data:
        value ^= byte
        for _ in range(8):
            value = (value >> 1) ^ (0x82F63B78 if value & 1 else 0)
    value ^= 0xFFFFFFFF
    return (((value >> 15) | (value << 17)) + 0xA282EAD8) & 0xFFFFFFFF


def records(path):
    """The records of a file, whose lengths and bytes have their checksums."""
    content, at = path.read_bytes(), 0
    while at < len(content):
        (length,) = struct.unpack_from("<Q", content, at)
        record = content[at + 12 : at + 12 + length]
        assert struct.unpack_from("<I", content, at + 8) == (checksum(content[at : at + 8]),)
        assert struct.unpack_from("<I", content, at + 12 + length) == (checksum(record),)
        yield record
        at += 16 + length


def fields(message):
    """The fields of a serialized protocol buffer: numbers and their values."""

    def varint():
        nonlocal at
        value = shift = 0
        while True:
            byte = message[at]
            at += 1
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    at = 0
    while at < len(message):
        number, wire = divmod(varint(), 8)
        size = {0: 0, 1: 8, 5: 4}.get(wire)
        if wire == 0:
            yield number, varint()
            continue
        size = varint() if size is None else size
        value = message[at : at + size]
        at += size
        yield number, struct.unpack({8: "<d", 4: "<f"}[size], value)[0] if wire in (1, 5) else value


def by_own_reader(folder):
    """Tags to steps to values, where a session that starts drops later steps of earlier files."""
    scalars = {}
    for path in sorted(folder.iterdir()):
        events = [dict(fields(record)) for record in records(path)]
        assert events[0][3] == b"brain.Event:2"
        for event in events[1:]:
            if 7 in event:
                assert dict(fields(event[7])) == {1: 1}
                for values in scalars.values():
                    for step in [step for step in values if step >= event[2]]:
                        del values[step]
                continue
            for number, value in fields(event[5]):
                assert number == 1
                entry = dict(fields(value))
                scalars.setdefault(entry[1].decode(), {})[event[2]] = entry[2]
    return scalars


def by_tensorboard(folder):
    event_accumulator = pytest.importorskip("tensorboard.backend.event_processing.event_accumulator")
    reader = event_accumulator.EventAccumulator(str(folder))
    reader.Reload()
    tags = reader.Tags()["scalars"]
    return {tag: {event.step: event.value for event in reader.Scalars(tag)} for tag in tags}


TENSORBOARD = pytest.param(
    by_tensorboard,
    marks=pytest.mark.skipif(not os.environ.get("BOOST_TENSORBOARD"), reason="set BOOST_TENSORBOARD=1"),
    id="TensorBoard",
)


def expected(log):
    tags = {
        "loss": "train/loss", "lr": "train/lr", "grad_norm": "train/grad_norm",
        "tokens_per_second": "train/tokens_per_second", "val_loss": "validation/loss",
    }  # fmt: skip
    scalars = {}
    for record in boost_mlir.read_log(log):
        for name, tag in tags.items():
            if name in record:
                scalars.setdefault(tag, {})[record["step"]] = record[name]
    return scalars


def assert_same(scalars, log):
    wanted = expected(log)
    assert {tag: list(values) for tag, values in scalars.items()} == {
        tag: list(values) for tag, values in wanted.items()
    }
    for tag, values in wanted.items():
        assert list(scalars[tag].values()) == pytest.approx(list(values.values()), rel=1e-6)


@pytest.mark.parametrize("reader", [pytest.param(by_own_reader, id="own"), TENSORBOARD])
def test_events_are_the_steps_of_the_log(program, tmp_path, reader):
    compiled, log = program("cola", "tiny", "tp=2"), tmp_path / "log.jsonl"
    files = ("--data", compiled.model.tokens_file, "--val-data", compiled.model.tokens_file, "--val-every", 2)
    kept = ("--checkpoint", tmp_path / "run", "--checkpoint-every", 2, "--schedule", "constant")
    options = ("train", *files, *kept, "--val-batches", 1, "--log", log, "--tensorboard", tmp_path / "a/b")
    compiled.launch(*options, "--steps", STEPS)
    assert_same(reader(tmp_path / "a/b"), log)
    # The last checkpoint is lost, so that its steps are done again.
    for path in (tmp_path / f"run/step-{STEPS}").iterdir():
        path.unlink()
    compiled.launch(*options, "--steps", STEPS + 2, "--resume")
    assert len(list((tmp_path / "a/b").iterdir())) == 2
    assert_same(reader(tmp_path / "a/b"), log)
    assert list(expected(log)["validation/loss"]) == [2, 4, 6, 8]


def test_a_folder_that_cannot_be_made_is_refused(program, tmp_path):
    compiled = program("cola", "tiny", "tp=2")
    (tmp_path / "file").write_text("")
    options = ("--data", compiled.model.tokens_file, "--steps", 1, "--tensorboard", tmp_path / "file/events")
    result = compiled.launch("train", *options, check=False)
    assert result.returncode == 3
    assert f"cannot create the folder of --tensorboard, {tmp_path}/file/events: Not a directory" in result.stderr


def test_a_full_disk_is_told_once(program, tmp_path):
    """A limit on the size of files stands in for it."""
    compiled = program("cola", "tiny", "tp=1")
    words = (compiled.binary, "train", "--data", compiled.model.tokens_file, "--steps", 20)
    words = (*words, "--tensorboard", tmp_path / "events")
    line = "trap '' XFSZ; ulimit -S -f 1; exec " + " ".join(map(str, words))
    result = run("bash", "-c", line, check=False)
    assert result.returncode == 0, result.stderr
    assert result.stderr.count("warning: cannot write event file") == 1
