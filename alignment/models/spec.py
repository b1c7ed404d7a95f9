"""The records of the catalogue: a scoring model, how it wants to be spoken to, and a bundle."""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path

CHECKPOINTS = Path(__file__).resolve().parents[2] / "assets" / "checkpoints"
ICON_WORLD = CHECKPOINTS.parent / "icon-vocabulary.json"


@dataclass(frozen=True)
class Templates:
    """How a model wants to be spoken to; the words in braces are filled in."""

    write: str = "answer: {answer}  context: {context}"
    """Question writer: an answer and the whole text in, a question out. `{highlighted}` is the text
    with the answer between two `<hl>`."""
    read: str = "question: {question}  context: {context}"
    """Reader: a question and the whole text in, the answer out."""
    lower_case: bool = False
    """Reader: whether it was trained on lower-cased input."""
    question: str = "{question}"
    """Wraps whatever a vision model is asked."""
    free: str = "{question}"
    """Wraps a question that wants an answer in a word or two."""
    predicate: str = "is {answer} true for {question} in this image?"
    """Type C of VQ2: does the expected answer hold in the image?"""
    same: str = "are {answer} and {seen} the same answer to {question}"
    """Type B of VQ2: does the answer seen in the image say what the expected one says? The words
    are ours: the paper describes the question and prints none."""
    entailment: str = "Does this image entail the description: {text}?"
    """VNLI: does the whole text hold in the image?"""
    vqascore: str = 'Does this figure show "{text}"? Please answer yes or no.'
    """VQAScore: the same question in the words of Lin et al."""
    affirmative: str = "Yes"
    """VQAScore: the answer whose probability is the score, spelled as the model spells it."""
    contradict: str = "{examples}\nCaption: {text} | Contradicts: yes | Change:"
    """Language model: a prompt in, a caption that contradicts it out."""

    def writing(self, text: str, start: int, end: int) -> str:
        """What a question writer reads about the answer `text[start:end]`.

        >>> Templates(write="question: {highlighted}").writing("a red apple", 2, 5)
        'question: a <hl> red <hl> apple'
        """
        answer = text[start:end]
        highlighted = f"{text[:start]}<hl> {answer} <hl>{text[end:]}"
        return self.write.format(answer=answer, context=text, highlighted=highlighted)

    def reading(self, question: str, context: str) -> str:
        """What a reader reads."""
        text = self.read.format(question=question, context=context)
        return text.lower() if self.lower_case else text


@dataclass(frozen=True)
class ScoringModel:
    """One model that can be loaded; its role in a bundle says by which library."""

    name: str
    source: Path | str
    """A folder on this machine (`Path`) or a hub id or package name (`str`)."""
    licence: str
    templates: Templates = Templates()
    size_gb: float = 0.0
    """What is downloaded or shipped, in units of 10^9 bytes."""
    memory_gb: float = 0.0
    """The weights as they are loaded on an accelerator: half precision, but for open_clip."""
    image_tera: float = 0.0
    """10^12 operations of reading an image of 512 pixels once; 0 where they were not counted."""
    question_tera: float = 0.0
    """The same of one question about it, of 40 tokens with all that stands around it."""
    fine_tuned: bool = False
    """Whether it was trained to say if an image entails a text; others are asked zero-shot."""
    architecture: str = ""
    """open_clip's own name for it, where its repository has no open_clip_config.json."""
    quick_gelu: bool | None = None
    """Whether open_clip's weights were trained with QuickGELU; None where it is not open_clip's."""
    float16_is_safe: bool = True
    """False where activations leave the range of float16, as in Gemma 2, and for models that were
    made for bfloat16 alone."""
    gated: bool = False
    """True where the hub asks for consent before it sends the model."""
    longest_edge: int | None = None
    """Pixels to which images are resized before they are cut into tiles; None as published."""

    knows: Path | None = None
    """A vocabulary file with all that the model knows; None for a model without such a limit."""

    @property
    def open_clip(self) -> bool:
        """Whether open_clip loads it: in single precision, whatever the device."""
        return self.quick_gelu is not None

    @property
    def package(self) -> bool:
        """Whether it is an installed Python package, as spaCy's parsers are."""
        return isinstance(self.source, str) and "/" not in self.source

    @property
    def embedded(self) -> bool:
        """Whether it is stored with the project."""
        return isinstance(self.source, Path) and self.source.is_relative_to(CHECKPOINTS)


@dataclass(frozen=True)
class Bundle:
    """A named choice of one model for each role; the last four serve the optional methods."""

    name: str
    notes: str
    parser: ScoringModel
    """Finds the answer spans of the prompt."""
    question_writer: ScoringModel
    """Writes a question for each span."""
    reader: ScoringModel
    """Answers the question from the prompt alone, to check it."""
    answerer: ScoringModel
    """Answers the question from the image: VQ2, TIFA."""
    entailment: ScoringModel
    """Says whether the image entails the prompt: VNLI, VQAScore."""
    clip: ScoringModel
    """Embeds images and prompt in one space: CLIP and similarity."""
    matcher: ScoringModel | None = None
    """Says whether image and prompt belong together: ITM."""
    inference: ScoringModel | None = None
    """Says whether one text entails another: type A of VQ2, the choice of contradictions."""
    language: ScoringModel | None = None
    """Continues a text: enriches prompts, writes contradictions when it is shown how."""
    contradictor: ScoringModel | None = None
    """Writes contradictions because it was trained to."""

    @property
    def models(self) -> tuple[ScoringModel, ...]:
        """Every model of it, once, in the order of the roles."""
        chosen = (getattr(self, each.name) for each in fields(self))
        return tuple(dict.fromkeys(each for each in chosen if isinstance(each, ScoringModel)))

    @property
    def size_gb(self) -> float:
        """What its models take on a disk, together."""
        return sum(model.size_gb for model in self.models)

    @property
    def memory_gb(self) -> float:
        """What the weights of its models take when all are loaded."""
        return sum(model.memory_gb for model in self.models)
