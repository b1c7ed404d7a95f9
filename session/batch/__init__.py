"""A file of prompts and names of text-to-image models come in; a record for each prompt and
text-to-image model goes out.

    python -m benchmarks batch --prompts FILE --models a,b --images 9 --out FOLDER

Stopped at any point, even killed, the same command goes on from there: nothing is lost, nothing is
done twice. Several processes share the work: `--shard 1/4` to `--shard 4/4` on four machines with
one folder, `torchrun --nproc-per-node 8 -m benchmarks batch ...` on eight GPUs, and `--ray 8` for
eight text-to-image models and eight judges on a Ray cluster (`pip install .[ray]`).

    FOLDER/images/ID/cell-00.png   the pictures of one prompt by one text-to-image model
    FOLDER/records-1-of-1.jsonl    what is done, one record a line, in the order of doing
    FOLDER/results.jsonl           once all is done, the same lines text-to-image model by
    text-to-image model

A record is a report as `alignment.report` writes it, with an `id` and without seconds.
"""

from __future__ import annotations

from session.batch.ledger import SharedLedgerError, settle
from session.batch.run import run
from session.batch.units import Shard, Unit, plan

__all__ = ["Shard", "SharedLedgerError", "Unit", "plan", "run", "settle"]
