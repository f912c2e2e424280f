#!/usr/bin/env python3
"""Reads a Holecard journal, checks it completely and prints it as JSON lines.

Written from docs/journal-format.md alone and with Python's standard library alone, so that records can still be read
when the software that wrote them is gone, and so that a second pair of eyes checks the first.

    journal_reader.py DIRECTORY [--public-key HEX] [--verify | --content]
    journal_reader.py --packet FILE [--public-key HEX]

Prints one object a record (payloads as hex; with --content the payloads of inputs as the JSON they are); with --verify only
the summary; with --packet whether the signed file of a round is good. Exit status: 0 good, 1 damaged (the file and
the byte are named on standard error), 2 bad usage.
"""

import argparse
import hashlib
import json
import os
import re
import struct
import sys

HEADER = struct.Struct("<8sHHIQQqQ32s32s32s32s32sI4s32s4sI")
RECORD = struct.Struct("<4sIBBHIQQqQQIII")
KINDS = {1: "input", 2: "epoch", 3: "checkpoint", 4: "close", 5: "signature"}
RECORD_MAX = 1 << 20


class Damaged(Exception):
    """The journal is not what was written."""

    def __init__(self, name, offset, why):
        super().__init__(f"{name}: byte {offset}: {why}")


# CRC-32C (Castagnoli), reflected, as in RFC 3720.
def _crc_table():
    for value in range(256):
        for _ in range(8):
            value = value >> 1 ^ (0x82F63B78 if value & 1 else 0)
        yield value


CRC_TABLE = tuple(_crc_table())


def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc = crc >> 8 ^ CRC_TABLE[(crc ^ byte) & 0xFF]
    return crc ^ 0xFFFFFFFF


# Ed25519 verification after RFC 8032, section 5.1.7, in extended coordinates.
P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P


def _add(a, b):
    e = (a[1] - a[0]) * (b[1] - b[0]) % P
    f = (a[1] + a[0]) * (b[1] + b[0]) % P
    g = 2 * a[3] * b[3] * D % P
    h = 2 * a[2] * b[2] % P
    e, f, g, h = f - e, h - g, h + g, f + e
    return e * f % P, g * h % P, f * g % P, e * h % P


def _multiply(scalar, point):
    total = (0, 1, 1, 0)
    while scalar:
        if scalar & 1:
            total = _add(total, point)
        point = _add(point, point)
        scalar >>= 1
    return total


