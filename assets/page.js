// What the keyboard needs on every tab: a way past the fields to the images,
// help that Escape closes, arrows that move between options, and names of upload areas that say what
// is written on them.

element.querySelector(".skip").addEventListener("click", () => {
  const images = [...document.querySelectorAll(".cell button, textarea")];
  images.sort((a, b) => b.matches(".cell button") - a.matches(".cell button"));
  images.find((each) => each.offsetParent)?.focus();
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

// Gradio names every option apart, and again whenever it draws one: each would be a group of its own.
const groups = new Map();

function groupOptions() {
  for (const each of document.querySelectorAll("fieldset input[type=radio]")) {
    const field = each.closest("fieldset");
    if (!groups.has(field)) groups.set(field, `options-${groups.size}`);
    if (each.name !== groups.get(field)) each.name = groups.get(field);
  }
}

// The button that adds files has another one in it, which would be a button without a name.
const ADD = "add files";

function nameUploads() {
  for (const each of document.querySelectorAll("button.upload-container")) {
    const outer = each.parentElement.closest("button");
    if (!outer) each.removeAttribute("aria-label");
    else if (outer.title !== ADD) {
      const files = each.querySelector("input");
      each.disabled = true;
      each.setAttribute("aria-label", ADD);
      outer.setAttribute("aria-label", ADD);
      outer.title = ADD;
      outer.addEventListener("click", (event) => event.target !== files && files.click());
    }
  }
}

// A list that scrolls would be a stop of the Tab key, and is gone when it is reached.
function skipLists() {
  for (const each of document.querySelectorAll('ul[role="listbox"]')) each.tabIndex = -1;
}

function tidy() {
  skipLists();
  nameUploads();
  groupOptions();
}

new MutationObserver(tidy).observe(document.body, {
  childList: true,
  subtree: true,
  attributeFilter: ["name"],
});
tidy();
