// The images of the comparison: a click tells the server which one is meant. Its reasons, which lie
// below the table, come into view when they have come, and so does what "Compare these" makes.

const still = window.matchMedia("(prefers-reduced-motion: reduce)");
const tab = element.closest('[role="tabpanel"]');
const coming = new MutationObserver(bring);
let awaited = null; // what comes, what was there before it, and where in the window it belongs

function bring() {
  const found = tab.querySelector(awaited.what);
  if (!found || found === awaited.before) return;
  coming.disconnect();
  const below = found.getBoundingClientRect().top - awaited.place * window.innerHeight;
  if (below < awaited.place * window.innerHeight) return;
  window.scrollBy({ top: below, behavior: still.matches ? "instant" : "smooth" });
}

function follow(what, place) {
  awaited = { what, place, before: tab.querySelector(what) };
  coming.observe(tab, { childList: true, subtree: true });
}

tab.addEventListener("click", (event) => {
  if (event.target.closest("button.start")) follow(".comparison, .ballot", 0.1);
});

element.addEventListener("click", (event) => {
  const image = event.target.closest("[data-image]");
  if (!image) return;
  for (const each of element.querySelectorAll("[data-image]")) {
    each.setAttribute("aria-pressed", String(each === image));
  }
  // not when a key chose: the focus stays in sight
  if (event.detail) follow(".part-reasons .evidence", 0.3);
  trigger("select", { index: 0, value: image.dataset.image });
});
