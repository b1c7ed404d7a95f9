"""From a `ScoringModel` to a ready model: the only place that loads one.

Each model is loaded at its first use and once per process, and makes room for others where memory
is short. A folder is read as it is; a hub model is fetched from the hub, or read from this
machine's copy of it while the hub is out of reach.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial, wraps
from pathlib import Path
from typing import Any, TypeVar

import hub
from alignment.errors import MissingCheckpointError, UnsuitableModelError
from alignment.models.adapters import adapter_of
from alignment.models.catalogue import BUNDLES
from alignment.models.clip import OpenClip, open_clip_model
from alignment.models.files import scoring_files
from alignment.models.itm import BlipMatcher
from alignment.models.nli import PairClassifier
from alignment.models.revisions import SINGLE, dtype
from alignment.models.spec import Bundle, ScoringModel
from alignment.models.text import SequenceToSequence
from alignment.models.vlm import VisionLanguageModel

Loaded = TypeVar("Loaded")

WORKING_MEMORY = 500_000_000
"""Bytes beside the weights of a hub model: one item, and what the libraries keep."""


def cached_loader(
    loader: Callable[..., Loaded], files: Callable[[ScoringModel], Path] | None = None
) -> Callable[[ScoringModel], Loaded]:
    """The same loader, run once for each spec, whichever threads ask.

    Args:
        loader: from a spec, and its folder where `files` gives one, to a model.
        files: finds or fetches the folder of a spec, see `model_folder`.

    Raises:
        HubError: the hub does not give the model, or it does not fit; see `hub.errors`.
    """

    @wraps(loader)
    def load(spec: ScoringModel, *folder: Path) -> Loaded:
        _require_memory(spec)
        try:
            return loader(spec, *folder)
        except (OSError, ValueError, KeyError) as error:
            if isinstance(spec.source, Path):
                raise
            raise hub.broken_copy(spec.source, error) from error

    if files is None:
        return hub.cached_loader(load, memory_needed)

    def fitting(spec: ScoringModel) -> Path:
        _require_memory(spec)  # before anything is downloaded
        return files(spec)

    return hub.cached_loader(load, memory_needed, fitting)


def _require_memory(spec: ScoringModel) -> None:
    if need := memory_needed(spec):
        hub.require_memory(spec.name, need, hub.best_device())


def memory_needed(spec: ScoringModel) -> int:
    """Bytes that a model takes on this machine's device; 0 for one that always stays."""
    if spec.embedded or spec.package:
        return 0
    return _weights(spec) + WORKING_MEMORY


def bundle_memory(bundle: Bundle, device: str = "", bfloat16: bool | None = None) -> int:
    """Bytes that all models of a bundle take together, on a device as `dtype` takes it."""
    weights = sum(_weights(each, device, bfloat16) for each in bundle.models)
    return weights + (WORKING_MEMORY if any(not each.embedded for each in bundle.models) else 0)


def _weights(spec: ScoringModel, device: str = "", bfloat16: bool | None = None) -> int:
    """Bytes of the weights, in the precision that they are loaded in."""
    halved = not (spec.open_clip or spec.package)
    single = halved and dtype(spec, device, bfloat16) == SINGLE
    return int(spec.memory_gb * (2.0 if single else 1.0) * 1e9)


def model_folder(spec: ScoringModel) -> Path:
    """Where the files of a model are, fetched from the hub where they are not here yet.

    Raises:
        MissingCheckpointError: its folder is not there.
        HubError: the hub does not give it; see `hub.errors`.
    """
    if isinstance(spec.source, Path):
        return _existing_folder(spec)
    return hub.fetch(spec.source, partial(scoring_files, spec))


def _existing_folder(spec: ScoringModel) -> Path:
    folder = Path(spec.source)
    if not folder.is_dir():
        raise MissingCheckpointError(
            f"the model {spec.name!r} is not in {folder}; make it with its recipe in recipes/, "
            "or fetch the whole repository"
        )
    return folder


@cached_loader
def load_parser(spec: ScoringModel) -> Any:
    """A spaCy pipeline, from a folder or an installed package."""
    folder = _existing_folder(spec) if isinstance(spec.source, Path) else spec.source
    try:
        return hub.load_parser(folder)
    except OSError as error:
        raise MissingCheckpointError(
            f"the parser {spec.name!r} is not installed; "
            "run `pip install '.[english-parser]'`, or choose a bundle with the parser that is "
            "stored with the project"
        ) from error


