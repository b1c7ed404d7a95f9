"""What the grid says of each image."""

from dataclasses import replace

from alignment.questions.records import AnswerSpan
from alignment.records import ImageScore
from session.state import GridState
from tests.ui.conftest import PARTLY, ruling_out, scored, unjudged, with_images, with_prompt
from tests.ui.reading import Element, read
from ui.render.evidence import evidence
from ui.render.gallery import description, gallery, marked
from ui.render.outcome import DOUBT, Fault, ImageVerdict

GENERATED = (0, 1, 2, 3)


def cells(html: str) -> list[Element]:
    return read(html).all("li", "cell")


def numbers(html: str) -> list[str | None]:
    return [cell["data-cell"] for cell in cells(html)]


def test_an_image_keeps_rank_and_score_wherever_it_is_shown(state: GridState):
    first = cells(gallery(state, GENERATED))[0]
    assert first.one("span", "rank").text == "#2"
    assert first.one("span", "score").text == "0.75"


def test_a_grid_is_known_by_what_it_is_of_and_not_by_the_files_of_its_images(state: GridState):
    def grid(shown: GridState) -> str | None:
        return read(gallery(shown, GENERATED)).one("ol", "gallery")["data-grid"]

    again = replace(state, request=replace(state.request, seed=state.request.seed + 4))
    growing = with_images(state, previews=frozenset({0}), files=state.images.files[::-1])
    another = replace(state, request=replace(state.request, model="stickers"))
    assert grid(growing) == grid(state)
    assert grid(replace(state, request=replace(state.request, rank_by="clip"))) == grid(state)
    assert grid(another) != grid(state)
    assert grid(again) != grid(state) != grid(with_prompt(state, "a red apple"))


def test_the_words_that_an_image_fails_are_struck_under_it(state: GridState):
    verdicts = [cell.one("span", "verdict") for cell in cells(gallery(state, GENERATED))]
    texts = ["✓ all", "✗ missing green", "✓ all", "✗ missing black, missing green"]
    assert [each.text for each in verdicts] == texts
    assert len(verdicts[3].all("s")) == 2
    assert verdicts[3]["title"] == "the apple is not black; the backpack is not green"


def test_what_is_ruled_out_and_there_is_not_struck_but_said_to_be_shown(state: GridState):
    verdicts = [
        cell.one("span", "verdict") for cell in cells(gallery(ruling_out(state), GENERATED))
    ]
    assert verdicts[3].text == "✗ missing black, shows green"
    assert [each.text for each in verdicts[3].all("s")] == ["missing black"]
    assert verdicts[3]["title"].endswith("; green is there, though the prompt rules it out")


def test_what_is_ruled_out_and_in_doubt_is_said_with_its_no() -> None:
    green = Fault(AnswerSpan("a green hat", 12, 23), True, "a green hat is there")
    assert marked(ImageVerdict(DOUBT, "perhaps a green hat is there", faults=(green,))).endswith(
        "?<span> no green hat</span></span>"
    )


def test_under_an_image_stands_what_the_verdict_on_the_grid_says_of_it(state: GridState):
    right = tuple(map(scored, ((0.9, 0.6),) * 4))
    chances = {"vq2": (0.9, 0.5, 0.9, 0.1)}
    report = replace(
        state.report, scores={"vq2": right}, relevance=chances, thresholds={"vq2": 0.8}
    )
    shown = [each.one("span", "verdict") for each in cells(gallery(state.with_report(report)))]
    by_cell = dict(zip(numbers(gallery(state)), [each.text for each in shown], strict=True))
    told = {"0": "✓ all", "1": "? green", "2": "✓ all", "3": "✗ unclear: green"}
    assert by_cell == told


def test_what_completed_the_prompt_is_said_with_each_image(state: GridState):
    plain = with_prompt(state, "a red car")
    completed = replace(plain, request=replace(plain.request, seed=4, completion=True))
    shown = cells(gallery(completed, GENERATED))
    assert shown[0].one("span", "given").text == "with: at night"
    assert description(completed, 0) == "rank 2 of 4, VQ2 0.75, generated with: at night"
    assert not read(gallery(plain)).all("span", "given")


def test_what_the_file_of_an_opened_image_says_that_it_was_given_is_believed(state: GridState):
    plain = with_prompt(state, "a red car")
    asked = replace(plain.request, seed=4, completion=True)
    images = replace(plain.images, given={0: "a red car in the snow"})
    shown = cells(gallery(replace(plain, request=asked, images=images), GENERATED))
    assert shown[0].one("span", "given").text == "with: in the snow"
    other = images.with_cell(0, "file.png", 4, None)
    assert not other.given


