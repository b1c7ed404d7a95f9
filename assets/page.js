// What the keyboard needs on every tab: a way past the fields to the pictures and one to the papers,
// help that Escape closes, names of upload areas that say what is written on them, and options that are not offered,
// which the Enter key does not choose: it says why beside their field.

element.querySelector(".skip").addEventListener("click", () => {
  const pictures = [...document.querySelectorAll(".cell button, textarea")];
  pictures.sort((a, b) => b.matches(".cell button") - a.matches(".cell button"));
  pictures.find((each) => each.offsetParent)?.focus();
});

// A plain click on the link to papers opens the tab where they are, without a new page.
element.querySelector(".sources").addEventListener("click", (event) => {
  if (event.metaKey || event.ctrlKey || event.shiftKey) return;
  event.preventDefault();
  const tabs = [...document.querySelectorAll('[role="tablist"] [role="tab"]')];
  tabs.find((each) => each.textContent.trim() === "About")?.click();
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

const OFF = " (off: not offered";

function markOff() {
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
nameUploads();
