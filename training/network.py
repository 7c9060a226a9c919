"""Fits the network over the blocks of a page: PyTorch trains, `newscrawler.extraction.body.network` reads.

Few labelled pages for so many weights: features, words and states of blocks are dropped at random, whole features of a page too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from newscrawler.extraction.body.block_classifier import is_judged
from newscrawler.extraction.body.network import BOXES, JOINED, MOST, BlockNetwork, Neighbourhood, squash

if TYPE_CHECKING:
    from newscrawler.extraction.body.forest import Floats
    from training.samples import Sample

#: Width of a block's vector, rounds of messages, and numbers that a word is known by.
WIDTH, ROUNDS, WORD_WIDTH = 48, 2, 16
#: Shares that are dropped: of states, features, words, and features of a whole page; deviation of the noise on features.
_DROPPED, _FEATURES_DROPPED, _WORDS_DROPPED, _COLUMNS_DROPPED, _NOISE = 0.4, 0.3, 0.6, 0.2, 0.1
_EPOCHS, _ROWS, _RATE, _DECAY, _WARM_UP, _STEEPEST = 5, 3000, 3e-3, 0.02, 0.15, 1.0
#: Of copies and pages of our own: the share that is read in an epoch; the exponent of the weights of their blocks, below 1 so that
#: captions and comments, which are short, teach something; the weight of all of them beside public pages.
_SHARE_OF_COPIES, _DAMPING, _WEIGHT_OF_COPIES = 0.6, 0.7, 1.0
_LEAST_DEVIATION = 1e-6


class Table(NamedTuple):
    """The weighed blocks of all training pages, one behind the other."""

    #: Shape (pages + 1): the blocks of each page lie from `starts[i]` on.
    starts: NDArray[np.int64]
    rows: Floats
    label: Floats
    weight: Floats
    around: Sequence[Neighbourhood]
    #: Numbers of the words of the blocks, those of each from `word_starts[i]` on.
    words: NDArray[np.int64]
    word_starts: NDArray[np.int64]
    is_ours: NDArray[np.bool_]


def train_network(
    samples: Sequence[Sample], rows: Sequence[Floats], vocabulary: NDArray[np.uint32], seed: int
) -> dict[str, NDArray[Any]]:
    """Train the network, and return its weights as arrays.

    Args:
        samples: labelled pages.
        rows: features of all blocks of each, shape (blocks, features).
        vocabulary: hashes of the words that get numbers, rising.
        seed: of all draws.

    Returns:
        what `BlockNetwork.of` reads, and in "vectors" those of the words, shape (words, WORD_WIDTH).
    """
    torch.set_num_threads(1)  # folds train side by side
    torch.manual_seed(seed)
    dice = np.random.default_rng(seed)
    table = _make_table(samples, rows, vocabulary)
    public = np.repeat(~table.is_ours, np.diff(table.starts))
    center, deviation = table.rows[public].mean(axis=0), table.rows[public].std(axis=0) + _LEAST_DEVIATION
    table = table._replace(rows=np.clip((table.rows - center) / deviation, -MOST, MOST).astype(np.float32))
    network = BlockModule(table.rows.shape[1], len(vocabulary))
    matrices = [each for each in network.parameters() if each.ndim > 1]
    biases = [each for each in network.parameters() if each.ndim == 1]
    optimizer = torch.optim.AdamW([{"params": matrices, "weight_decay": _DECAY}, {"params": biases, "weight_decay": 0.0}], lr=_RATE)
    batches = [batch for _ in range(_EPOCHS) for batch in _draw_batches(table, dice)]
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, _RATE, total_steps=len(batches), pct_start=_WARM_UP)
    for pages in batches:
        batch = Batch.of(table, pages)
        losses = functional.binary_cross_entropy_with_logits(network(batch), batch.label, reduction="none")
        loss = (losses * batch.weight).sum() / len(losses)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(network.parameters(), _STEEPEST)
        optimizer.step()
        schedule.step()
    # half the digits change no answer, and half the file
    halves = {name: values.astype(np.float16) for name, values in network.as_arrays().items()}
    return {"center": center.astype(np.float32), "scale": (1 / deviation).astype(np.float32), **halves}


class Predictor:
    """A trained network, for pages whose words are hashed."""

    def __init__(self, arrays: Mapping[str, NDArray[Any]], vocabulary: NDArray[np.uint32]) -> None:
        matrices = {name: values.astype(np.float32) for name, values in arrays.items()}
        self._vectors, self._vocabulary = matrices.pop("vectors"), vocabulary
        self._network = BlockNetwork.of(matrices)

    def log_odds(self, sample: Sample, rows: Floats) -> Floats:
        """Return the log-odds of the weighed blocks of a page; `rows`: the features of all blocks."""
        weighed = sample.features.weighed
        if not weighed.any():
            return np.zeros(0, dtype=np.float32)
        numbers, counts = _find_words(*sample.words.select(weighed), self._vocabulary)
        sums = np.zeros((len(counts), self._vectors.shape[1]), dtype=np.float32)
        np.add.at(sums, np.repeat(np.arange(len(counts)), counts), self._vectors[numbers])
        words = (sums / np.sqrt(np.maximum(counts, 1))[:, None]).astype(np.float32)
        return self._network.log_odds(rows[weighed], words, Neighbourhood.of(sample.features.tree, weighed))


def _make_table(samples: Sequence[Sample], rows: Sequence[Floats], vocabulary: NDArray[np.uint32]) -> Table:
    kept = [
        i for i, (sample, row) in enumerate(zip(samples, rows, strict=True))
        if (is_judged(row) & sample.features.weighed & (sample.weight > 0)).any()
    ]  # fmt: skip
    chosen = [samples[i] for i in kept]
    weighed = [sample.features.weighed for sample in chosen]
    words, lengths = [], []
    for sample, these in zip(chosen, weighed, strict=True):
        numbers, counts = _find_words(*sample.words.select(these), vocabulary)
        words.append(numbers)
        lengths.append(counts)
    is_ours = np.array([sample.disturbed or sample.dataset == "own" for sample in chosen])
    factor = np.where(is_ours, _WEIGHT_OF_COPIES / _SHARE_OF_COPIES, 1.0)
    exponent = np.where(is_ours, _DAMPING, 1.0)
    weight = np.concatenate([
        factor[i] * sample.weight[these] ** exponent[i] * is_judged(rows[kept[i]][these])
        for i, (sample, these) in enumerate(zip(chosen, weighed, strict=True))
    ])  # fmt: skip
    plain = np.concatenate([sample.weight[these] for sample, these in zip(chosen, weighed, strict=True)])
    return Table(
        starts=np.cumsum([0, *(int(these.sum()) for these in weighed)]),
        rows=squash(np.concatenate([rows[i][these] for i, these in zip(kept, weighed, strict=True)])),
        label=np.concatenate([sample.share[these] > 0.5 for sample, these in zip(chosen, weighed, strict=True)]).astype(np.float32),
        weight=(weight / plain[plain > 0].mean()).astype(np.float32),
        around=[Neighbourhood.of(sample.features.tree, these) for sample, these in zip(chosen, weighed, strict=True)],
        words=np.concatenate(words),
        word_starts=np.concatenate([[0], np.cumsum(np.concatenate(lengths))]),
        is_ours=is_ours,
    )


def _find_words(
    ids: NDArray[np.uint32], counts: NDArray[np.int64], vocabulary: NDArray[np.uint32]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the numbers of the words of rows that have one, and how many of each row do."""
    place = np.minimum(np.searchsorted(vocabulary, ids), len(vocabulary) - 1)
    known = vocabulary[place] == ids
    row = np.repeat(np.arange(len(counts)), counts)[known]
    return place[known], np.bincount(row, minlength=len(counts))


