"""A stand-in for Hugging Face's `spaces`: what a decorated job is given and yields is pickled.

The real package runs a job in a forked process that has the GPU. Here it stays in this one, and a
line of JSON in the file `ZERO_GPU_LOG` names each job with the seconds that it asked for.
"""

import json
import os
import pickle
from functools import wraps
from inspect import isgeneratorfunction
from pathlib import Path


def GPU(*, duration):
    """As `spaces.GPU`, whose `duration` is called with the arguments of the job."""

    def decorate(job):
        assert isgeneratorfunction(job)

        @wraps(job)
        def elsewhere(*args, **options):
            called = {"job": job.__name__, "seconds": duration(*args, **options)}
            with Path(os.environ["ZERO_GPU_LOG"]).open("a") as log:
                log.write(json.dumps(called) + "\n")
            args, options = pickle.loads(pickle.dumps((args, options)))
            for item in job(*args, **options):
                yield pickle.loads(pickle.dumps(item))

        return elsewhere

    return decorate


def gradio_auto_wrap(handler):
    """Gradio calls it with every handler of a page on a Space."""
    return handler
