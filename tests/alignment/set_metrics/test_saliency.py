import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageDraw

from alignment.set_metrics.saliency import (
    GROUND,
    MISSING,
    cell_attention,
    compose_grid,
    grid_attention,
    saliency_map,
)

COLOURS = [
    (200, 30, 30),
    (30, 160, 30),
    (30, 30, 200),
    (220, 200, 30),
    (20, 20, 20),
    (150, 40, 180),
    (240, 140, 30),
    (120, 80, 40),
    (60, 180, 200),
]
PALE = (225, 225, 225)


def disc(colour: tuple[int, int, int], centre: tuple[int, int] = (64, 64)) -> Image.Image:
    """A disc on white."""
    image = Image.new("RGB", (128, 128), (245, 245, 245))
    ImageDraw.Draw(image).circle(centre, 36, fill=colour)
    return image


def attention(images: list[Image.Image], rows: int, columns: int) -> np.ndarray:
    grid, boxes = compose_grid(images, rows, columns)
    return np.array(cell_attention(saliency_map(grid), boxes))


@pytest.mark.parametrize("cell", range(9))
def test_only_the_cell_that_stands_out_gains_mass(cell: int) -> None:
    images = [disc(PALE)] * 9
    before = attention(images, 3, 3)
    images[cell] = disc(COLOURS[cell])
    gain = attention(images, 3, 3) - before
    assert gain[cell] > 0.2
    assert np.delete(gain, cell).max() < gain[cell] / 10


@pytest.mark.parametrize(("rows", "columns"), [(3, 3), (2, 4), (1, 5)])
def test_transposing_the_grid_transposes_the_masses(rows: int, columns: int) -> None:
    images = [disc(colour, centre=(50, 70)) for colour in COLOURS[: rows * columns]]
    turned = [
        images[row * columns + column].transpose(Image.Transpose.TRANSPOSE)
        for column in range(columns)
        for row in range(rows)
    ]
    expected = attention(images, rows, columns).reshape(rows, columns).T.ravel()
    np.testing.assert_allclose(attention(turned, columns, rows), expected, rtol=1e-4)


def test_without_any_contrast_the_middle_draws_most() -> None:
    blank = Image.new("RGB", (90, 90), GROUND)
    flat = attention([blank] * 9, 3, 3)
    assert flat.argmax() == 4
    assert flat[0] == pytest.approx(flat[8])
    assert flat[1] == pytest.approx(flat[3])


def test_the_same_images_draw_attention_symmetrically() -> None:
    same = attention([disc(COLOURS[0])] * 4, 2, 2)
    np.testing.assert_allclose(same, 0.25, rtol=0.05)


@pytest.mark.parametrize("size", [(1, 1), (3, 200), (640, 48)])
def test_a_map_is_a_density_of_the_image_size(size: tuple[int, int]) -> None:
    noise = np.random.default_rng(0).integers(0, 255, (size[1], size[0], 3), dtype=np.uint8)
    density = saliency_map(Image.fromarray(noise))
    assert density.shape == (size[1], size[0])
    assert (density > 0).all()
    assert density.sum() == pytest.approx(1)


@given(rows=st.integers(1, 6), columns=st.integers(1, 6))
def test_cells_are_where_the_boxes_say(rows: int, columns: int) -> None:
    shades = [(cell, 255 - cell, 7) for cell in range(rows * columns)]
    images = [Image.new("RGB", (6, 4), shade) for shade in shades]
    grid, boxes = compose_grid(images, rows, columns)
    for shade, box in zip(shades, boxes, strict=True):
        assert grid.crop(box).getcolors() == [(24, shade)]
    ground = (grid.width * grid.height - 24 * rows * columns, GROUND)
    assert ground in (grid.getcolors() or [])


def test_a_missing_image_is_neutral_grey() -> None:
    grid, boxes = compose_grid([None, disc(COLOURS[0])], 1, 3)
    assert grid.crop(boxes[0]).getcolors() == [(128 * 128, MISSING)]
    assert grid.crop(boxes[2]).getcolors() == [(128 * 128, MISSING)]


def test_a_smaller_image_stands_in_the_middle_of_its_cell() -> None:
    small, large = Image.new("RGB", (2, 2), "red"), Image.new("RGB", (6, 6), "blue")
    grid, boxes = compose_grid([small, large], 1, 2)
    assert boxes[0] == (1, 1, 7, 7)
    assert grid.crop((3, 3, 5, 5)).getcolors() == [(4, (255, 0, 0))]


@pytest.mark.parametrize("images", [[], [None, None], [Image.new("RGB", (2, 2))] * 3])
def test_no_image_or_too_many_are_refused(images: list[Image.Image | None]) -> None:
    with pytest.raises(ValueError, match="images for 1 x 2 cells"):
        compose_grid(images, 1, 2)


def test_masses_leave_the_gutters_out() -> None:
    density = np.array([[9.0, 1.0, 9.0, 3.0, 9.0]])
    assert cell_attention(density, [(1, 0, 2, 1), (3, 0, 4, 1)]) == (0.25, 0.75)


def test_attention_does_not_depend_on_the_size_of_the_files() -> None:
    generator = np.random.default_rng(0)
    coarse = [generator.integers(0, 255, (8, 8, 3)).astype(np.uint8) for _ in range(4)]
    small, large = (
        [Image.fromarray(each).resize((side, side), Image.Resampling.NEAREST) for each in coarse]
        for side in (64, 512)
    )
    few, many = (grid_attention(images, 2, 2) for images in (small, large))
    assert few == pytest.approx(many, abs=0.01)
