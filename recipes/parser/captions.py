"""Captions as people type them into image models, as annotated docs.

A caption is mostly a noun phrase without a verb: colours are `amod`, numbers `nummod`, places
`nmod` with their `case`, lists `conj` with `cc`. What it says need not make sense.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from recipes.parser.phrases import (
    COMMA,
    STOP,
    THAT,
    THE,
    THERE,
    Phrase,
    Word,
    adjective,
    article,
    be,
    compound,
    coordinate,
    join,
    name,
    noun,
    number,
    participle,
    preposition,
    prepositional,
    to_doc,
)

if TYPE_CHECKING:
    from spacy.tokens import Doc
    from spacy.vocab import Vocab

words = str.split


def phrases(text: str) -> list[str]:
    """The parts between bars."""
    return text.split("|")


THINGS = words("""
airplane anchor angel ant apple apron armchair arrow artist astronaut avocado baby backpack bag
ball balloon banana barn basket bat bathtub beach bear beard bed bee beer bell belt bench bicycle
bike bird blanket blossom boat bomb bone book boot bottle bow bowl box boy bread bridge broccoli
broom brush bucket building bull bunny bus butterfly button cabin cactus cake camel camera candle
candy canoe cap car card carpet carrot castle cat cave chair cheese cherry chess chicken child
church circle city clock cloud clown coat coconut coffee coin computer cookie corn couch cow cowboy
crab crane crocodile crow crown cube cup cupcake curtain deer desk diamond dinosaur doctor dog doll
dolphin donkey donut door dove dragon dragonfly dress drum duck eagle egg elephant elf engine eye
face fairy farm farmer feather fence field fire firefighter fireplace fish flag flamingo flower
forest fork fountain fox frog garden ghost giraffe girl glass glasses glove goat goose grape grass
guitar hammer hamburger hamster hand hat hedgehog helicopter helmet hen hill hippo horse house
hydrant iceberg insect island jacket jar jellyfish juice kangaroo key keyboard king kitchen kite
kitten knife knight koala ladder ladybug lake lamp lantern laptop leaf lemon leopard library
lighthouse lightning lion lizard llama lobster lollipop mailbox man map mask melon mermaid
microphone microscope mirror monkey monster moon moose motorcycle mountain mouse mug mushroom
necklace nest newspaper ninja notebook nurse ocean octopus onion orange orchid otter owl ox palace
palm pancake panda parachute park parrot peach peacock pear pen pencil penguin pepper person phone
piano pickle picture pie pig pigeon pillow pineapple pirate pizza plane planet plant plate polygon
potato present princess pumpkin puppy queen rabbit raccoon radio rainbow rat refrigerator
restaurant rhino ring river road robot rocket rose rug ruler sailboat salad samurai sandwich scarf
school scientist scissors seahorse seal shark sheep shelf shell ship shirt shoe skateboard skeleton
skull skyscraper sloth snail snake snowflake snowman soap sock sofa soldier spaceship spider spoon
square squirrel staircase stapler star starfish statue stone strawberry street student suitcase sun
sunflower sushi swan sword table taxi teacher teapot telephone television temple tent tiger toaster
toilet tomato toothbrush tower toy tractor train tree triangle trophy truck trumpet tulip turkey
turtle umbrella unicorn van vase vegetable village violin volcano wall watch waterfall watermelon
whale wheel window witch wizard wolf woman world yacht zebra zombie
""")
MATERIALS = words("""
brick bronze clay cotton crystal glass gold ice lego marble metal paper steel stone
""")
COLOURS = words("""
black blue brown gold golden gray green grey orange pink purple red silver turquoise violet white
yellow beige crimson teal
""")
QUALITIES = words("""
abandoned ancient angry antique bald beautiful big blank bright broken calm cartoonish cheerful
clean closed cloudy colorful crowded curious cute dark deep delicious dirty dry elegant empty
enormous famous fat fluffy fresh friendly full furry futuristic giant gigantic glossy happy heavy
huge hungry large little lit lonely long lovely magical massive medieval mechanical modern muddy
mysterious narrow new nice old open pretty proud rainy realistic ripe rocky round rusty sad scary
shiny short sleepy slim small smooth snowy soft spherical spotted square strange striped stale
strong sunny surreal tall thick thin tiny tired traditional transparent tropical ugly unlit
vintage warm wet whole wide wild wooden woolen yellowish young
""")
PARTICIPLES = {
    "broken": "break", "burning": "burn", "carved": "carve", "cracked": "crack",
    "floating": "float", "flying": "fly", "folded": "fold", "frozen": "freeze", "fried": "fry",
    "glowing": "glow", "hatched": "hatch", "locked": "lock", "painted": "paint", "peeled": "peel",
    "wilted": "wilt", "decorated": "decorate", "melted": "melt", "wrapped": "wrap",
    "running": "run", "sleeping": "sleep", "sliced": "slice", "smiling": "smile",
    "stuffed": "stuff", "torn": "tear",
}  # fmt: skip
NUMBERS = words("two three four two three four five six seven eight nine ten 2 3 4 5 6 12")
PREPOSITIONS = words("""
above against among around at behind below beneath beside between by in inside near on over
through under underneath with with without on in
""")
SIDES = words("left right")
SCENES = words("""
air background beach bathroom bedroom city countryside dark desert distance field forest garden
ground grass hallway jungle kitchen lake library meadow moonlight mountain mountains museum ocean
park pond pool rain river room sand sea sky snow snow space storm street sun sunlight sunset swamp
table water woods yard
""")
TIMES = words("night dawn dusk sunset sunrise noon midnight home sea")
MEDIA = words("""
photo photograph picture painting drawing sketch illustration image portrait render sticker
poster cartoon sculpture statue
""")
GENRES = words("oil pencil watercolor comic fantasy pixel concept")
ARTISTS = phrases("van gogh|claude monet|pablo picasso|salvador dali|frida kahlo|rembrandt|banksy")
FLAVOURS = phrases(
    "digital art|concept art|oil painting|studio lighting|cinematic lighting|soft light|"
    "sharp focus|high resolution|white background|bokeh|anime|watercolor|wide angle|portrait|"
    "pastel colors|low poly|isometric view|masterpiece"
)
RESTING = {
    "sitting": "sit", "standing": "stand", "lying": "lie", "sleeping": "sleep", "walking": "walk",
    "running": "run", "flying": "fly", "floating": "float", "jumping": "jump", "dancing": "dance",
    "swimming": "swim", "playing": "play", "hanging": "hang", "climbing": "climb",
}  # fmt: skip
HOLDING = {
    "wearing": "wear", "holding": "hold", "eating": "eat", "riding": "ride", "carrying": "carry",
    "chasing": "chase", "drinking": "drink", "reading": "read", "watching": "watch",
    "playing": "play", "driving": "drive", "painting": "paint",
}  # fmt: skip
MADE = {
    "made": ("make", "of"), "covered": ("cover", "in"), "surrounded": ("surround", "by"),
    "filled": ("fill", "with"), "parked": ("park", "on"), "painted": ("paint", "on"),
}  # fmt: skip


class Grammar:
    """Draws phrases; every choice comes from one random generator."""

    def __init__(self, generator: random.Random) -> None:
        self.draw = generator

    def chance(self, probability: float) -> bool:
        """True with this probability."""
        return self.draw.random() < probability

    def colour(self) -> Phrase:
        """As in "green", "dark green", "black and white"."""
        colours = [adjective(word) for word in self.draw.sample(COLOURS, 3)]
        kind = self.draw.choices(["one", "shade", "two", "three"], [16, 2, 4, 1])[0]
        if kind == "shade":
            shade = adjective(self.draw.choice(["dark", "light", "bright", "pale"]))
            return join(("amod", shade), ("ROOT", colours[0]))
        return coordinate(*colours[: 2 if kind == "two" else 3]) if kind != "one" else colours[0]

    def modifiers(self) -> list[tuple[str, Phrase]]:
        """Adjectives, participles and nouns before a noun, mostly one or none."""
        parts: list[tuple[str, Phrase]] = []
        if self.chance(0.25):
            parts.append(("amod", self.quality()))
        if self.chance(0.5):
            parts.append(("amod", self.colour()))
        if self.chance(0.08):
            parts.append(("amod", participle(*self.draw.choice(list(PARTICIPLES.items())))))
        if self.chance(0.12):
            source = MATERIALS if self.chance(0.5) else THINGS
            parts.append(("compound", noun(self.draw.choice(source))))
        return parts

    def quality(self) -> Phrase:
        """As in "small", "very small", "small and happy"."""
        first, second = (adjective(word) for word in self.draw.sample(QUALITIES, 2))
        if self.chance(0.05):
            return join(("advmod", (Word("very", "very", "ADV", "RB"),)), ("ROOT", first))
        return coordinate(first, second) if self.chance(0.08) else first

    def thing(self, plural: bool | None = None) -> Phrase:
        """As in "a black apple", "two yellow balloons", "the wooden chair", "orange juice"."""
        plural = self.chance(0.25) if plural is None else plural
        core = join(*self.modifiers(), ("ROOT", noun(self.draw.choice(THINGS), plural)))
        if plural and self.chance(0.75):
            return join(("nummod", number(self.draw.choice(NUMBERS))), ("ROOT", core))
        if not plural and self.chance(0.04):
            return join(("nummod", number("one")), ("ROOT", core))
        if not plural and self.chance(0.88):
            the = self.chance(0.15)
            return join(("det", THE if the else article(core)), ("ROOT", core))
        return core

    def part(self) -> Phrase:
        """A thing without article, as after "with": "blue eyes"."""
        return join(*self.modifiers(), ("ROOT", noun(self.draw.choice(THINGS), True)))

    def side(self) -> Phrase:
        """As in "to the left of a pink umbrella"."""
        of = prepositional("of", self.thing(False))
        return join(
            ("case", preposition(self.draw.choice(["to", "on"]))),
            ("det", THE),
            ("ROOT", noun(self.draw.choice(SIDES))),
            ("nmod", of),
        )

    def region(self) -> Phrase:
        """As in "in front of a house", "on top of a hill"."""
        marker, head = self.draw.choice(
            [("in", "front"), ("on", "top"), ("in", "middle"), ("at", "bottom"), ("in", "center")]
        )
        article_part = [] if head in ("front", "top") else [("det", THE)]
        return join(
            ("case", preposition(marker)),
            *article_part,
            ("ROOT", noun(head)),
            ("nmod", prepositional("of", self.thing(False))),
        )

    def scene(self) -> Phrase:
        """As in "on the grass", "at night", "in a snowy forest"."""
        if self.chance(0.2):
            return prepositional("at", noun(self.draw.choice(TIMES)))
        place = self.draw.choice(SCENES)
        core = noun("mountain", plural=True) if place == "mountains" else noun(place)
        if self.chance(0.2):
            core = join(("amod", self.quality()), ("ROOT", core))
        determiner = THE if self.chance(0.75) else article(core)
        marker = self.draw.choice(["in", "in", "on", "on", "at", "under", "near", "by"])
        return prepositional(marker, join(("det", determiner), ("ROOT", core)))

    def beside(self) -> Phrase:
        """As in "next to a tree", "left of a table", "with blue eyes"."""
        if self.chance(0.4):
            marker = self.draw.choice(["next to", "next to", "left of", "right of"])
            return prepositional(marker, self.thing())
        marker = self.draw.choice(PREPOSITIONS)
        return prepositional(marker, self.part() if marker == "with" else self.thing())

    def place(self) -> Phrase:
        """Any prepositional phrase that says where or when."""
        return self.draw.choices([self.scene, self.beside, self.side, self.region], [4, 4, 2, 1])[
            0
        ]()

    def action(self) -> Phrase:
        """As in "sitting on a wooden chair", "wearing a hat", "made of glass"."""
        kind = self.draw.choices(["rest", "hold", "made"], [5, 4, 1])[0]
        if kind == "hold":
            verb = participle(*self.draw.choice(list(HOLDING.items())))
            return join(("ROOT", verb), ("obj", self.thing()))
        if kind == "made":
            text, (lemma, marker) = self.draw.choice(list(MADE.items()))
            what = prepositional(marker, self.thing())
            return join(("ROOT", participle(text, lemma)), ("obl", what))
        verb = participle(*self.draw.choice(list(RESTING.items())))
        return join(("ROOT", verb), ("obl", self.place())) if self.chance(0.85) else verb

    def described(self) -> Phrase:
        """A thing and perhaps what it does, where it is, or what it is like."""
        kind = self.draw.choices(["bare", "place", "action", "clause"], [8, 6, 4, 1])[0]
        if kind == "place":
            return join(("ROOT", self.thing()), ("nmod", self.place()))
        if kind == "action":
            return join(("ROOT", self.thing()), ("acl", self.action()))
        return self.with_clause() if kind == "clause" else self.thing()

    def with_clause(self) -> Phrase:
        """As in "a backpack that is green"."""
        plural = self.chance(0.3)
        clause = join(("nsubj", THAT), ("cop", be(plural)), ("ROOT", self.colour()))
        return join(("ROOT", self.thing(plural)), ("acl:relcl", clause))

    def listed(self) -> Phrase:
        """As in "a cat, two dogs and a bird", "a cat, a dog"."""
        count = self.draw.choices([2, 3, 4], [8, 3, 1])[0]
        things = [self.thing() if self.chance(0.8) else self.described() for _ in range(count)]
        return coordinate(*things, joint=self.draw.choice(["and", "and", ", and", ","]))

    def picture(self) -> Phrase:
        """As in "a photo of two cats", "an oil painting of a fox"."""
        genre = [("compound", noun(self.draw.choice(GENRES)))] if self.chance(0.25) else []
        kind = self.draw.choice(MEDIA)
        core = join(*genre, ("ROOT", noun(kind)))
        determiner = [("det", article(core))] if self.chance(0.85) else []
        content = self.listed() if self.chance(0.3) else self.described()
        return join(*determiner, ("ROOT", core), ("nmod", prepositional("of", content)))

    def style(self) -> Phrase:
        """As in "in the style of van gogh"."""
        artist = name(self.draw.choice(ARTISTS)) if self.chance(0.7) else compound("pixel art")
        of = ("nmod", prepositional("of", artist))
        return join(("case", preposition("in")), ("det", THE), ("ROOT", noun("style")), of)

    def sentence(self) -> Phrase:
        """A full clause: "there are two cats", "a cat is sitting on a chair", "the cat is red"."""
        plural = self.chance(0.3)
        subject = self.thing(plural)
        kind = self.draw.choice(["there", "does", "is"])
        if kind == "there":
            where = [("obl", self.scene())] if self.chance(0.4) else []
            exists = ("ROOT", be(plural, "VERB"))
            return join(("expl", THERE), exists, ("nsubj", subject), *where)
        if kind == "does":
            text, lemma = self.draw.choice(list(RESTING.items()))
            verb = (Word(text, lemma, "VERB", "VBG", "Tense=Pres|VerbForm=Part"),)
            aux = ("aux", be(plural))
            return join(("nsubj", subject), aux, ("ROOT", verb), ("obl", self.place()))
        predicate = self.colour() if self.chance(0.5) else self.place()
        return join(("nsubj", subject), ("cop", be(plural)), ("ROOT", predicate))

    def caption(self) -> Phrase:
        """A whole caption, in the case and punctuation of a prompt."""
        kinds = [self.described, self.listed, self.picture, self.sentence]
        phrase = self.draw.choices(kinds, [7, 6, 3, 2])[0]()
        if self.chance(0.05):
            phrase = join(("nmod", self.scene()), ("punct", COMMA), ("ROOT", phrase))
        if self.chance(0.08):
            phrase = join(("ROOT", phrase), ("nmod", self.style()))
        if self.chance(0.1):
            flavours = self.draw.sample(FLAVOURS, self.draw.randint(1, 3))
            listed = [("list", join(("punct", COMMA), ("ROOT", compound(f)))) for f in flavours]
            phrase = join(("ROOT", phrase), *listed)
        if self.chance(0.2):
            phrase = (replace(phrase[0], text=phrase[0].text.capitalize()), *phrase[1:])
        return join(("ROOT", phrase), ("punct", STOP)) if self.chance(0.2) else phrase


def captions(count: int, seed: int, vocab: Vocab) -> Iterator[Doc]:
    """`count` captions, the same for the same seed."""
    grammar = Grammar(random.Random(seed))
    return (to_doc(grammar.caption(), vocab) for _ in range(count))
