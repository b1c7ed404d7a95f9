"""From a machine to what it can run."""

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import alignment
import generation
from generation.memory import precision_on
from hub import Machine
from session.plan import IMAGES, MACHINES, QUICK, MachinePlan, borrowed_seconds, plan

ROOT = Path(__file__).parents[2]
GB = 10**9
AMPLE = 10_000 * GB
SHIPPED_MODELS, SHIPPED_BUNDLES = dict(generation.MODELS), dict(alignment.BUNDLES)
"""Without the tiny ones that other tests add to them."""


@st.composite
def machines(draw: st.DrawFn) -> Machine:
    single = draw(st.floats(0.05, 60))
    return Machine(
        device=draw(st.sampled_from(["cpu", "cuda"])),
        memory=draw(st.integers(2, 160)) * GB,
        disk=AMPLE,
        half=single * draw(st.floats(1, 10)),
        single=single,
        bfloat16=draw(st.booleans()),
        four_bits=draw(st.booleans()),
        token=draw(st.booleans()),
    )


@pytest.fixture(scope="module")
def printed() -> str:
    """What `plan --all` says."""
    command = [sys.executable, "-W", "ignore", "app.py", "plan", "--all"]
    return subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True).stdout


def names(found: MachinePlan) -> set[str]:
    return {each.name for each in (*found.models, *found.bundles)}


@given(machines(), st.floats(1, 20), st.floats(1, 20))
def test_a_larger_or_faster_machine_is_never_offered_less(
    machine: Machine, larger: float, faster: float
):
    other = replace(
        machine,
        memory=int(larger * machine.memory),
        half=faster * machine.half,
        single=faster * machine.single,
    )
    assert names(plan(machine)) <= names(plan(other))


@given(machines(), st.integers(3, 400))
def test_everything_of_a_plan_fits_the_disk_together(machine: Machine, disk: int):
    found = plan(replace(machine, disk=disk * GB))
    sources = {generation.MODELS[each.name].source: each.download for each in found.models}
    assert sum(sources.values()) + sum(each.download for each in found.bundles) <= disk


@given(machines())
def test_the_first_model_and_the_first_bundle_fit_together(machine: Machine):
    found = plan(machine)
    assert found.models[0].memory + found.bundles[0].memory <= machine.memory


@given(machines(), st.floats(60, 3600))
def test_a_model_that_finishes_no_image_in_time_is_not_offered(machine: Machine, limit: float):
    assert all(each.seconds <= limit for each in plan(machine, limit).models)


@given(machines())
def test_the_embedded_models_are_everywhere_and_gated_ones_only_with_a_token(machine: Machine):
    found = names(plan(machine))
    assert {"icons", "embedded"} <= found
    assert machine.token or not {"flux.1-schnell", "sd-3-medium", "small"} & found


def test_what_zero_gpu_lends_holds_everything_of_its_plan_at_once():
    lent = MACHINES["ZeroGPU, 48 GB"]
    found = plan(lent)
    assert sum(each.memory for each in (*found.models, *found.bundles)) <= lent.memory
    assert found.models[0].name == "flux.2-klein"


@pytest.mark.parametrize("name", ["flux.2-klein", "z-image-turbo", "sd-3.5-medium"])
def test_no_model_made_for_bfloat16_runs_in_float16(name: str):
    assert precision_on(generation.MODELS[name], "cuda", bfloat16=False) == "float32"


def test_a_cpu_is_not_offered_what_takes_longer_than_a_run_may():
    slow = MACHINES["CPU basic, 2 cores, 16 GB"]
    assert "sd-1.5" in names(plan(slow))
    assert "sd-1.5" not in names(plan(slow, run_seconds=300))
    assert plan(slow).models[0].name == "icons"


@given(machines())
def test_what_is_quick_comes_first_and_of_what_is_slow_the_quickest(machine: Machine):
    found = plan(replace(machine, disk=AMPLE))
    hub_models = [each for each in found.models[1:] if each.name != "icons"]
    slow = [IMAGES * each.seconds > QUICK for each in hub_models]
    waits = [each.seconds for each in hub_models if IMAGES * each.seconds > QUICK]
    assert slow == sorted(slow)
    assert waits == sorted(waits)


def test_a_gpu_of_16_gb_is_offered_what_is_made_for_it_and_a_larger_one_what_is_made_for_that(
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setattr(generation, "MODELS", SHIPPED_MODELS)
    monkeypatch.setattr(alignment, "BUNDLES", SHIPPED_BUNDLES)
    turing, ampere = (replace(MACHINES[name], token=True) for name in ("T4, 16 GB", "A10G, 24 GB"))
    assert "small" in names(plan(turing))
    assert {"small", "modern"} <= names(plan(ampere))


def test_a_gpu_is_borrowed_for_longer_where_there_is_more_to_do():
    assert borrowed_seconds("icons", 1) < borrowed_seconds("icons", 9)
    assert borrowed_seconds("sd-1.5", 9) < borrowed_seconds("sdxl", 9)
    assert borrowed_seconds("sd-1.5", 9, 20) < borrowed_seconds("sd-1.5", 9)


def test_the_table_of_machines_is_the_one_that_the_command_prints(printed: str):
    assert printed.strip() in (ROOT / "docs" / "models.md").read_text("utf-8")


@pytest.mark.parametrize("bundle", alignment.BUNDLES)
def test_of_every_bundle_it_is_known_whether_it_needs_consent(bundle: str):
    spec = alignment.BUNDLES[bundle]
    assert any(each.gated for each in spec.models) == (bundle == "small")
