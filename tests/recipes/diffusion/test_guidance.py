"""Learning to do without guidance."""

import pytest
import torch

from recipes.diffusion.guidance import Unguided, any_moments
from recipes.diffusion.pipeline import flow_scheduler


@pytest.mark.parametrize("guidance", [1.0, 2.0, 3.0])
def test_a_model_that_predicts_its_target_predicts_what_guidance_leads_to(guidance: float) -> None:
    unguided = Unguided(share=1 - 1 / guidance)
    flow, without = torch.tensor([1.0, -2.0]), torch.tensor([0.5, 1.0])
    led = without + guidance * (flow - without)
    assert torch.allclose(unguided.target(flow, led, without), led)


def test_no_gradient_passes_through_the_target() -> None:
    prompted = torch.ones(2, requires_grad=True)
    assert not Unguided().target(torch.zeros(2), prompted, torch.zeros(2)).requires_grad


def test_only_what_sampling_asks_for_is_learned() -> None:
    scheduler = flow_scheduler()
    scheduler.set_timesteps(4)
    amounts, times = Unguided(steps=4).moments(200)
    assert {*amounts.tolist()} == {*scheduler.sigmas[:-1].tolist()}
    assert {*times.tolist()} == {*scheduler.timesteps.float().tolist()}


def test_a_teacher_learns_all_of_the_flow() -> None:
    amounts, times = any_moments(2000)
    assert ((amounts >= 0) & (amounts <= 1)).all()
    assert torch.equal(times, amounts * 1000)
    assert amounts.unique().numel() > 1900
