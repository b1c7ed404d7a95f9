"""The classes of thing and how each is drawn, as data.

The 80 classes of GenEval (Ghosh et al., 2023), the things of the sticker world, and nouns that
visitors type. Icons are Fluent emoji (Microsoft, MIT) where no other package is named; the other
packages are Noto (Apache-2.0), Material Design Icons (Apache-2.0), Material Symbols (Apache-2.0),
IconPark (Apache-2.0), Huge Icons (MIT), Phosphor (MIT), Tabler (MIT), Lucide Lab (ISC), and for the
baseball glove game-icons.net (Delapouite, CC BY 3.0).
"""

from __future__ import annotations

from collections.abc import Mapping

from recipes.world.drawings import Drawing
from recipes.world.things import Thing

Drawings = tuple[Drawing, ...]

NATURAL: Mapping[str, str] = {
    "red": """apple backpack bicycle bird book bowl car fire_hydrant scissors stop_sign
        tennis_racket toothbrush balloon heart teapot telephone rose guitar strawberry
        watermelon motorcycle mushroom lighthouse chicken""",
    "yellow": "banana bus star bell key moon lemon sunflower crown",
    "green": """bottle broccoli turtle tree palm_tree cactus crocodile snake dinosaur dragon frog
        tent shirt""",
    "orange": "carrot orange cat fox tiger giraffe boat sun octopus padlock",
    "blue": "couch suitcase tie snowboard cap dress bucket dolphin whale frisbee",
    "brown": """baseball_bat baseball_glove bench chair dining_table horse violin monkey bear
        teddy_bear donut handbag owl vase kangaroo snail lion""",
    "white": "cup sheep snowman cloud ghost toilet egg candle rabbit astronaut",
    "gray": """elephant fork spoon knife refrigerator microwave toaster sink shark camera tv clock
        computer_keyboard computer_mouse""",
    "pink": "pig tulip hair_drier",
    "purple": "umbrella bed",
    "black": "tv_remote",
}
"""Colour -> the classes that have it when nobody asks for one; the others have their art's own."""

AIRBORNE = frozenset(
    "airplane balloon bee butterfly cloud helicopter kite moon rocket star sun".split()
)
"""The classes that are in the sky by themselves."""


_NATURAL = {
    name.replace("_", " "): colour for colour, names in NATURAL.items() for name in names.split()
}


def fluent(*names: str, hues: tuple[float | str, ...] = ()) -> Drawings:
    """Drawings that are Fluent emoji as they are."""
    return tuple(Drawing(f"fluent-emoji:{name}", hues=hues) for name in names)


def glyph(icon: str, line: str, fill: str = "", largest: bool = False) -> Drawings:
    """The drawing that is a tinted one-colour icon."""
    return (Drawing(icon, tints=(line, fill), largest=largest),)


def a(
    name: str,
    category: str,
    drawings: Drawings | str = (),
    also: tuple[str, ...] = (),
    **states: Drawings,
) -> Thing:
    """One row of the table below; without drawings the Fluent emoji of that name."""
    usual = fluent(drawings) if isinstance(drawings, str) else drawings
    usual = usual or fluent(name.replace(" ", "-"))
    return Thing(name, category, states or {"": usual}, also, _NATURAL.get(name, ""))


_SNOWBOARD = Drawing("fluent-emoji:snowboarder", keep=(8, 9, 10, 11, 12, 14, 15), view="4 10 24 24")
_UNLIT = Drawing("fluent-emoji:candle", drop=(3, 4, 5, 6, 7, 8, 9))
_COUCH = Drawing(
    "fluent-emoji:couch-and-lamp",
    drop=(18, 19, 20, 21, 23, 24, 25, 26, 27, 28, 29),
    view="0 7 26 26",
)
_BOTTLE = Drawing("fluent-emoji:bottle-with-popping-cork", keep=(0, 1, 2, 3, 4, 16, 28, 29, 30))
_BOWL = Drawing("fluent-emoji:steaming-bowl", keep=tuple(range(18, 28)), view="2 6 28 28")
_FORK = Drawing("fluent-emoji:fork-and-knife", keep=tuple(range(13)), view="-6 0 32 32")
_FRISBEE = Drawing("fluent-emoji:flying-disc", keep=(3, 4, 5), view="0 6 27 27")
_RACKET = Drawing("fluent-emoji:tennis", drop=(5, 6, 7))
_CLOCKS = fluent("ten-oclock", "three-oclock", "six-oclock")

