"""Words that captions are made of, as people type them into image models."""

from __future__ import annotations

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
