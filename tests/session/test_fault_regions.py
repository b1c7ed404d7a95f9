"""Finding where the faults of one image are, by tiny models that have no idea."""

import pickle
from dataclasses import replace

from alignment.judgements import METHOD
from alignment.records import ImageScore
from session.one_image import find_faults
from session.state import GridState


def failing(state: GridState) -> GridState:
    """The same state, with an image in cell 0 of which nothing holds."""
    scores = state.scores[METHOD]
    entries = tuple(replace(each, probability=0.1) for each in scores[0].evidence)
    first: ImageScore = replace(scores[0], evidence=entries)
    report = replace(state.report, scores={**state.report.scores, METHOD: (first, *scores[1:])})
    return state.with_report(report)


def test_every_fault_of_an_image_is_looked_for_and_kept_with_its_file(state: GridState):
    before = failing(state)
    *_, last = find_faults(before, 0)
    found = last.regions[before.file(0) or ""]
    assert [*last.regions] == [before.file(0)]
    assert found
    assert len({each.claim for each in found}) == len(found)
    assert last.report == before.report
    assert pickle.loads(pickle.dumps(last)).regions == last.regions


def test_nothing_is_looked_for_where_there_is_no_image(state: GridState):
    files = (None, *state.images.files[1:])
    assert [*find_faults(replace(state, images=replace(state.images, files=files)), 0)] == []
