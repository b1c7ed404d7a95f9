// The grid on the page: clicks and keys open a cell, which the server is told of, and images that
// change places glide there. Cells are known by their number, never by their place; those of another
// grid have other images, and do not glide.

const GLIDE = { duration: 450, easing: "cubic-bezier(.2, .8, .2, 1)" };
const still = window.matchMedia("(prefers-reduced-motion: reduce)");
const cells = () => [...element.querySelectorAll(".cell")];
const known = (cell) => `${cell.dataset.cell} ${cell.querySelector("img")?.src}`;
const REST = 150; // milliseconds after a key
const grid = () => element.querySelector(".gallery")?.dataset.grid;
let places = new Map();
let shown;
let opening;

// Where a cell lies; one that still glides lies where it glides to.
function place(cell) {
  return { left: cell.offsetLeft, top: cell.offsetTop };
}

function remember() {
  places = new Map(cells().map((cell) => [known(cell), place(cell)]));
  shown = grid();
}

function glide() {
  if (grid() !== shown) element.closest(".work").classList.remove("closed"); // what was closed is gone
  for (const cell of cells()) {
    const from = places.get(known(cell));
    const to = place(cell);
    if (!from || (from.left === to.left && from.top === to.top) || still.matches) continue;
    const shift = `translate(${from.left - to.left}px, ${from.top - to.top}px)`;
    cell.animate([{ transform: shift }, { transform: "none" }], GLIDE);
  }
  remember();
}

function open(cell) {
  clearTimeout(opening);
  element.closest(".work").classList.remove("closed");
  for (const each of cells()) {
    each.firstElementChild.setAttribute("aria-pressed", String(each === cell));
  }
  trigger("select", { index: Number(cell.dataset.cell), value: cell.dataset.cell });
}

// Where what is wrong lies below the window, as on a phone, the opened image comes into view.
function follow() {
  const reasons = element.closest(".work").querySelector(".part-reasons");
  const { bottom } = (reasons.querySelector(".why") ?? reasons).getBoundingClientRect();
  if (bottom <= window.innerHeight) return;
  const below = reasons.getBoundingClientRect().top - 0.1 * window.innerHeight;
  window.scrollBy({ top: below, behavior: still.matches ? "instant" : "smooth" });
}

function neighbour(cell, key) {
  const all = cells();
  const ends = { Home: all[0], End: all.at(-1) };
  if (key in ends) return ends[key];
  const columns = Number(getComputedStyle(cell.parentElement).getPropertyValue("--columns"));
  const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns }[key];
  return step && all[all.indexOf(cell) + step];
}

element.addEventListener("click", (event) => {
  const cell = event.target.closest(".cell");
  if (!cell) return;
  open(cell);
  if (event.detail) follow(); // not when a key chose: the focus stays in sight
});

element.addEventListener("keydown", (event) => {
  const cell = event.target.closest(".cell");
  const next = cell && neighbour(cell, event.key);
  if (!next) return;
  event.preventDefault();
  next.firstElementChild.focus();
  clearTimeout(opening);
  if (element.closest(".closed")) return;
  opening = setTimeout(() => open(next), REST); // what is wrong is of the image that has the focus
});

// Escape closes the opened image, and the grid has all the room: here, or where nothing has the
// focus, as after a click on the opened image.
document.addEventListener("keydown", (event) => {
  const work = element.closest(".work");
  const opened = element.querySelector('[aria-pressed="true"]');
  const here = work.contains(event.target) || event.target === document.body;
  if (event.key !== "Escape" || !opened || !here || !work.offsetParent) return;
  if (document.querySelector("dialog[open]")) return; // it closes that
  clearTimeout(opening);
  if (!element.contains(document.activeElement)) opened.focus();
  opened.setAttribute("aria-pressed", "false");
  work.classList.add("closed");
});

window.addEventListener("resize", remember);
watch("value", glide);
remember();
