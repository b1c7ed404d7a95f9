// The pictures of the comparison: a click tells the server which one is meant, and its reasons, which
// lie below the table, come into view when they have come.

const still = window.matchMedia("(prefers-reduced-motion: reduce)");

function follow() {
  const reasons = element.closest('[role="tabpanel"]').querySelector(".block.part-reasons");
  const come = new MutationObserver(() => {
    come.disconnect();
    const below = reasons.getBoundingClientRect().top - 0.3 * window.innerHeight;
    if (below < 0.3 * window.innerHeight) return;
    window.scrollBy({ top: below, behavior: still.matches ? "instant" : "smooth" });
  });
  come.observe(reasons, { childList: true, subtree: true, characterData: true });
}

element.addEventListener("click", (event) => {
  const picture = event.target.closest("[data-picture]");
  if (!picture) return;
  for (const each of element.querySelectorAll("[data-picture]")) {
    each.setAttribute("aria-pressed", String(each === picture));
  }
  if (event.detail) follow(); // not when a key chose: the focus stays in sight
  trigger("select", { index: 0, value: picture.dataset.picture });
});
