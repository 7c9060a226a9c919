"""Train the extractor's models from labelled pages, and cross-validate the whole decision by host.

    python -m training --data ../shared/bench/data            train and write the models and their card
    python -m training --data ../shared/bench/data --keep-forests   the same, but for forests of blocks and weights of words
    python -m training --data ../shared/bench/data --validate cross-validate, and write the model card
    python -m training --data ../shared/bench/data --ablate   measure what each group of features is worth
    python -m training --data ../shared/bench/data --only dates [--validate]     the same of the model of dates alone
    python -m training --data ../shared/bench/data --only news [--validate]      the same of the detector of news in a mixed set
    python -m training --data ../shared/bench/data --only links     measure the weight of a link beside its page

The data sets are those of `training.pages`, packed or as clones of their repositories.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from training.ablation import ablate, write_ablation
from training.card import make_card, write_card
from training.date_validation import train_dates
from training.fields import train_fields, validate_fields
from training.links import measure_links
from training.models import Models, train
from training.news import train_news, validate_news
from training.pages import SETS
from training.samples import collect
from training.validation import cross_validate

TARGET = Path(__file__).parents[1] / "newscrawler/extraction/body/models"
NEWS_MODEL = Path(__file__).parents[1] / "newscrawler/research/detection_model.json"


def main() -> int:
    """Read the arguments, and train."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder of the data sets")
    parser.add_argument("--seeds", type=int, default=1, help="how many times to cross-validate, with other folds each time")
    parser.add_argument("--validate", action="store_true", help="cross-validate and write the model card; write no models")
    parser.add_argument("--ablate", action="store_true", help="train without each group of features in turn; write no models")
    parser.add_argument("--only", choices=("dates", "fields", "links", "news"), help="train or cross-validate these models alone")
    parser.add_argument(
        "--keep-forests", action="store_true", help="train the network and the models of pages; keep forests and words"
    )
    parser.add_argument("--out", type=Path, default=TARGET, help="folder to write the models to")
    args = parser.parse_args()
    if args.only == "dates":
        train_dates(args.data, args.out, validate=args.validate)
        return 0
    if args.only == "fields":
        print(json.dumps(validate_fields(args.data, args.seeds))) if args.validate else train_fields(args.data, args.out)
        return 0
    if args.only == "news":
        print(json.dumps(validate_news(args.data))) if args.validate else train_news(args.data, NEWS_MODEL)
        return 0
    if args.only == "links":
        print(json.dumps(measure_links(args.data)))
        return 0
    samples, known = collect(args.data, (*SETS, "own", "software"))
    print(f"{len(samples)} samples, {sum(len(sample.size) for sample in samples)} blocks", file=sys.stderr)
    if args.ablate:
        figures = ablate(samples, args.seeds)
        print(json.dumps(figures))
        write_ablation(figures)
        return 0
    if args.validate:
        card = make_card(samples, [cross_validate(args.data, samples, known, seed=seed) for seed in range(args.seeds)])
        for dataset, figures in card["figures"].items():
            print(dataset, json.dumps({name: figure["value"] for name, figure in figures.items()}))
        print("confidence rank", card["confidence rank"])
        write_card(card)
        return 0
    models = train(samples, known)
    if args.keep_forests:
        models = models.keep_forests(Models.read(TARGET))
    args.out.mkdir(parents=True, exist_ok=True)
    models.write(args.out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
