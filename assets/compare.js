// The pictures of the comparison: a click tells the server which one is meant.

element.addEventListener("click", (event) => {
  const picture = event.target.closest("[data-picture]");
  if (!picture) return;
  for (const each of element.querySelectorAll("[data-picture]")) {
    each.setAttribute("aria-pressed", String(each === picture));
  }
  trigger("select", { index: 0, value: picture.dataset.picture });
});
