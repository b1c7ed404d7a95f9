"""From a `ModelSpec` to a ready model: the only place that loads one.

Each model is loaded at its first use and once per process. A folder is read as it is; a hub model
comes from the hub, or from this machine's store of it while the hub is out of reach.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar

import hub
from alignment.errors import (
    HubRefusedError,
    HubUnreachableError,
    MissingCheckpointError,
    UnsuitableModelError,
)
from alignment.models.adapters import adapter_of
from alignment.models.catalogue import BUNDLES, Bundle, ModelSpec
from alignment.models.clip import OpenClip, check_activation, pad_after_text
from alignment.models.itm import BlipMatcher
from alignment.models.nli import PairClassifier
from alignment.models.precision import half_precision, model_types, native_bf16
from alignment.models.text import SequenceToSequence
from alignment.models.vlm import VisionLanguageModel

Loaded = TypeVar("Loaded")


def cached_loader(loader: Callable[[ModelSpec], Loaded]) -> Callable[[ModelSpec], Loaded]:
    """The same loader, run once for each spec, whichever threads ask.

    Raises:
        HubRefusedError: the hub answers and a model of it could not be read.
        HubUnreachableError: it does not, and what is stored here could not be read.
    """
    loaded = hub.cached_loader(loader)

    @wraps(loader)
    def load(spec: ModelSpec) -> Loaded:
        try:
            return loaded(spec)
        except OSError as error:
            if isinstance(spec.source, Path):
                raise
            raise (_refused if hub.hub_in_use() else _unreachable)(spec) from error

    return load


@cached_loader
def load_parser(spec: ModelSpec) -> Any:
    """A spaCy pipeline, from a folder or an installed package."""
    folder = _existing_folder(spec) if isinstance(spec.source, Path) else spec.source
    import spacy

    try:
        return spacy.load(folder)
    except OSError as error:
        raise MissingCheckpointError(
            f"the parser {spec.name!r} is not installed; "
            "run `pip install '.[english-parser]'`, or choose a bundle with the parser that is "
            "stored with the project"
        ) from error


@cached_loader
def load_text(spec: ModelSpec) -> SequenceToSequence:
    """A T5 that writes or reads questions."""
    where = pretrained_arguments(spec)
    from transformers import AutoModelForSeq2SeqLM, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(**where)
    network = AutoModelForSeq2SeqLM.from_pretrained(**where, **_placed(spec, where))
    return SequenceToSequence(network.eval(), tokenizer, spec.templates)


@cached_loader
def load_vision(spec: ModelSpec) -> VisionLanguageModel:
    """A model that answers questions about pictures."""
    where = pretrained_arguments(spec)
    from transformers import (
        AutoConfig,
        AutoModelForImageTextToText,
        AutoModelForVisualQuestionAnswering,
        AutoProcessor,
    )

    answers = AutoConfig.from_pretrained(**where).model_type == "blip"
    loader = AutoModelForVisualQuestionAnswering if answers else AutoModelForImageTextToText
    network = loader.from_pretrained(**where, **_placed(spec, where)).eval()
    processor = AutoProcessor.from_pretrained(**where)
    if spec.longest_edge is not None:
        processor.image_processor.size = {"longest_edge": spec.longest_edge}
    return VisionLanguageModel(adapter_of(network, processor), spec.templates)


@cached_loader
def load_clip(spec: ModelSpec) -> OpenClip:
    """A model with one embedding space for pictures and texts."""
    where = _clip_arguments(spec)
    import open_clip

    network, preprocess = open_clip.create_model_from_pretrained(**where, device=_device())
    tokenizer = open_clip.get_tokenizer(where["model_name"])
    check_activation(network, spec.quick_gelu, spec.name)
    pad_after_text(network, tokenizer, spec.name)
    return OpenClip(network.eval(), preprocess, tokenizer)


@cached_loader
def load_matcher(spec: ModelSpec) -> BlipMatcher:
    """A model that says whether picture and text belong together."""
    where = pretrained_arguments(spec)
    import transformers

    processor = transformers.AutoProcessor.from_pretrained(**where)
    two = transformers.AutoConfig.from_pretrained(**where).model_type == "blip-2"
    kind = (
        transformers.Blip2ForImageTextRetrieval if two else transformers.BlipForImageTextRetrieval
    )
    network = kind.from_pretrained(**where, **_placed(spec, where))
    return BlipMatcher(network.eval(), processor)


@cached_loader
def load_inference(spec: ModelSpec) -> PairClassifier:
    """A model that says whether one text entails another."""
    where = pretrained_arguments(spec)
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(**where)
    network = AutoModelForSequenceClassification.from_pretrained(**where, **_placed(spec, where))
    return PairClassifier(network.eval(), tokenizer)


@dataclass(frozen=True)
class Models:
    """The models of a bundle by role, each loaded when it is first asked for.

    Raises:
        UnsuitableModelError: the bundle has no model for a role of the optional methods.
        MissingCheckpointError: a local folder, or an installed package, is not there.
        HubUnreachableError: a hub model is neither stored here nor within reach; raised within
            three seconds.
        HubRefusedError: the hub answers but does not give a model.
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
        """Answers questions about pictures."""
        return load_vision(self.bundle.answerer)

    @property
    def entailment(self) -> VisionLanguageModel:
        """Says whether a picture entails a text."""
        return load_vision(self.bundle.entailment)

    @property
    def clip(self) -> OpenClip:
        """Embeds pictures and texts."""
        return load_clip(self.bundle.clip)

    @property
    def matcher(self) -> BlipMatcher:
        """Says whether picture and text belong together."""
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

    def _required(self, role: str) -> ModelSpec:
        spec: ModelSpec | None = getattr(self.bundle, role)
        if spec is None:
            having = [name for name, bundle in BUNDLES.items() if getattr(bundle, role)]
            raise UnsuitableModelError(
                f"the bundle {self.bundle.name!r} has no model for the role {role!r}; "
                f"choose the bundle {' or '.join(map(repr, having))}, or give it one: "
                f"dataclasses.replace(bundle, {role}=find_model(...))"
            )
        return spec