def test_where_other_words_than_the_prompt_were_given_all_of_them_are_said(state: GridState):
    plain = with_prompt(state, "a cat left of a dog")
    images = replace(plain.images, given={0: "a dog to the right of a cat"})
    shown = cells(gallery(replace(plain, images=images), GENERATED))
    assert shown[0].one("span", "given").text == "with: a dog to the right of a cat"


def test_one_is_best_and_one_is_worst(state: GridState):
    best, *_, worst = cells(gallery(state))
    assert best.one("span", "badge").text == "best"
    assert worst.one("span", "badge").text == "worst"
    assert len(read(gallery(state)).all("span", "badge")) == 2


def test_of_images_that_score_the_same_none_is_best(state: GridState):
    values = (0.971, 0.25, 0.972, 0.25)
    ranking = replace(state.report.ranking, order=(2, 0, 1, 3), values=values)
    equal = state.with_report(replace(state.report, rankings={"vq2": ranking}))
    assert not read(gallery(equal)).all("span", "badge")


def test_alt_text_gives_rank_score_and_faults(state: GridState):
    said = "rank 3 of 4, VQ2 0.27, the backpack is not green"
    assert description(state, 1) == said
    assert cells(gallery(state))[2].one("img")["alt"] == said
    assert description(ruling_out(state), 1).endswith(
        "green is there, though the prompt rules it out"
    )
    assert description(state, 2) == "rank 1 of 4, VQ2 0.97"


def test_of_images_that_could_not_be_judged_none_has_a_rank_and_nothing_holds(state: GridState):
    found = unjudged(state)
    captions = [each.one("span", "caption").text for each in cells(gallery(found))]
    assert captions == [f"seed {seed}" for seed in (7, 8, 9, 10)]
    assert description(found, 1) == "image 2 of 4, could not be judged"


def test_an_image_of_which_a_word_could_not_be_judged_is_not_marked_as_right(state: GridState):
    partly = (replace(scored((0.9, 0.9)), coverage=PARTLY),) * 4
    found = state.with_report(replace(state.report, scores={**state.scores, "vq2": partly}))
    captions = [each.one("span", "verdict") for each in cells(gallery(found))]
    assert {(each["class"], each.text) for each in captions} == {("verdict", "(✓) judged part")}
    said = read(evidence(found, 0)).one("p", "why")
    assert said["class"] == "why waiting"
    assert said.text.startswith("Shows all that could be judged; ")


def test_before_a_ranking_an_image_is_known_by_its_seed(unscored: GridState):
    captions = [cell.one("span", "rank").text for cell in cells(gallery(unscored))]
    assert captions == ["seed 7", "seed 8", "seed 9", "seed 10"]
    assert not read(gallery(unscored)).all("span", "badge")


def test_a_cell_without_an_image_waits(unscored: GridState):
    empty = with_images(unscored, files=())
    assert not read(gallery(empty)).all("img")
    assert len(read(gallery(empty)).all("li", "empty")) == 4


def test_an_image_being_regenerated_waits_for_its_score(state: GridState):
    cell = cells(
        gallery(with_images(state, previews=frozenset({0}), regenerated={0: 11}), GENERATED)
    )[0]
    assert cell.one("span", "rank").text == "seed 11"
    assert not cell.all("span", "score")


def test_uploaded_images_are_known_by_their_names(state: GridState, unscored: GridState):
    names = ("a.png", "b.png", "<c>.png", "d.png")
    captions = [
        [cell.one("span", "rank").text for cell in cells(gallery(with_images(each, names=names)))]
        for each in (unscored, state)
    ]
    assert captions == [[*names], ["#1 <c>.png", "#2 a.png", "#3 b.png", "#4 d.png"]]


def test_the_method_beside_the_grid_is_explained(state: GridState):
    assert "VQ2" in read(gallery(state)).one("p", "legend").one("span", "help")["aria-label"]


def test_a_filtered_image_is_not_shown(state: GridState):
    hidden = with_images(state, filtered=frozenset({0}))
    filtered = cells(gallery(hidden, GENERATED))[0]
    assert not filtered.all("img")
    assert "filtered" in filtered.text
    assert description(hidden, 0) == "image 1, filtered by the safety checker"


def test_an_image_that_a_stopped_run_did_not_make_stands_beside_those_that_are_scored(
    state: GridState,
):
    scores = {**state.report.scores, "vq2": (*state.scores["vq2"][:3], ImageScore("vq2", None))}
    report = replace(state.report, scores=scores)
    last = cells(gallery(state.with_report(report), GENERATED))[3]
    assert "could not judge" in last.one("span", "caption").text
