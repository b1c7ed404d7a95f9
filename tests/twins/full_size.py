"""Memory and speed of a text-to-image model at its true size, with random weights.

    python -m tests.twins.full_size sd-1.5 --dtype bfloat16

The network is built from the true configuration and runs through `generation` as the real one does:
its memory and its seconds per step are the real ones, its images are noise.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

from generation import GridRequest, find_model, load_pipeline, sample
from tests.twins.facts import TEXT_TO_IMAGE, text_to_image_facts
from tests.twins.text_to_image import write_twin


def main() -> None:
    options = arguments()
    if options.measure:
        print(json.dumps(measure(options.model, options.dtype, options.steps)))
        return
    with tempfile.TemporaryDirectory() as temporary:
        cache = Path(options.keep or temporary)
        facts = text_to_image_facts(options.model)
        if not (cache / f"models--{facts.id.replace('/', '--')}").is_dir():
            write_twin(facts, cache, full_size=True)
        figures = json.loads(in_fresh_process(options, cache))
    for name, figure in figures.items():
        print(f"{name:>24}  {figure}")
    print(json.dumps(figures))


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", choices=TEXT_TO_IMAGE)
    parser.add_argument("--dtype", default="float32", choices=("float32", "bfloat16"))
    parser.add_argument("--steps", type=int, default=3, help="denoising steps, 2 or more")
    parser.add_argument("--keep", help="folder where the random weights stay for the next time")
    parser.add_argument("--measure", action="store_true", help=argparse.SUPPRESS)
    return parser.parse_args()


def in_fresh_process(options: argparse.Namespace, cache: Path) -> str:
    """What measuring says, in a process whose peak memory is that of the model alone."""
    command = [sys.executable, "-W", "ignore", "-m", "tests.twins.full_size", options.model]
    command += ["--dtype", options.dtype, "--steps", str(options.steps), "--measure"]
    environment = {**os.environ, "HF_HUB_CACHE": str(cache), "HF_HUB_OFFLINE": "1"}
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True)
    return done.stdout.splitlines()[-1]


def measure(model: str, dtype: str, steps: int) -> dict[str, Any]:
    """Load a model and generate one image with it on the CPU."""
    import torch

    spec = replace(find_model(model), cpu_dtype=dtype, steps=steps, previews=0)
    began = time.perf_counter()
    pipeline = load_pipeline(spec, "cpu")
    ready, loaded = time.perf_counter(), peak_memory()
    request = GridRequest("a red apple", 1, 1, 7, model)
    ticks, work = zip(
        *((time.perf_counter(), time.process_time()) for _ in sample(request, pipeline, spec)),
        strict=True,
    )
    return {
        "model": model,
        "dtype": dtype,
        "size": spec.size,
        "threads": torch.get_num_threads(),
        "guided": spec.guidance > 1,
        "load seconds": round(ready - began, 1),
        "seconds per step": round((ticks[steps - 1] - ticks[0]) / (steps - 1), 1),
        "CPU seconds per step": round((work[steps - 1] - work[0]) / (steps - 1), 1),
        "decoding seconds": round(ticks[-1] - ticks[steps - 1], 1),
        "decoding CPU seconds": round(work[-1] - work[steps - 1], 1),
        "GB after loading": round(loaded / 1e9, 2),
        "GB at most": round(peak_memory() / 1e9, 2),
        "GB expected": round(memory_expected(spec, dtype) / 1e9, 2),
    }


def memory_expected(spec: Any, dtype: str) -> int:
    from generation.memory import memory_needed

    return memory_needed(spec, dtype)


def peak_memory() -> int:
    """The most bytes of RAM that this process has had."""
    status = Path("/proc/self/status").read_text()
    return 1024 * next(int(line.split()[1]) for line in status.splitlines() if "VmHWM" in line)


if __name__ == "__main__":
    main()