def _draw_batches(table: Table, dice: np.random.Generator) -> Iterator[list[int]]:
    """Yield the pages of the batches of one epoch: all public ones, and some of the others."""
    ours = np.flatnonzero(table.is_ours)
    drawn = dice.choice(ours, int(_SHARE_OF_COPIES * len(ours)), replace=False)
    sizes = np.diff(table.starts).tolist()
    pages: list[int] = []
    rows = 0
    for page in dice.permutation(np.concatenate([np.flatnonzero(~table.is_ours), drawn])).tolist():
        if pages and rows + sizes[page] > _ROWS:
            yield pages
            pages, rows = [], 0
        pages.append(page)
        rows += sizes[page]
    if pages:
        yield pages


class Batch(NamedTuple):
    """The blocks of some pages, and their neighbourhood; `page` and `make` are numbers within the batch."""

    rows: Tensor
    label: Tensor
    weight: Tensor
    words: Tensor
    word_starts: Tensor
    word_weights: Tensor
    first: Tensor
    last: Tensor
    make: Tensor
    of_make: Tensor
    page: Tensor
    share: Tensor
    pages: int

    @classmethod
    def of(cls, table: Table, pages: Sequence[int]) -> Batch:
        """Join the blocks of some pages of a table."""
        spans = [slice(table.starts[page], table.starts[page + 1]) for page in pages]
        counts = np.array([span.stop - span.start for span in spans])
        around = [table.around[page] for page in pages]
        shift = np.repeat(np.cumsum(counts) - counts, counts)
        makes = np.array([each.make.max() + 1 for each in around])
        make = np.concatenate([each.make for each in around]) + np.repeat(np.cumsum(makes) - makes, counts)
        index = np.concatenate([np.arange(span.start, span.stop) for span in spans])
        lengths = table.word_starts[index + 1] - table.word_starts[index]
        ends = np.cumsum(lengths)
        words = table.words[np.repeat(table.word_starts[index] - ends + lengths, lengths) + np.arange(ends[-1])]
        numbers = (
            words, ends - lengths, np.repeat(1 / np.sqrt(np.maximum(lengths, 1)), lengths).astype(np.float32),
            np.concatenate([each.first for each in around], axis=1) + shift,
            np.concatenate([each.last for each in around], axis=1) + shift,
            make, np.bincount(make).astype(np.float32)[:, None], np.repeat(np.arange(len(pages)), counts),
            np.concatenate([each.share for each in around])[:, None],
        )  # fmt: skip
        tensors = map(torch.from_numpy, (table.rows[index], table.label[index], table.weight[index], *numbers))
        return cls._make((*tensors, len(pages)))


