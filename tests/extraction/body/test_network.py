"""The network joins the blocks that stand around a block, as a walk through the boxes finds them, and reads what training wrote."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import pytest
from kurier import headline, page, paragraphs, teasers
from numpy.typing import NDArray

from newscrawler.extraction.body.features import BlockFeatures, block_features
from newscrawler.extraction.body.network import BOXES, JOINED, BlockNetwork, Neighbourhood, squash
from newscrawler.page import Document

WIDTH, FEATURES, WORDS = 5, 7, 3
SHAPES = {
    "center": (FEATURES,), "scale": (FEATURES,), "enter": (FEATURES, WIDTH), "words": (WORDS, WIDTH), "bias": (WIDTH,),
    "mix": (2, JOINED * WIDTH, WIDTH), "mix_bias": (2, WIDTH), "hidden": (3 * WIDTH, WIDTH), "hidden_bias": (WIDTH,),
    "out": (WIDTH,), "out_bias": (),
}  # fmt: skip


def make_features(language: str = "en") -> BlockFeatures:
    inside = (
        f"<main><h1>{headline(language)}</h1><div class=text>{paragraphs(language)}</div></main><aside>{teasers(language)}</aside>"
    )
    return block_features(page(language, inside))


def make_arrays(seed: int = 0) -> dict[str, NDArray[np.float32]]:
    dice = np.random.default_rng(seed)
    drawn = {name: dice.normal(size=shape, scale=0.4).astype(np.float32) for name, shape in SHAPES.items()}
    return drawn | {"scale": np.abs(drawn["scale"]) + np.float32(0.5)}


def make_rows(blocks: int, numbers: int, seed: int = 1) -> NDArray[np.float32]:
    return (np.random.default_rng(seed).normal(size=(blocks, numbers)) * 3).astype(np.float32)


def find_boxes(features: BlockFeatures, block: int) -> list[tuple[int, ...]]:
    """Walk outwards from a block: the weighed blocks of each box that holds more than the one within, the page's in the end."""
    layout, weighed = features.layout, features.weighed
    held = [
        tuple(b.index for b in layout.blocks if weighed[b.index] and box in {each.index for each in layout.outer(b.box)})
        for box in range(len(layout.boxes))
    ]
    found = []
    for box in layout.outer(layout.blocks[block].box):
        if len(held[box.index]) > 1 and (not found or held[box.index] != found[-1]):
            found.append(held[box.index])
    return (found + [found[-1]] * BOXES)[:BOXES] if found else [(block,)] * BOXES


def walk(features: BlockFeatures, data: dict[str, Any], rows: NDArray[Any], words: NDArray[Any]) -> list[float]:
    """Return the log-odds of weighed blocks, one block and one vector after the other."""
    index = features.weighed.nonzero()[0].tolist()
    place = {block: number for number, block in enumerate(index)}
    boxes = [[[place[each] for each in box] for box in find_boxes(features, block)] for block in index]
    make = features.tree.make[features.weighed].tolist()
    share = np.sqrt(features.tree.size[features.weighed])
    share = share / share.sum()
    standard = np.clip((squash(rows) - data["center"]) * data["scale"], -4, 4)
    states = [np.maximum(standard @ data["enter"] + words @ data["words"] + data["bias"], 0)]
    for weights, bias in zip(data["mix"], data["mix_bias"], strict=True):
        old, new = states[-1], []
        nothing = np.zeros(WIDTH)
        for i in range(len(index)):
            near = [old[i + step] if 0 <= i + step < len(index) else nothing for step in (-1, 1, -2, 2)]
            alike = np.mean([old[j] for j in range(len(index)) if make[j] == make[i]], axis=0)
            joined = [old[i], *near, *(np.mean(old[box], axis=0) for box in boxes[i]), alike, share @ old]
            new.append(np.maximum(old[i] + np.concatenate(joined) @ weights + bias, 0))
        states.append(np.array(new))
    hidden = np.maximum(np.hstack(states) @ data["hidden"] + data["hidden_bias"], 0)
    return (hidden @ data["out"] + data["out_bias"]).tolist()


