// The prompt as a row of buttons: pointing at a group of words dims the images that surely do not show it.
// A click, or a tap, keeps it so until the same or another group is clicked.

const panel = element.closest(".grid-panel");
const gallery = () => panel.querySelector(".gallery");

function point(claim) {
  const grid = gallery();
  if (!grid) return;
  const shows = new Set(claim ? claim.dataset.cells.split(" ") : []);
  grid.classList.toggle("pointing", Boolean(claim));
  for (const cell of grid.querySelectorAll(".cell")) {
    cell.classList.toggle("shows", shows.has(cell.dataset.cell));
  }
}

// Counts grow while images are asked: row and grid are drawn anew, and what was pointed at stays so.
const words = (claim) => {
  const { prompt } = claim.closest("[data-prompt]").dataset;
  return `${prompt}: ${claim.getAttribute("aria-label").split(": ")[0]}`;
};
const named = (said) => [...element.querySelectorAll(".claim")].find((each) => words(each) === said);
let focused = null;
let pressed = null;
element.addEventListener("focusin", (event) => (focused = claimOf(event) ? words(claimOf(event)) : null));
// A removed button loses the focus before it is disconnected, so whether a person left is known only after.
element.addEventListener("focusout", ({ target }) => {
  queueMicrotask(() => {
    if (target.checkVisibility() && !element.contains(document.activeElement)) focused = null;
  });
});

function keep() {
  if (pressed && !kept()) named(pressed)?.setAttribute("aria-pressed", "true");
  if (kept()) point(pointedAt() ?? kept());
  if (focused && document.activeElement === document.body) named(focused)?.focus({ preventScroll: true });
}

const pointedAt = () => (hovers.matches && element.querySelector(".claim:hover")) || element.querySelector(".claim:focus");
const claimOf = (event) => event.target.closest?.(".claim");
const hovers = window.matchMedia("(hover: hover)");
const kept = () => element.querySelector('.claim[aria-pressed="true"]');

for (const kind of ["pointerover", "focusin"]) {
  element.addEventListener(kind, (event) => claimOf(event) && point(claimOf(event)));
}
for (const kind of ["pointerout", "focusout"]) {
  element.addEventListener(kind, () => point(kept()));
}

element.addEventListener("click", (event) => {
  const claim = claimOf(event);
  if (!claim) return;
  const before = kept();
  before?.setAttribute("aria-pressed", "false");
  if (claim !== before) claim.setAttribute("aria-pressed", "true");
  pressed = claim === before ? null : words(claim);
  point(kept() ?? (hovers.matches ? claim : null)); // a finger that tapped again points at nothing
});

// Where the method of the ranking judged nothing, a button ranks by one that did.
element.addEventListener("click", (event) => {
  const method = event.target.closest?.("[data-rank-by]")?.dataset.rankBy;
  const tab = element.closest('[role="tabpanel"]');
  if (method) tab.querySelector(`input[type="radio"][value="${method}"]`).click();
});

element.addEventListener("keydown", (event) => {
  const claims = [...element.querySelectorAll(".claim")];
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  const next = step && claims[claims.indexOf(claimOf(event)) + step];
  if (!next) return;
  event.preventDefault();
  next.focus();
});

// A grid of another prompt than the one that is typed is dimmed until it is generated.
function compare() {
  const tab = element.closest('[role="tabpanel"]');
  const shown = element.querySelector("[data-prompt]")?.dataset.prompt.trim();
  const typed = tab.querySelector(".ask textarea")?.value.trim(); // none while the page is drawn
  panel.classList.toggle("of-another-prompt", Boolean(shown && typed) && shown !== typed);
}
element.closest('[role="tabpanel"]').addEventListener("input", compare);
const redrawn = () => {
  keep();
  compare();
};
new MutationObserver(() => requestAnimationFrame(redrawn)).observe(panel, {
  childList: true,
  subtree: true,
  attributeFilter: ["class", "aria-pressed"], // Gradio may set what a grid is drawn with on the old elements
});
