// The field for the prompt has the focus on a page that opens without a link, where there is a
// keyboard; and what is typed takes the place of what stands there: a visit selects the old text,
// and so does Enter.

const isPrompt = (event) => event.target.matches?.("#prompt textarea");
let visited = false; // and nothing was selected or written since

document.addEventListener("focusin", (event) => {
  if (!isPrompt(event)) return;
  visited = true;
  if (!event.target.matches(":active")) select(event);
});
document.addEventListener("click", (event) => isPrompt(event) && select(event));
document.addEventListener("keydown", (event) => {
  const sent = event.key === "Enter" && !event.shiftKey && !event.isComposing; // not a word of an IME
  if (sent && isPrompt(event)) event.target.select();
});

function select({ target }) {
  if (visited && target.selectionStart === target.selectionEnd) target.select();
  visited = false;
}

// A known word beside a warning takes the place of the unknown one in the prompt of its own tab; the
// last button shows all.
document.addEventListener("click", (event) => {
  const button = event.target.closest?.(".warning .word");
  if (!button) return;
  const { word, from } = button.dataset;
  const tab = button.closest('[role="tabpanel"]');
  if (word) {
    const unknown = new RegExp(`(?<!\\p{L})${from}(?!\\p{L})`, "iu");
    const field = [...tab.querySelectorAll("textarea")].find((each) => unknown.test(each.value));
    field.value = field.value.replace(unknown, word);
    field.dispatchEvent(new Event("input", { bubbles: true }));
    tab.querySelector(".ask button.primary").focus(); // what is pressed next
  } else {
    tab.querySelector('.part-more [aria-expanded="false"]')?.click();
    const words = tab.querySelector(".vocabulary");
    words.open = true;
    words.querySelector("summary").focus();
  }
});

function begin() {
  const keyboard = window.matchMedia("(pointer: fine)").matches;
  const field = document.querySelector("#prompt textarea");
  if (!keyboard || window.location.search) return;
  if (field) field.focus({ preventScroll: true });
  else setTimeout(begin, 50); // the page is still being built
}
setTimeout(begin);
