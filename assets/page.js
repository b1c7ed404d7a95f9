// What the keyboard needs on every tab: a way past the fields to the pictures, help that Escape
// closes, and names of upload areas that say what is written on them.

element.querySelector(".skip").addEventListener("click", () => {
  const pictures = [...document.querySelectorAll(".cell button, textarea")];
  pictures.sort((a, b) => b.matches(".cell button") - a.matches(".cell button"));
  pictures.find((each) => each.offsetParent)?.focus();
});

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  if (document.activeElement?.matches(".help")) document.activeElement.blur();
  document.body.classList.add("help-closed");
});

document.addEventListener("pointerover", (event) => {
  if (event.target.closest?.(".help")) document.body.classList.remove("help-closed");
});
document.addEventListener("focusin", () => document.body.classList.remove("help-closed"));

function nameUploads() {
  for (const each of document.querySelectorAll("button.upload-container[aria-label]")) {
    each.removeAttribute("aria-label");
  }
}

new MutationObserver(nameUploads).observe(document.body, { childList: true, subtree: true });
nameUploads();
