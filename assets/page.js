// What the keyboard needs on every tab: a way past the fields to the images,
// help that Escape closes, arrows that move between options, names of upload areas that say what is
// written on them, and options that are not offered, which the Enter key does not choose: it says why
// beside their field.

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

const OFF = " (off: not offered";

function markOff() {
  // A list that scrolls would be a stop of the Tab key, and is gone when it is reached.
  for (const each of document.querySelectorAll('ul[role="listbox"]')) each.tabIndex = -1;
  for (const each of document.querySelectorAll(`li[role="option"][aria-label*="${OFF}"]`)) {
    each.setAttribute("aria-disabled", "true");
  }
}

// The option that Enter would choose: that with the cursor, or the first that has what was typed.
function choiceOfEnter(typed) {
  const options = [...document.querySelectorAll('ul[role="listbox"] li')];
  const label = (option) => option?.getAttribute("aria-label") ?? "";
  const has = (option) => label(option).toLowerCase().includes(typed.toLowerCase());
  const cursor = options.find((each) => each.matches(".active"));
  const browsing = typed === label(options.find((each) => each.matches(".selected")));
  return label(cursor && (browsing || has(cursor)) ? cursor : options.find(has));
}

document.addEventListener(
  "keydown",
  (event) => {
    const field = event.target.closest?.(".block");
    field?.querySelector(".off-reason")?.remove();
    if (event.key !== "Enter" || event.target.getAttribute("role") !== "combobox") return;
    const chosen = choiceOfEnter(event.target.value);
    if (!field || !chosen.includes(OFF)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    const reason = document.createElement("p");
    Object.assign(reason, { className: "off-reason", role: "alert" });
    reason.textContent = `${chosen.split(OFF)[0]} is not offered here`;
    field.append(reason);
  },
  true,
);

new MutationObserver(markOff).observe(document.body, { childList: true, subtree: true });
new MutationObserver(nameUploads).observe(document.body, { childList: true, subtree: true });
new MutationObserver(groupOptions).observe(document.body, {
  childList: true,
  subtree: true,
  attributeFilter: ["name"],
});
nameUploads();
groupOptions();
