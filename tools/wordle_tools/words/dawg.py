"""Word graphs in the trained data of the OCR engine Tesseract, read as lists of words."""

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

LEGACY_UNICHARSET, LEGACY_WORDS, LEGACY_BIGRAMS = 1, 7, 14
LSTM_WORDS, LSTM_UNICHARSET = 19, 21

_MAGIC = 42
_LAST_EDGE, _BACKWARD, _WORD_END = 1, 2, 4
_FLAG_BITS = 3


@dataclass(frozen=True, slots=True)
class TrainedData:
    """The numbered components of a trained data file; one that is missing is empty."""

    components: tuple[bytes, ...]

    def words(self, graph: int, unicharset: int) -> Iterator[str]:
        """Give the words of a graph component, spelled with a unicharset component."""
        return words(self.components[graph], characters(self.components[unicharset]))


def read_trained_data(data: bytes) -> TrainedData:
    """Split a trained data file into its components."""
    (count,) = struct.unpack_from("<i", data)
    offsets = struct.unpack_from(f"<{count}q", data, 4)
    ends = sorted({offset for offset in offsets if offset >= 0} | {len(data)})
    following = dict(pairwise(ends))
    return TrainedData(
        tuple(data[at : following[at]] if 0 <= at < len(data) else b"" for at in offsets)
    )


def characters(unicharset: bytes) -> list[str]:
    """Read the characters of a unicharset by their number; the name NULL means a blank."""
    lines = unicharset.decode("utf-8").split("\n")
    names = [line.split(" ")[0] for line in lines[1 : int(lines[0]) + 1]]
    return [" " if name == "NULL" else name for name in names]


def words(graph: bytes, spelled_with: list[str]) -> Iterator[str]:
    """Walk a word graph from its root and give every word in it, in the graph's order."""
    magic, size, count = struct.unpack_from("<hii", graph)
    if magic != _MAGIC:
        raise ValueError("not a word graph")
    edges = struct.unpack_from(f"<{count}Q", graph, 10)
    flags_at = size.bit_length()
    letter_mask = (1 << flags_at) - 1
    open_nodes: list[tuple[int, str]] = [(0, "")]
    while open_nodes:
        node, prefix = open_nodes.pop()
        while True:
            edge = edges[node]
            flags = edge >> flags_at
            if not flags & _BACKWARD and edge != (1 << 64) - 1:
                word = prefix + spelled_with[edge & letter_mask]
                if flags & _WORD_END:
                    yield word
                following = edge >> (flags_at + _FLAG_BITS)
                if following:
                    open_nodes.append((following, word))
            if flags & _LAST_EDGE:
                break
            node += 1