GENEVAL_CLASSES: tuple[Thing, ...] = (
    a("airplane", "vehicle", fluent("airplane", "small-airplane"), also=("plane",)),
    a("apple", "fruit", fluent("red-apple", hues=(20, 345))),
    a("backpack", "object", also=("rucksack",)),
    a("banana", "fruit"),
    a("baseball bat", "object", glyph("hugeicons:baseball-bat", "#7a4a20", "#e0a868", True)),
    a("baseball glove", "object", glyph("game-icons:baseball-glove", "#8a4b23", "#d9a066")),
    a("bear", "animal"),
    a("bed", "furniture"),
    a("bench", "furniture", glyph("mdi:bench-back", "#8b5a2b")),
    a("bicycle", "vehicle", fluent("bicycle", hues=(15,)), also=("bike",)),
    a("bird", "animal", fluent("bird", "baby-chick"), also=("birdie",)),
    a("boat", "vehicle", fluent("sailboat", hues=(35,)), also=("sailboat",)),
    a("book", "object", "closed-book"),
    a("bottle", "object", (_BOTTLE,)),
    a("bowl", "object", (_BOWL,)),
    a("broccoli", "food"),
    a("bus", "vehicle", fluent("bus", hues=(70, "neutral"))),
    a("cake", "food", fluent("birthday-cake", "shortcake")),
    a("car", "vehicle", fluent("automobile", "racing-car"), also=("automobile",)),
    a("carrot", "food", fluent("carrot", hues=(60, 20))),
    a("cat", "animal", fluent("cat", "cat-face"), also=("kitten", "kitty")),
    a("cell phone", "object", "mobile-phone", also=("smartphone", "mobile phone")),
    a("chair", "furniture"),
    a("clock", "object", _CLOCKS),
    a("computer keyboard", "object", "keyboard", also=("keyboard",)),
    a("computer mouse", "object"),
    a("couch", "furniture", (_COUCH,), also=("sofa",)),
    a("cow", "animal", fluent("cow", "cow-face")),
    a("cup", "object", (Drawing("noto:hot-beverage"),), also=("mug",)),
    a(
        "dining table",
        "furniture",
        glyph("material-symbols:table-restaurant", "#9c6436"),
        also=("table",),
    ),
    a("dog", "animal", fluent("dog", "poodle"), also=("puppy",)),
    a("donut", "food", "doughnut", also=("doughnut",)),
    a("elephant", "animal"),
    a(
        "fire hydrant",
        "object",
        glyph("mdi:fire-hydrant", "#d92b2b", "#ffd34d"),
        also=("hydrant",),
    ),
    a("fork", "object", (_FORK,)),
    a("frisbee", "object", (_FRISBEE,)),
    a("giraffe", "animal"),
    a("hair drier", "object", glyph("ph:hair-dryer", "#8c1f5c", "#f08cc0"), also=("hair dryer",)),
    a("handbag", "object", fluent("handbag", "purse"), also=("purse",)),
    a("horse", "animal", fluent("horse", "horse-face"), also=("pony",)),
    a("hot dog", "food"),
    a("kite", "object", fluent("kite", hues=(25, 140, 90, 235))),
    a("knife", "object", fluent("kitchen-knife", hues=("neutral", 285, 265))),
    a("laptop", "object", also=("notebook computer",)),
    a("microwave", "object", glyph("mdi:microwave", "#8d95a0", "#bfe3f7")),
    a("motorcycle", "vehicle", fluent("motorcycle", "motor-scooter"), also=("motorbike",)),
    a("orange", "fruit", fluent("tangerine", hues=(65, 30)), also=("tangerine",)),
    a("oven", "object", glyph("mdi:stove", "#59616b", "#ffb347"), also=("stove",)),
    a("parking meter", "object", (Drawing("own:parking-meter"),)),
    a("person", "person", fluent("person-standing", "man-standing", "woman-standing")),
    a("pizza", "food", fluent("pizza", hues=(80,))),
    a("potted plant", "object", also=("houseplant", "plant")),
    a(
        "refrigerator",
        "object",
        glyph("lucide-lab:refrigerator-freezer", "#4a6074", "#d5e2ec"),
        also=("fridge",),
    ),
    a("sandwich", "food"),
    a("scissors", "object"),
    a("sheep", "animal", fluent("ewe", "ram")),
    a("sink", "object", glyph("hugeicons:sink-01", "#5c6b78", "#e6eef4")),
    a("skateboard", "object"),
    a("skis", "object", fluent("skis", hues=(240,))),
    a("snowboard", "object", (_SNOWBOARD,)),
    a("spoon", "object"),
    a(
        "sports ball",
        "object",
        (*fluent("soccer-ball", hues=(265,)), *fluent("basketball", "volleyball")),
        also=("ball", "soccer ball"),
    ),
    a("stop sign", "object"),
    a("suitcase", "object", "luggage", also=("luggage",)),
    a("surfboard", "object", glyph("hugeicons:surfboard", "#c2452d", "#ffd9a0")),
    a("teddy bear", "object", also=("teddy",)),
    a("tennis racket", "object", (_RACKET,), also=("racket",)),
    a("tie", "object", glyph("icon-park:necktie", "#2f5fc0"), also=("necktie",)),
    a("toaster", "object", glyph("mdi:toaster", "#8f98a3", "#d5dbe2")),
    a("toilet", "object"),
    a("toothbrush", "object"),
    a(
        "traffic light",
        "object",
        fluent("vertical-traffic-light", hues=("dark",)),
        also=("traffic lights",),
    ),
    a(
        "train",
        "vehicle",
        (*fluent("train", hues=(280, "neutral")), *fluent("locomotive", hues=(25, "dark"))),
    ),
    a("truck", "vehicle", fluent("articulated-lorry", hues=(155, "neutral")), also=("lorry",)),
    a("tv", "object", "television", also=("television",)),
    a(
        "tv remote",
        "object",
        glyph("tabler:device-remote-filled", "#33383f"),
        also=("remote control", "remote"),
    ),
    a("umbrella", "object", open=fluent("umbrella"), closed=fluent("closed-umbrella")),
    a("vase", "object", "amphora"),
    a("wine glass", "object", fluent("wine-glass", hues=(345,))),
    a("zebra", "animal"),
)