def _point(encoded):
    y = int.from_bytes(encoded, "little")
    sign, y = y >> 255, y & (1 << 255) - 1
    if y >= P:
        return None
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * pow(2, (P - 1) // 4, P) % P
    if (x * x - square) % P or (x == 0 and sign):
        return None
    if x & 1 != sign:
        x = P - x
    return x, y, 1, x * y % P


BASE = _point((4 * pow(5, P - 2, P) % P).to_bytes(32, "little"))


def signature_is_good(key, message, signature):
    point, nonce = _point(key), _point(signature[:32])
    scalar = int.from_bytes(signature[32:], "little")
    if point is None or nonce is None or scalar >= ORDER:
        return False
    digest = hashlib.sha512(signature[:32] + key + message).digest()
    challenge = int.from_bytes(digest, "little") % ORDER
    left, right = _multiply(scalar, BASE), _add(nonce, _multiply(challenge, point))
    same_x = (left[0] * right[2] - right[0] * left[2]) % P == 0
    return same_x and (left[1] * right[2] - right[1] * left[2]) % P == 0


def read_header(name, data, number):
    if len(data) < HEADER.size or data[:8] != b"HCJRNL\r\n":
        raise Damaged(name, 0, "not a segment")
    if crc32c(data[:252]) != struct.unpack_from("<I", data, 252)[0]:
        raise Damaged(name, 0, "the header's checksum does not match")
    fields = HEADER.unpack_from(data)
    header = dict(zip(
        ("magic", "version", "length", "epoch", "number", "first_sequence", "created_us", "first_kept", "table", "previous",
         "public_key", "software", "rules_pack", "run", "reserved", "hash", "reserved_2", "crc"), fields))
    if header["version"] not in (1, 2):
        raise Damaged(name, 8, f"format version {header['version']} is not known here")
    if hashlib.sha256(data[:216]).digest() != header["hash"]:
        raise Damaged(name, 216, "the header's hash does not match")
    if header["length"] != 256 or any(header["reserved"]) or any(header["reserved_2"]):
        raise Damaged(name, 0, "reserved header bytes are in use")
    if header["number"] != number or not 1 <= header["first_kept"] <= number:
        raise Damaged(name, 16, "the header belongs to another segment")
    return header


def read_record(data, offset):
    """The record at offset and its length; None where nothing was written; a string says what is wrong."""
    if not any(data[offset:offset + 8]):
        return None, 0
    if data[offset:offset + 4] != b"HCR1":
        return "no record starts here", 0
    if len(data) - offset < RECORD.size:
        return "the record is cut off", 0
    (_, length, kind, reserved, version, epoch, sequence, durable, wall, monotonic, person, run, inputs,
     events) = RECORD.unpack_from(data, offset)
    if length < 104 or length > RECORD_MAX or length % 8 or offset + length > len(data):
        return "the record's length is impossible", 0
    body = data[offset:offset + length]
    if crc32c(body[:-4]) != struct.unpack("<I", body[-4:])[0]:
        return "the checksum does not match", 0
    end = 68 + inputs + events
    if length != 104 + (inputs + events + 7) // 8 * 8 or reserved or any(body[end:-36]) or kind not in KINDS:
        raise ValueError("the record is malformed")
    record = {
        "sequence": sequence, "kind": KINDS[kind], "epoch": epoch, "run": run, "person": person, "wall_us": wall,
        "monotonic_us": monotonic, "content_version": version, "durable": durable,
        "input": body[68:68 + inputs].hex(), "events": body[68 + inputs:end].hex(), "hash": body[-36:-4].hex(),
    }
    return record, length


def check_tail(name, data, offset, next_sequence, closed):
    """Behind the last good record: zeros, or what an interrupted write left, or an alarm."""
    if not any(data[offset:]):
        return
    if closed:
        raise Damaged(name, offset, "bytes after the closing record")
    for at in range(offset + 8, len(data) - 103, 8):
        if data[at:at + 4] == b"HCR1":
            try:
                record, _ = read_record(data, at)
            except ValueError:
                continue
            if isinstance(record, dict) and record["sequence"] >= next_sequence and record["durable"] >= next_sequence:
                raise Damaged(name, offset, "a bad record is followed by good ones")


def known_durable(directory):
    """The highest sequence that the head file saw made durable; 0 where it says nothing."""
    try:
        with open(os.path.join(directory, "head"), "rb") as file:
            data = file.read(2 * 4096)
    except FileNotFoundError:
        return 0
    notes = [(0, 0)]
    for slot in (data[:96], data[4096:4192]):
        if slot[:8] == b"HCHEAD1\n" and len(slot) == 96 and crc32c(slot[:92]) == struct.unpack("<I", slot[92:])[0]:
            notes.append(struct.unpack_from("<QQ", slot, 8))
    return max(notes)[1]


class Journal:
    def __init__(self, directory, public_key=None):
        self.directory, self.trusted_key = directory, public_key
        found = (re.fullmatch(r"segment-(\d{10})\.hcj", name) for name in os.listdir(directory))
        self.numbers = sorted(int(match.group(1)) for match in found if match)
        if not self.numbers:
            raise Damaged(directory, 0, "no segments here")
        self.torn_bytes = self.signatures = self.signed_up_to = 0

    def records(self):
        link, known = None, known_durable(self.directory)
        for number in self.numbers:
            if self.numbers[0] + self.numbers.index(number) != number:
                raise Damaged(self.directory, 0, f"the segment before {number} is missing")
        newest = self.numbers[-1]
        last_header = read_header(self._name(newest), self._data(newest), newest)
        if self.numbers[0] > last_header["first_kept"]:
            raise Damaged(self.directory, 0, f"segment {last_header['first_kept']} is missing")
        sequence, run, epoch, version = None, 0, 0, 0
        for number in self.numbers:
            name, data = self._name(number), self._data(number)
            header = read_header(name, data, number)
            if self.trusted_key not in (None, header["public_key"]):
                raise Damaged(name, 112, "another key than the one given")
            if link is not None and (header["previous"] != link or header["first_sequence"] != sequence
                                     or header["epoch"] != epoch or header["version"] < version):
                raise Damaged(name, 0, "the header does not continue the segment before")
            link, sequence, epoch = header["hash"], header["first_sequence"], header["epoch"]
            version = header["version"]
            offset, closed = 256, False
            while not closed:
                try:
                    record, length = read_record(data, offset)
                except ValueError as wrong:
                    raise Damaged(name, offset, str(wrong)) from None
                if not isinstance(record, dict):
                    if number != newest:
                        raise Damaged(name, offset, record or "the segment was not closed")
                    break
                if record["sequence"] != sequence:
                    raise Damaged(name, offset, f"record {sequence} expected, {record['sequence']} found")
                if hashlib.sha256(link + data[offset:offset + length - 36]).hexdigest() != record["hash"]:
                    raise Damaged(name, offset, "the hash does not continue the chain")
                new_epoch = epoch + 1 if record["kind"] == "epoch" and sequence > 1 else epoch
                if record["epoch"] != new_epoch or record["run"] < run or record["durable"] >= sequence:
                    raise Damaged(name, offset, "epoch, run or durable mark are out of order")
                self._check_kind(name, offset, header, record, link)
                closed = record["kind"] == "close"
                link, epoch, run = bytes.fromhex(record["hash"]), new_epoch, record["run"]
                sequence, offset = sequence + 1, offset + length
                yield record
            check_tail(name, data, offset, sequence, closed)
            self.torn_bytes = len(data[offset:].rstrip(b"\0"))
        if sequence <= known:
            raise Damaged(self.directory, 0, f"the tail is missing: record {known} was durable")

    def _check_kind(self, name, offset, header, record, link):
        if record["kind"] in ("epoch", "checkpoint") and len(record["input"]) != 128:
            raise Damaged(name, offset, "an epoch's digests are missing")
        if record["kind"] == "signature" and (header["version"] < 2 or offset == 256):
            raise Damaged(name, offset, "no signature can stand here")
        if record["kind"] in ("close", "signature"):
            if record["kind"] == "close":
                message = b"holecard journal segment v1\0" + header["table"]
                message += struct.pack("<QQ", header["number"], record["sequence"]) + link
                self.signatures += 1
            else:
                message = b"holecard journal head v1\0" + header["table"]
                message += struct.pack("<QQ", 0, record["sequence"] - 1) + link
            signature = bytes.fromhex(record["events"])
            if record["input"] or len(signature) != 64 or not signature_is_good(header["public_key"], message, signature):
                raise Damaged(name, offset, "the signature does not match")
            self.signed_up_to = record["sequence"]

    @staticmethod
    def _name(number):
        return f"segment-{number:010}.hcj"

    def _data(self, number):
        with open(os.path.join(self.directory, self._name(number)), "rb") as file:
            return file.read()


def content(record):
    """The payloads of an input of content version 1 as the JSON that they are."""
    if record["kind"] != "input" or record["content_version"] != 1:
        return record
    said = {name: json.loads(bytes.fromhex(record[name])) for name in ("input", "events")}
    return {**record, **said}


def check_packet(name, key):
    """A round's signed file: the first line says how, every byte after it is signed."""
    with open(name, "rb") as file:
        head, body = file.readline(), file.read()
    try:
        said = json.loads(head)
        named = bytes.fromhex(said["public_key"].split()[-1])
        signature = bytes.fromhex(said["signature"])
    except (ValueError, KeyError, IndexError):
        print(f"damaged: {name}: this is no packet", file=sys.stderr)
        return 1
    if key not in (None, named) or not signature_is_good(named, b"holecard packet 1\n" + body, signature):
        print(f"damaged: {name}: the signature does not match", file=sys.stderr)
        return 1
    print(json.dumps({"table": said["table"], "round": said["round"], "records": said["records"]}))
    return 0


def main():
    parser = argparse.ArgumentParser(description="Check a Holecard journal and print it as JSON lines.")
    parser.add_argument("directory", nargs="?")
    parser.add_argument("--packet", metavar="FILE", help="check a round's signed file instead")
    parser.add_argument("--content", action="store_true", help="show what inputs and events say")
    parser.add_argument("--public-key", metavar="HEX", help="the table's public key; without it each header's own is used")
    parser.add_argument("--verify", action="store_true", help="print the summary alone")
    options = parser.parse_args()
    key = options.public_key and bytes.fromhex(options.public_key)
    if options.packet:
        return check_packet(options.packet, key)
    if options.directory is None:
        parser.error("a directory or --packet is needed")
    try:
        journal = Journal(options.directory, key)
        count, head = 0, None
        for record in journal.records():
            count, head = count + 1, record
            if not options.verify:
                print(json.dumps(content(record) if options.content else record))
        if options.verify:
            print(json.dumps({
                "records": count, "segments": len(journal.numbers), "signatures": journal.signatures,
                "head_sequence": head and head["sequence"], "head_hash": head and head["hash"],
                "torn_bytes": journal.torn_bytes}))
    except Damaged as damage:
        print(f"damaged: {damage}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
