"""A comparison as files: a table of its images (CSV), and all that is known of it (JSON)."""

from __future__ import annotations

import json
from dataclasses import asdict

from alignment.report import report_json
from session.comparison import LETTERS, ComparisonState
from session.comparison_summary import FIGURES, means
from session.storage import stored
from session.tables import harmless
from ui.render.export.scores import csv_text, header, rows


def comparison_csv(state: ComparisonState) -> str:
    """One row for each image of the finished grids: prompt, column, and what scores.csv has."""
    found = [*state.finished.items()]
    names = header(found[0][1]) if found else []
    table = [
        [harmless(state.prompts[prompt]), LETTERS[system], state.called(system), *row]
        for (prompt, system), grid in found
        for row in rows(grid)
    ]
    return csv_text([["prompt", "column", "system", *names], *table])


def comparison_json(state: ComparisonState) -> str:
    """What was asked for, the figures of each column, and the report of each finished grid."""
    figures = {name: means(state, name) for name in FIGURES}
    systems = [
        {
            "column": LETTERS[place],
            "name": state.called(place),
            **asdict(system),
            "figures": {name: values[place] for name, values in figures.items()},
        }
        for place, system in enumerate(state.systems)
    ]
    grids = [
        {
            "prompt": state.prompts[prompt],
            "column": LETTERS[system],
            "report": report_json(stored(grid, grid.report)),
        }
        for (prompt, system), grid in state.finished.items()
        if grid.report
    ]
    whole = {"prompts": state.prompts, "systems": systems, "grids": grids}
    return json.dumps(whole, indent=1, ensure_ascii=False)