STICKER_CLASSES: tuple[Thing, ...] = (
    a("balloon", "object"),
    a("star", "shape", fluent("star", "glowing-star")),
    a("shirt", "object", "t-shirt", also=("tee",)),
    a("heart", "shape", fluent("red-heart", "heart-suit")),
    a("teapot", "object"),
    a("bucket", "object", fluent("bucket", hues=(240, 270)), also=("pail",)),
    a("bell", "object"),
    a("owl", "animal"),
    a("penguin", "animal", fluent("penguin", hues=(295,))),
    a("frog", "animal"),
    a("turtle", "animal", also=("tortoise",)),
    a("snowman", "object", fluent("snowman", "snowman-without-snow")),
    a("rocket", "vehicle", also=("spaceship",)),
    a("guitar", "instrument"),
    a("candle", "object", lit=fluent("candle"), unlit=(_UNLIT,)),
    a("egg", "food", whole=fluent("egg"), hatched=fluent("hatching-chick")),
    a("padlock", "object", locked=fluent("locked"), unlocked=fluent("unlocked"), also=("lock",)),
    a("rose", "flower", fresh=fluent("rose"), wilted=fluent("wilted-flower")),
    a("cap", "object", "billed-cap", also=("hat",)),
    a("dress", "object", also=("gown",)),
    a("crown", "object"),
    a("key", "object", fluent("key", "old-key")),
    a("telephone", "object", also=("phone",)),
    a("rabbit", "animal", fluent("rabbit", "rabbit-face"), also=("bunny",)),
    a("duck", "animal"),
    a("fish", "animal", fluent("tropical-fish", "fish")),
    a("tree", "object", fluent("deciduous-tree", "evergreen-tree")),
    a("house", "object", fluent("house", "house-with-garden")),
    a("mushroom", "food", also=("toadstool",)),
    a("cupcake", "food"),
    a("robot", "object"),
    a("moon", "object", full=fluent("full-moon"), crescent=fluent("crescent-moon")),
)

MORE_CLASSES: tuple[Thing, ...] = (
    a("astronaut", "person"),
    a("dragon", "animal"),
    a("unicorn", "animal"),
    a("castle", "object"),
    a("mountain", "object", fluent("snow-capped-mountain", "mountain")),
    a("lighthouse", "object", (Drawing("noto:lighthouse"),)),
    a("sunflower", "flower"),
    a("palm tree", "object"),
    a("tulip", "flower"),
    a("cactus", "object"),
    a("butterfly", "animal"),
    a("bee", "animal", fluent("honeybee", hues=(75,))),
    a("snail", "animal"),
    a("octopus", "animal"),
    a("whale", "animal", fluent("spouting-whale", "whale")),
    a("shark", "animal"),
    a("dolphin", "animal"),
    a("snake", "animal"),
    a("fox", "animal"),
    a("lion", "animal"),
    a("tiger", "animal", fluent("tiger", "tiger-face")),
    a("monkey", "animal", fluent("monkey", "monkey-face")),
    a("panda", "animal"),
    a("pig", "animal", fluent("pig", "pig-face")),
    a("chicken", "animal", fluent("rooster"), also=("rooster",)),
    a("kangaroo", "animal"),
    a("crocodile", "animal", also=("alligator",)),
    a("dinosaur", "animal", fluent("t-rex", "sauropod"), also=("t-rex",)),
    a("hamburger", "food", also=("burger",)),
    a("ice cream", "food", fluent("soft-ice-cream", "ice-cream")),
    a("strawberry", "fruit"),
    a("watermelon", "fruit"),
    a("lemon", "fruit"),
    a("pineapple", "fruit"),
    a("violin", "instrument"),
    a("drum", "instrument"),
    a("camera", "object"),
    a("sun", "object"),
    a("cloud", "object"),
    a("gift", "object", "wrapped-gift", also=("present",)),
    a("ghost", "object"),
    a("helicopter", "vehicle"),
    a("tent", "object"),
    a("shoe", "object", fluent("running-shoe", "mans-shoe"), also=("sneaker",)),
)

CLASSES = (*GENEVAL_CLASSES, *STICKER_CLASSES, *MORE_CLASSES)