@partial(cached_loader, files=model_folder)
def load_text(spec: ScoringModel, folder: Path) -> SequenceToSequence:
    """A T5 that writes or reads questions."""
    from transformers import AutoModelForSeq2SeqLM, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(folder)
    network = _network(AutoModelForSeq2SeqLM, folder, spec)
    return SequenceToSequence(network, tokenizer, spec.templates)


@partial(cached_loader, files=model_folder)
def load_vision(spec: ScoringModel, folder: Path) -> VisionLanguageModel:
    """A model that answers questions about images."""
    from transformers import AutoModelForImageTextToText, AutoProcessor

    network = _network(AutoModelForImageTextToText, folder, spec)
    processor = AutoProcessor.from_pretrained(folder)
    if spec.longest_edge is not None:
        processor.image_processor.size = {"longest_edge": spec.longest_edge}
    return VisionLanguageModel(adapter_of(network, processor), spec.templates)


@partial(cached_loader, files=model_folder)
def load_clip(spec: ScoringModel, folder: Path) -> OpenClip:
    """A model with one embedding space for images and texts."""
    return open_clip_model(spec, folder, hub.best_device())


@partial(cached_loader, files=model_folder)
def load_matcher(spec: ScoringModel, folder: Path) -> BlipMatcher:
    """A model that says whether image and text belong together."""
    import transformers

    processor = transformers.AutoProcessor.from_pretrained(folder)
    two = transformers.AutoConfig.from_pretrained(folder).model_type == "blip-2"
    kind = getattr(transformers, f"Blip{2 if two else ''}ForImageTextRetrieval")
    return BlipMatcher(_network(kind, folder, spec), processor)


@partial(cached_loader, files=model_folder)
def load_inference(spec: ScoringModel, folder: Path) -> PairClassifier:
    """A model that says whether one text entails another."""
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(folder)
    return PairClassifier(_network(AutoModelForSequenceClassification, folder, spec), tokenizer)


@dataclass(frozen=True)
class Models:
    """The models of a bundle by role, each loaded when it is first asked for.

    Raises:
        UnsuitableModelError: the bundle has no model for a role of the optional methods.
        MissingCheckpointError: a local folder, or an installed package, is not there.
        HubError: the hub does not give a model, or it does not fit into memory; see `hub.errors`.
            That the hub is out of reach is said within three seconds.
    """

    bundle: Bundle

    @property
    def parser(self) -> Any:
        """A spaCy pipeline that finds answer spans."""
        return load_parser(self.bundle.parser)

    @property
    def question_writer(self) -> SequenceToSequence:
        """From an answer and a text to a question."""
        return load_text(self.bundle.question_writer)

    @property
    def reader(self) -> SequenceToSequence:
        """From a question and a text to an answer."""
        return load_text(self.bundle.reader)

    @property
    def answerer(self) -> VisionLanguageModel:
        """Answers questions about images."""
        return load_vision(self.bundle.answerer)

    @property
    def entailment(self) -> VisionLanguageModel:
        """Says whether an image entails a text."""
        return load_vision(self.bundle.entailment)

    @property
    def clip(self) -> OpenClip:
        """Embeds images and texts."""
        return load_clip(self.bundle.clip)

    @property
    def matcher(self) -> BlipMatcher:
        """Says whether image and text belong together."""
        return load_matcher(self._required("matcher"))

    @property
    def inference(self) -> PairClassifier:
        """Says whether one text entails another."""
        return load_inference(self._required("inference"))

    @property
    def language(self) -> SequenceToSequence:
        """Continues a text."""
        return load_text(self._required("language"))

    @property
    def contradictor(self) -> SequenceToSequence:
        """From a text to one that contradicts it."""
        return load_text(self._required("contradictor"))

    def _required(self, role: str) -> ScoringModel:
        spec: ScoringModel | None = getattr(self.bundle, role)
        if spec is None:
            having = {name: each.name for name, b in BUNDLES.items() if (each := getattr(b, role))}
            raise UnsuitableModelError(
                f"the bundle {self.bundle.name!r} has no model for the role {role!r}; "
                f"choose the bundle {' or '.join(map(repr, having))}, or give it one: "
                f"--bundle {self.bundle.name}+{role}=MODEL; "
                f"models: {', '.join(dict.fromkeys(having.values()))}"
            )
        return spec


def _network(kind: Any, folder: Path, spec: ScoringModel) -> Any:
    """The network of a folder on its device, without a copy in the CPU's memory where it can be."""
    device = hub.best_device()
    placed = {"dtype": dtype(spec), "device_map": hub.straight_to(device)}
    return kind.from_pretrained(folder, **placed).to(device).eval()