def pretrained_arguments(spec: ModelSpec) -> dict[str, Any]:
    """What `from_pretrained` needs to know: a folder, or the hub where it is within reach."""
    if isinstance(spec.source, str) and hub.hub_in_use():
        return {"pretrained_model_name_or_path": spec.source}
    return {"pretrained_model_name_or_path": _folder(spec), "local_files_only": True}


def _clip_arguments(spec: ModelSpec) -> dict[str, str]:
    """What open_clip needs to know: a repository, or its own name for one that names nothing."""
    online = isinstance(spec.source, str) and hub.hub_in_use()
    if spec.architecture:
        return {"model_name": spec.architecture, "pretrained": _clip_weights(spec, online)}
    if online:
        return {"model_name": f"hf-hub:{spec.source}"}
    return {"model_name": f"local-dir:{_folder(spec)}"}


def _clip_weights(spec: ModelSpec, online: bool) -> str:
    from huggingface_hub import hf_hub_download

    file = "open_clip_pytorch_model.bin"
    return hf_hub_download(str(spec.source), file) if online else str(_folder(spec) / file)


def _folder(spec: ModelSpec) -> Path:
    return _existing_folder(spec) if isinstance(spec.source, Path) else _stored_folder(spec)


def _existing_folder(spec: ModelSpec) -> Path:
    folder = Path(spec.source)
    if not folder.is_dir():
        raise MissingCheckpointError(
            f"the model {spec.name!r} is not in {folder}; make it with its recipe in recipes/, "
            "or fetch the whole repository"
        )
    return folder


def _stored_folder(spec: ModelSpec) -> Path:
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import LocalEntryNotFoundError

    try:
        return Path(snapshot_download(str(spec.source), local_files_only=True))
    except LocalEntryNotFoundError as error:
        raise _unreachable(spec) from error


def _unreachable(spec: ModelSpec) -> HubUnreachableError:
    return HubUnreachableError(
        f"the hub does not answer and {spec.source!r} is not stored whole on this machine; "
        "connect to the internet or choose the bundle 'embedded', which needs no network"
    )


def _refused(spec: ModelSpec) -> HubRefusedError:
    return HubRefusedError(
        f"the Hugging Face hub does not give {spec.name}; accept its licence on "
        f"https://huggingface.co/{spec.source} and sign in with `hf auth login`, "
        "or choose the bundle 'embedded'"
    )


def _device() -> str:
    import torch

    return "cuda" if torch.cuda.is_available() else "cpu"


def _placed(spec: ModelSpec, where: dict[str, Any]) -> dict[str, Any]:
    """Straight to the accelerator, in half precision; embedded models are small and exact."""
    device = _device()
    if device == "cpu":
        return {"dtype": "float32"}
    if spec.embedded:
        return {"dtype": "float32", "device_map": device}
    from transformers import AutoConfig

    kinds = model_types(AutoConfig.from_pretrained(**where))
    return {"dtype": half_precision(kinds, native_bf16()), "device_map": device}