class BlockModule(nn.Module):  # type: ignore[misc]
    """The network as PyTorch trains it."""

    def __init__(self, features: int, words: int) -> None:
        super().__init__()
        self.enter = nn.Linear(features, WIDTH)
        self.vectors = nn.EmbeddingBag(words, WORD_WIDTH, mode="sum")
        self.words = nn.Linear(WORD_WIDTH, WIDTH, bias=False)
        self.mix = nn.ModuleList(nn.Linear(JOINED * WIDTH, WIDTH) for _ in range(ROUNDS))
        self.hidden = nn.Linear((ROUNDS + 1) * WIDTH, WIDTH)
        self.out = nn.Linear(WIDTH, 1)
        nn.init.normal_(self.vectors.weight, 0, 0.05)
        nn.init.zeros_(self.out.weight)
        nn.init.zeros_(self.out.bias)

    def forward(self, batch: Batch) -> Tensor:
        """Return the log-odds of the blocks of a batch."""
        rows = functional.dropout(batch.rows, _FEATURES_DROPPED, self.training)
        weights = functional.dropout(batch.word_weights, _WORDS_DROPPED, self.training)
        if self.training:
            rows = rows + _NOISE * torch.randn_like(rows)
            rows = rows * (torch.rand(batch.pages, rows.shape[1]) > _COLUMNS_DROPPED)[batch.page]
        words = self.vectors(batch.words, batch.word_starts, per_sample_weights=weights)
        state = torch.relu(self.enter(rows) + self.words(words))
        states = [state]
        for mix in self.mix:
            joined = _join(functional.dropout(state, _DROPPED, self.training), batch)
            state = torch.relu(state + mix(joined))
            states.append(state)
        hidden = torch.relu(self.hidden(functional.dropout(torch.cat(states, 1), _DROPPED, self.training)))
        found: Tensor = self.out(hidden)[:, 0]
        return found

    def as_arrays(self) -> Mapping[str, NDArray[np.float32]]:
        """Return the weights by the names that `BlockNetwork.of` reads."""
        values = {name: value.detach().numpy() for name, value in self.named_parameters()}
        return {
            "enter": values["enter.weight"].T, "bias": values["enter.bias"],
            "words": values["words.weight"].T, "vectors": values["vectors.weight"],
            "mix": np.array([values[f"mix.{number}.weight"].T for number in range(ROUNDS)]),
            "mix_bias": np.array([values[f"mix.{number}.bias"] for number in range(ROUNDS)]),
            "hidden": values["hidden.weight"].T, "hidden_bias": values["hidden.bias"],
            "out": values["out.weight"][0], "out_bias": values["out.bias"][0],
        }  # fmt: skip


def _join(state: Tensor, batch: Batch) -> Tensor:
    """Return the vector of each block beside those around it, as `network.py` of the program joins them."""
    width = state.shape[1]
    padded = functional.pad(state, (0, 0, 2, 2))
    page = functional.pad(batch.page, (2, 2), value=-1)
    parts = [state]
    for start in (1, 3, 0, 4):  # one before, one after, two before, two after
        span = slice(start, start + len(state))
        parts.append(padded[span] * (page[span] == batch.page)[:, None])
    sums = functional.pad(state.double().cumsum(0), (0, 0, 1, 0))
    for box in range(BOXES):
        first, last = batch.first[box], batch.last[box]
        parts.append(((sums[last] - sums[first]) / (last - first)[:, None]).float())
    parts.append((torch.zeros(len(batch.of_make), width).index_add_(0, batch.make, state) / batch.of_make)[batch.make])
    parts.append(torch.zeros(batch.pages, width).index_add_(0, batch.page, state * batch.share)[batch.page])
    return torch.cat(parts, 1)
