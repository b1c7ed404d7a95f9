"""Open-vocabulary captions: of anything at all, with the claims they make.

People ask for astronauts and hedgehogs too. These captions have the grammar of the sticker world
and words from everywhere, invented ones among them, so that a model learns to copy what it reads.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from recipes.parser import caption_words as words
from recipes.world.captions import Description, SceneCaption, Span, write_caption
from recipes.world.scenes import Group
from recipes.world.splits import is_held_out
from recipes.world.things import RELATIONS, Thing, World
from recipes.world.worlds import ICON_WORLD, WORLD

KINDS: dict[str, tuple[str, ...]] = {
    "animal": tuple(
        """ant bat bear bee bird bunny butterfly camel cat chicken cow crab crocodile crow deer dog
        dolphin donkey dove dragonfly duck eagle elephant fish flamingo fox frog giraffe goat goose
        hamster hedgehog hen hippo horse insect jellyfish kangaroo kitten koala ladybug leopard lion
        llama lobster monkey moose mouse newt octopus otter owl ox panda parrot peacock penguin pig
        pigeon puppy quail rabbit raccoon rat rhino seahorse seal shark sheep sloth snail snake
        spider squirrel starfish swan tiger turkey turtle whale wolf yak zebra""".split()
    ),
    "fruit": tuple(
        """apple avocado banana cherry coconut grape lemon lime melon orange peach pear pineapple
        strawberry watermelon""".split()
    ),
    "food": tuple(
        """bread broccoli cake candy carrot cheese cookie corn cupcake donut dumpling egg hamburger
        lollipop mushroom onion pancake pepper pickle pie pizza popcorn potato pretzel ravioli
        salad sandwich sushi tomato waffle""".split()
    ),
    "vehicle": tuple(
        """airplane bicycle bike boat bulldozer bus canoe car gondola helicopter motorcycle plane
        rocket sailboat ship spaceship taxi tractor train truck van yacht""".split()
    ),
    "flower": ("flower", "orchid", "rose", "sunflower", "tulip"),
    "shape": ("circle", "diamond", "heart", "square", "star", "triangle"),
    "person": tuple(
        """
        artist astronaut baby boy child clown cowboy doctor farmer firefighter girl king knight
        man nurse person pirate princess queen samurai scientist soldier student teacher woman
        """.split()
    ),
}
"""What a question calls things that it must not name; the others are "object"."""

CATEGORIES = {name: kind for kind, names in KINDS.items() for name in names}
STATES = tuple(thing.states for thing in WORLD.things if thing.states)
TRAITS = tuple(
    sorted({*words.QUALITIES, *words.PARTICIPLES} - {state for pair in STATES for state in pair})
)
RELATIVES = tuple(
    "brother cousin dad daughter father friend grandma grandmother mom mother neighbor sister "
    "son".split()
)
NEXT_TO = ("beside", "next to", "against", "in front of")
ELSEWHERE = (*NEXT_TO, "on", "on top of", "in", "inside", "behind", "near", "beneath", "by")
SHADES = ("light", "dark", "bright", "pale")
STICKERS = tuple(thing.name for thing in WORLD.things)
NAMED = {name for thing in ICON_WORLD.things for name in (thing.name, *thing.synonyms)}
PLACES = tuple(place for place in words.SCENES if place not in NAMED)
"""Where it may take place; a table is a thing of the icon world, which may be there."""
LANDMARKS = tuple(
    "beach city desert field forest garden lake mountain ocean park pond pool river sea street "
    "swamp water yard".split()
)
"""Places that are things, too, where another is above or beside them: "the sun above the sea"."""
NOUNS = tuple(sorted({*words.THINGS, *CATEGORIES} - {*STICKERS, *PLACES, "picture", "statue"}))
UNKNOWN_NOUNS = tuple(
    name for name in NOUNS if name not in NAMED and is_held_out(("noun", name, ""))
)
"""Never said in training, so that a test sees whether they are copied; "object" in questions."""
KNOWN_NOUNS = tuple(name for name in NOUNS if name not in UNKNOWN_NOUNS)


def free_caption(
    rng: np.random.Generator, nouns: tuple[str, ...] = KNOWN_NOUNS, stickers: float = 0.3
) -> tuple[SceneCaption, World]:
    """A caption, and a world that holds the things it speaks of.

    Args:
        nouns: what it may speak of; some are joined in pairs or invented where these are
            `KNOWN_NOUNS`.
        stickers: chance of each thing to be one of the sticker world.
    """
    things: dict[str, Thing] = {}
    for _ in range(int(rng.choice((1, 2, 3), p=(0.35, 0.5, 0.15)))):
        thing = _thing(rng, nouns, stickers)
        things[thing.name] = thing
    if nouns is KNOWN_NOUNS and len(things) == 2 and rng.random() < 0.25:
        things.popitem()
        place = str(rng.choice(LANDMARKS))
        things[place] = Thing(place, drawings={})
    world = World(things=tuple(things.values()))
    caption = write_caption(rng, _claim(rng, world), world)
    for reword in (
        _invert,
        _elsewhere,
        _define,
        _recount,
        _bare,
        _own,
        _act,
        _relocate,
        _rest,
        _wrap,
    ):
        caption = reword(rng, caption)
    return caption, world


def _thing(rng: np.random.Generator, nouns: tuple[str, ...], stickers: float) -> Thing:
    if rng.random() < stickers:
        thing = WORLD.thing(str(rng.choice(STICKERS)))
    else:
        name = _noun(rng, nouns)
        category = "object" if name in UNKNOWN_NOUNS else CATEGORIES.get(name, "object")
        thing = Thing(name, category)
    if rng.random() < 0.2:
        states = STATES[rng.integers(len(STATES))]
        return replace(thing, drawings=dict.fromkeys(thing.states or states, ()))
    return replace(thing, drawings={})


def _noun(rng: np.random.Generator, nouns: tuple[str, ...]) -> str:
    chance = rng.random() if nouns is KNOWN_NOUNS else 1.0
    if chance < 0.25:
        return invented_word(rng)
    if chance < 0.31:
        return " ".join(map(str, rng.choice(nouns, 2, replace=False)))
    return str(rng.choice(nouns))


def invented_word(rng: np.random.Generator) -> str:
    """Two or three syllables that mean nothing."""
    syllables = [
        str(rng.choice(("", *"bcdfghjklmnprstvwyz", "ch", "sh", "tr", "st", "pl", "gr", "qu")))
        + str(rng.choice(("a", "e", "i", "o", "u", "ee", "oo", "ai", "ou", "y")))
        + str(rng.choice(("", "", *"bdgklmnprstxz", "ck", "ng", "ll", "ss", "rd")))
        for _ in range(int(rng.integers(2, 4)))
    ]
    return "".join(syllables)


def _claim(rng: np.random.Generator, world: World) -> Description:
    groups = tuple(_group(rng, thing) for thing in world.things)
    related = len(groups) == 2 and rng.random() < (0.7 if _of_a_place(groups) else 0.35)
    relation = str(rng.choice(list(RELATIONS))) if related else ""
    place = str(rng.choice(("grass", "beach", "night"))) if rng.random() < 0.45 else ""
    return Description(groups, relation, place)


def _of_a_place(groups: tuple[Group, ...]) -> bool:
    return len(groups) == 2 and groups[1].name in LANDMARKS


def _group(rng: np.random.Generator, thing: Thing) -> Group:
    state = str(rng.choice(thing.states or TRAITS)) if rng.random() < 0.45 else ""
    count = int(rng.choice((1, 2, 3, 4), p=(0.7, 0.1, 0.1, 0.1)))
    return Group(thing.name, _colour(rng) if rng.random() < 0.5 else "", state, count)


def _colour(rng: np.random.Generator) -> str:
    colour, other = map(str, rng.choice(words.COLOURS, 2, replace=False))
    chance = rng.random()
    if chance < 0.08:
        return f"{colour} and {other}"
    return f"{rng.choice(SHADES)} {colour}" if chance < 0.16 else colour


def splice(caption: SceneCaption, start: int, end: int, said: str) -> SceneCaption:
    """A caption with other words in place of `text[start:end]`; its spans move along.

    >>> caption = SceneCaption("a cat", Description(()), (Span("object", 0, 2, 5),))
    >>> splice(caption, 0, 1, "one fat")
    SceneCaption(text='one fat cat', claim=Description(groups=(), relation='', background=''),
            spans=(Span(kind='object', group=0, start=8, end=11),))
    """
    shift = len(said) - (end - start)
    spans = tuple(
        replace(
            span,
            start=span.start + shift * (span.start >= end),
            end=span.end + shift * (span.end >= end and span.end > start),
        )
        for span in caption.spans
    )
    return replace(caption, text=caption.text[:start] + said + caption.text[end:], spans=spans)


def _invert(rng: np.random.Generator, caption: SceneCaption) -> SceneCaption:
    return invert(caption) if rng.random() < 0.3 else caption


def invert(caption: SceneCaption) -> SceneCaption:
    """A place before what is there: "below a duck is a car" for "a car below a duck"."""
    relation = caption.first("relation")
    if not relation or caption.of("phrase")[0].start:
        return caption
    verb = " is " if caption.claim.groups[0].count == 1 else " are "
    thing, place = caption.text[: relation.start - 1], caption.quote(relation)

    def moved(span: Span) -> Span:
        shift = -relation.start if span.start < relation.end else len(verb) - 1
        shift = len(place + verb) if span.start < relation.start else shift
        return replace(span, start=span.start + shift, end=span.end + shift)

    text = f"{place}{verb}{thing[0].lower()}{thing[1:]}{caption.text[relation.end :]}"
    spans = sorted(map(moved, caption.spans), key=lambda span: span.start)
    return replace(caption, text=text, spans=tuple(spans))


def _elsewhere(rng: np.random.Generator, caption: SceneCaption) -> SceneCaption:
    """Sometimes a place of which nothing else is known here: "a car behind a duck"."""
    relation = caption.first("relation")
    if not relation or rng.random() < 0.5:
        return caption
    known = RELATIONS[caption.claim.relation]
    said = max(filter(caption.quote(relation).lower().startswith, known), key=len)
    start = relation.start
    options = NEXT_TO if _of_a_place(caption.claim.groups) else ELSEWHERE
    return splice(caption, start, start + len(said), str(rng.choice(options)))


def _define(rng: np.random.Generator, caption: SceneCaption) -> SceneCaption:
    """Mostly "the mountains" for "two tall mountains"."""
    if not _of_a_place(caption.claim.groups) or rng.random() < 0.3:
        return caption
    phrase, noun = caption.span("phrase", 1), caption.span("object", 1)
    left = tuple(span for span in caption.spans if span.group != 1 or span in (phrase, noun))
    return splice(replace(caption, spans=left), phrase.start, noun.start, "the ")


def _recount(rng: np.random.Generator, caption: SceneCaption) -> SceneCaption:
    many = [span for span in caption.of("count") if caption.quote(span).lower() != "one"]
    for span in reversed(many):
        if rng.random() < 0.5:
            caption = splice(caption, span.start, span.end, str(rng.choice(words.NUMBERS)))
    return caption


def _bare(rng: np.random.Generator, caption: SceneCaption) -> SceneCaption:
    return without_articles(caption) if rng.random() < 0.15 else caption


def without_articles(caption: SceneCaption) -> SceneCaption:
    """A caption whose phrases have lost their "a" and "an"."""
    for span in reversed(caption.of("phrase")):
        article = caption.quote(span).partition(" ")[0]
        if article.lower() in ("a", "an"):
            caption = splice(caption, span.start, span.start + len(article) + 1, "")
    return caption


def _own(rng: np.random.Generator, caption: SceneCaption) -> SceneCaption:
    """Some phrases with "the" or a possessive for their article: "my sister's cat"."""
    for span in reversed(caption.of("phrase")):
        article = caption.quote(span).partition(" ")[0]
        if article.lower() in ("a", "an") and rng.random() < 0.12:
            owner = str(rng.choice(("the", "the", "my", "your", "her", "their", _owner(rng))))
            caption = splice(caption, span.start, span.start + len(article), owner)
    return caption


def _owner(rng: np.random.Generator) -> str:
    """E.g. "my sister's"."""
    who = str(rng.choice((*KINDS["person"], *RELATIVES)))
    return f"{rng.choice(('my', 'the', 'a'))} {who}'s"


def _act(rng: np.random.Generator, caption: SceneCaption) -> SceneCaption:
    phrases = caption.of("phrase")
    if len(phrases) == 2 and rng.random() < 0.4:
        start, end = phrases[0].end, phrases[1].start
        if caption.text[start:end] in (" and ", " with "):
            return splice(caption, start, end, f" {rng.choice(list(words.HOLDING))} ")
    return caption


def _relocate(rng: np.random.Generator, caption: SceneCaption) -> SceneCaption:
    place = caption.first("background")
    if place is None or rng.random() < 0.15:
        return caption
    if caption.claim.background == "night":
        return splice(caption, place.start, place.end, f"at {rng.choice(words.TIMES[:6])}")
    preposition = rng.choice(("in", "in", "on", "at", "near", "inside", "behind"))
    article = rng.choice(("the ", "the ", "a ", ""))
    colour = f"{rng.choice(TRAITS)} " if article and rng.random() < 0.2 else ""
    scene = rng.choice(PLACES)
    return splice(caption, place.start, place.end, f"{preposition} {article}{colour}{scene}")


def _rest(rng: np.random.Generator, caption: SceneCaption) -> SceneCaption:
    place = caption.first("background") or caption.first("relation")
    if place is None or place.start == 0 or rng.random() < 0.7:
        return caption
    return splice(caption, place.start, place.start, f"{rng.choice(list(words.RESTING))} ")


def _wrap(rng: np.random.Generator, caption: SceneCaption) -> SceneCaption:
    places = (*caption.of("background"), *caption.of("relation"))
    if rng.random() < 0.25 and all(place.start for place in places):
        start = f"{rng.choice(('a', 'a', 'the', 'a cute'))} {rng.choice(words.MEDIA)} of "
        caption = splice(caption, 0, 0, start)
    if rng.random() < 0.25:
        caption = splice(caption, len(caption.text), len(caption.text), _ending(rng))
    return caption


def _ending(rng: np.random.Generator) -> str:
    style = f" in the style of {rng.choice(words.ARTISTS)}"
    return str(rng.choice((f", {rng.choice(words.FLAVOURS)}", style, ", sticker", ", 4k", "!")))
