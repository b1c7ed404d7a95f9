"""Settings of VQ2 and its questions."""

from __future__ import annotations

from dataclasses import fields
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import Field, ModelWrapValidatorHandler, ValidationError, model_validator
from pydantic.dataclasses import dataclass

from alignment.errors import InvalidSettingsError
from alignment.signature import Signature

KEPT_FROM = 0.54
"""Token F1 of the round trip from which a pair is kept."""

Assessment: TypeAlias = Literal["A", "B", "C"]
Aggregation: TypeAlias = Literal["mean", "geometric", "weakest"]


@dataclass(frozen=True, config={"extra": "forbid", "use_attribute_docstrings": True})
class Vq2Settings:
    """How questions are written from a prompt, and how an image's answers are assessed.

    The command line has a flag for each, whose help is what stands under it here. Truth values may
    be given as "on" and "off".

    Raises:
        InvalidSettingsError: a value is outside its range.

    Source: Yarom et al., "What You See is What You Read?", section 3; dependencies as in Cho et
    al., "Davidsonian Scene Graph".

    >>> Vq2Settings(assessment="A", questions_per_span=3).signature.by_name["decoding"]
    'beams'
    """

    assessment: Assessment = "C"
    """`C` asks whether the expected answer is true of the image; `A` whether the image's own answer
    entails it, by an NLI model; `B` whether both answers are the same, by the vision-language
    model, in words of ours."""
    spans: Literal["multi-word", "simple"] = "multi-word"
    """`multi-word` also asks about "black and white" and "in the air"."""
    filter: Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)] = KEPT_FROM
    """Token F1 of the round trip from which a question is kept; 0 keeps all."""
    questions_per_span: Annotated[int, Field(ge=1)] = 1
    """Questions written for each span, several by beam search."""
    dependencies: bool = False
    """`on` counts 0 for what depends on a pair that fails: no red dog without a dog."""
    aggregation: Aggregation = "mean"
    """The mean over questions, as published, their geometric mean, or the weakest question."""
    negation: bool = False
    """`on` expects no for what the prompt rules out."""
    existence: bool = False
    """`on` asks for every thing that the prompt names, also where the round trip keeps no question
    about it."""
    once: bool = False
    """`on` asks for each thing once, in the fewest words: for "owl", not for "an owl", too, and for
    "two" and "owls", not for "two owls"."""
    quotes: bool = False
    """`on` puts answer and question of C in quotes, as its authors' code does."""

    @model_validator(mode="wrap")
    @classmethod
    def _explained(cls, values: Any, made: ModelWrapValidatorHandler[Vq2Settings]) -> Vq2Settings:
        try:
            return made(values)
        except ValidationError as error:
            wrong = error.errors()[0]
            place, said = wrong["loc"][0], wrong["msg"].replace("Input", "it")
            name = fields(cls)[place].name if isinstance(place, int) else place
            raise InvalidSettingsError(f"{name} is {wrong['input']!r}; {said}") from error

    @classmethod
    def parse(cls, signature: Signature) -> Vq2Settings:
        """The settings of a signature; one that it does not name is as published.

        Raises:
            InvalidSettingsError: a value is none of its setting.

        >>> Vq2Settings.parse(RECOMMENDED.signature) == RECOMMENDED
        True
        """
        given: dict[str, Any] = {**signature.by_name}
        if given.get("aggregation") == "claims":  # the mean over claims, of earlier versions
            given["aggregation"] = "mean"
        given["questions_per_span"] = given.get("questions", 1)
        return cls(**{each.name: given[each.name] for each in fields(cls) if each.name in given})

    @property
    def signature(self) -> Signature:
        """Every setting; once and quotes only where they are on."""
        return Signature("VQ2").having(
            assessment=self.assessment,
            spans=self.spans,
            filter=f"{self.filter:g}",
            questions=str(self.questions_per_span),
            decoding="greedy" if self.questions_per_span == 1 else "beams",
            aggregation=self.aggregation,
            dependencies="on" if self.dependencies else "off",
            negation="on" if self.negation else "off",
            existence="on" if self.existence else "off",
            once="on" if self.once else "",
            quotes="on" if self.quotes else "",
        )


AS_PUBLISHED = Vq2Settings()
"""VQ2 as the paper describes it."""
RECOMMENDED = Vq2Settings(aggregation="geometric", negation=True, existence=True, once=True)
"""VQ2 that reads negation, asks for every thing once, and takes the geometric mean, in which
answers that hold do not outvote one that fails."""


def default_settings(bundle: str) -> Vq2Settings:
    """The settings that a bundle is scored with: as published for "paper", else `RECOMMENDED`.

    >>> default_settings("paper+clip=clip-rn50x64").aggregation
    'mean'
    >>> default_settings("embedded").aggregation
    'geometric'
    """
    return AS_PUBLISHED if bundle.partition("+")[0] == "paper" else RECOMMENDED