@pytest.mark.parametrize("language", ["en", "ru", "zh"])
def test_the_network_reads_what_a_walk_through_the_boxes_finds(language: str) -> None:
    features, data = make_features(language), make_arrays()
    weighed = int(features.weighed.sum())
    rows, words = make_rows(weighed, FEATURES), make_rows(weighed, WORDS, seed=2)

    found = BlockNetwork.of(data).log_odds(rows, words, Neighbourhood.of(features.tree, features.weighed))

    assert weighed > 6
    assert len(set(np.round(found, 4).tolist())) > 6
    assert found == pytest.approx(walk(features, data, rows, words), abs=1e-3)


def test_a_page_of_one_block_has_an_answer() -> None:
    features = block_features(Document.parse("<p>Only one paragraph stands on this page, and nothing stands around it.</p>"))

    found = BlockNetwork.of(make_arrays()).log_odds(
        make_rows(1, FEATURES), make_rows(1, WORDS), Neighbourhood.of(features.tree, features.weighed)
    )

    assert found.shape == (1,)
    assert np.isfinite(found).all()


def test_numbers_beyond_all_measure_count_as_the_largest() -> None:
    features, network = make_features(), BlockNetwork.of(make_arrays())
    around, rows = Neighbourhood.of(features.tree, features.weighed), make_rows(int(features.weighed.sum()), FEATURES)
    words = np.zeros((len(rows), WORDS), dtype=np.float32)

    found = [network.log_odds(np.where(rows > 0, most, rows).astype(np.float32), words, around) for most in (1e12, 1e30)]

    assert np.array_equal(*found)


def test_no_thread_of_the_matrix_library_waits_for_work() -> None:
    width, rows = 48, 300
    dice = np.random.default_rng(0)
    shapes = {name: tuple(width if side == WIDTH else side for side in shape) for name, shape in SHAPES.items()}
    shapes |= {"mix": (2, JOINED * width, width), "hidden": (3 * width, width)}
    network = BlockNetwork.of({name: dice.normal(size=shape).astype(np.float32) for name, shape in shapes.items()})
    alone = np.arange(rows)
    around = Neighbourhood(np.tile(alone, (BOXES, 1)), np.tile(alone + 1, (BOXES, 1)), alone, np.full(rows, 1 / rows, np.float32))
    arguments = (make_rows(rows, FEATURES), make_rows(rows, WORDS), around)
    network.log_odds(*arguments)

    before = time.process_time(), time.thread_time()
    for _ in range(30):
        network.log_odds(*arguments)
    everything, own = time.process_time() - before[0], time.thread_time() - before[1]

    assert everything < 1.5 * own + 0.02


def test_the_program_reads_the_network_as_training_computes_it() -> None:
    torch = pytest.importorskip("torch")
    training = pytest.importorskip("training.network")
    features = [make_features(language) for language in ("en", "de", "zh")]
    counts = [int(each.weighed.sum()) for each in features]
    rows, words = np.clip(make_rows(sum(counts), FEATURES), -4, 4), make_rows(40, training.WORD_WIDTH, seed=2)
    network = training.BlockModule(FEATURES, len(words)).eval()
    with torch.no_grad():
        network.vectors.weight.copy_(torch.from_numpy(words))
        torch.nn.init.normal_(network.out.weight)
    spoken = [np.arange(i % 4) * 7 + i % 5 for i in range(sum(counts))]
    table = training.Table(
        starts=np.cumsum([0, *counts]), rows=rows, label=np.zeros(len(rows)), weight=np.ones(len(rows)),
        around=[Neighbourhood.of(each.tree, each.weighed) for each in features], words=np.concatenate(spoken),
        word_starts=np.cumsum([0, *map(len, spoken)]), is_ours=np.zeros(len(features), dtype=bool),
    )  # fmt: skip

    with torch.no_grad():
        expected = network(training.Batch.of(table, [2, 0, 1])).numpy()

    arrays = {**network.as_arrays(), "center": np.zeros(FEATURES), "scale": np.ones(FEATURES)}
    vectors = arrays.pop("vectors")
    sums = np.array([vectors[each].sum(axis=0) / np.sqrt(max(len(each), 1)) for each in spoken], dtype=np.float32)
    ends = np.cumsum(counts)
    found = [
        BlockNetwork.of(arrays).log_odds(np.copysign(np.expm1(np.abs(rows[part])), rows[part]), sums[part], table.around[i])
        for i, part in ((i, slice(ends[i] - counts[i], ends[i])) for i in (2, 0, 1))
    ]
    assert np.ptp(expected) > 0.1
    assert np.concatenate(found) == pytest.approx(expected, abs=1e-3)
